// This code uses names of Alamofire, with the compiler's messages if `import Alamofire` finds MoyaAlamofire: see
// scripts/check/old-names.
import Alamofire
import Foundation
import Moya

let url = URL(string: "https://shop.test")!

// This code compiles without messages.

final class Refresher: RequestInterceptor, @unchecked Sendable {
    func adapt(_ urlRequest: URLRequest, for session: Session, completion: @escaping (Result<URLRequest, Error>) -> Void) {
        var request = urlRequest
        request.headers.add(HTTPHeader(name: "A", value: "1"))
        completion(.success(request))
    }

    func retry(_ request: Request, for session: Session, dueTo error: Error, completion: @escaping (RetryResult) -> Void) {
        let response = request.task?.response as? HTTPURLResponse
        completion(response?.statusCode == 401 ? .retry : .doNotRetryWithError(error))
    }
}

struct Key: AuthenticationCredential {
    let requiresRefresh = false
}

struct KeyAuthenticator: Authenticator {
    func apply(_ credential: Key, to urlRequest: inout URLRequest) {}
    func refresh(_ credential: Key, for session: Session, completion: @escaping (Result<Key, Error>) -> Void) {
        completion(.success(credential))
    }
    func didRequest(_ urlRequest: URLRequest, with response: HTTPURLResponse, failDueToAuthenticationError error: Error) -> Bool {
        return response.statusCode == 401
    }
    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Key) -> Bool { return true }
}

struct Custom: Alamofire.ParameterEncoding {
    func encode(_ urlRequest: URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
        return try Alamofire.URLEncoding.default.encode(urlRequest, with: parameters)
    }
}

func works(_ session: Alamofire.Session, _ convertible: URLConvertible) throws {
    let parameters: Parameters = ["a": [1 as Any]]
    let headers: HTTPHeaders = ["A": "1"]
    let request: DataRequest = AF.request("https://shop.test", method: .post, parameters: parameters, encoding: JSONEncoding.default, headers: headers)
    let upload: UploadRequest = session.upload(url, with: URLRequest(url: try convertible.asURL()))
    _ = (request, upload, try "https://shop.test".asURL(), AF.request(URLRequest(url: url)))
}

final class Loader {
    var items: [Int] = []

    func load(_ session: Session, _ completion: @escaping (Result<Data, Error>) -> Void) {
        session.request(URLRequest(url: url)).validate().responseData { response in
            switch response.result {
            case .success(let data): completion(.success(data))
            case .failure(let error): completion(.failure(error))
            }
        }
        AF.request("https://shop.test").validate(statusCode: 200..<400).responseString { print($0.value ?? $0.error?.responseCode as Any) }
        AF.request("https://shop.test").responseDecodable(of: [Int].self) { [weak self] (response: AFDataResponse<[Int]>) in
            self?.items = response.value ?? []
        }
        AF.request("https://shop.test").response { response in print(response.response?.statusCode ?? 0, response.data as Any) }
    }
}

func modified(_ session: Session, _ form: @escaping (Alamofire.MultipartFormData) -> Void) {
    var request = URLRequest(url: url)
    request.method = .post
    AF.request("https://shop.test", requestModifier: { $0.timeoutInterval = 5 }).response { _ in }
    AF.request("https://shop.test") { $0.timeoutInterval = 5 }.response { _ in }
    session.upload(multipartFormData: { $0.append(Data(), withName: "a") }, to: "https://shop.test", headers: ["A": "1"]).responseData { _ in }
    session.upload(multipartFormData: form, with: request).responseData { _ in }
}

struct Item: Codable {
    let id: Int
}

func awaited(_ item: Item) async throws {
    let request = AF.request("https://shop.test", method: .post, parameters: item, encoder: JSONParameterEncoder.default)
    let task: DataTask<Item> = request.serializingDecodable(Item.self)
    let value: Item = try await request.serializingDecodable().value
    let result: Result<[Item], AlamofireError> = await request.serializingDecodable([Item].self, automaticallyCancelling: true).result
    let text: String = try await AF.request("https://shop.test", parameters: item, encoder: .urlEncodedForm).serializingString().value
    AF.request("https://shop.test", parameters: ["a": 1], encoder: URLEncodedFormParameterEncoder(destination: .httpBody)).responseDecodable(of: Empty.self) { (response: AFDataResponse<Empty>) in print(response) }
    AF.request("https://shop.test", method: .put, parameters: item, encoder: .json).responseString(encoding: .isoLatin1) { print($0.value ?? "") }
    print(task, value, result, text, request.description, request.cURLDescription(), CharacterSet.afURLQueryAllowed)
}

// Deprecated names work, with a warning.

func deprecated(_ error: Error) throws {
    _ = error.asAFError?.underlyingError  //! warning: 'asAFError' is deprecated: MoyaError.underlying holds the error itself
    _ = error.asAFError?.responseCode  //! warning: 'asAFError' is deprecated: MoyaError.underlying holds the error itself
    _ = error.asAFError?.isSessionTaskError  //! warning: 'asAFError' is deprecated: MoyaError.underlying holds the error itself
    _ = error as? AFError  //! warning: 'AFError' is deprecated: MoyaError.underlying holds the error itself, a URLError or the application's own
    if case AFError.requestRetryFailed(let retryError, _) = error { print(retryError) }  //! warning: 'AFError' is deprecated: MoyaError.underlying holds the error itself, a URLError or the application's own
    _ = SessionManager.default  //! warning: 'SessionManager' is deprecated: renamed to 'Session'
    throw AFError.parameterEncodingFailed(reason: .missingURL)  //! warning: 'AFError' is deprecated: MoyaError.underlying holds the error itself, a URLError or the application's own
}

// The errors for unavailable names name the replacement.

func handlers() {
    AF.request("https://shop.test").validate(contentType: ["application/json"])  //! error: 'validate(contentType:)' is unavailable: Write `let response = try await request.value`
    AF.request("https://shop.test").responseJSON { response in  //! error: 'responseJSON(queue:completionHandler:)' is unavailable: Write `try JSONSerialization.jsonObject
        switch response.result {
        case .success(let value): print(value)
        case .failure(let error): print(error)
        }
    }
}

func download(_ request: DownloadRequest, _ response: AFDownloadResponse<Data>) {  //! error: 'AFDownloadResponse' is unavailable: Write a target with the task .downloadDestination(_:)
    request.cancel()  //! error: Write Request, which Session.download(_:to:) returns
    request.downloadProgress { _ in }  //! error: Write a target: MoyaProvider.request(_:progress:completion:)
}

func transfers(_ destination: @escaping DownloadRequest.Destination) async {
    AF.upload(multipartFormData: { _ in }, to: "https://shop.test").uploadProgress { _ in }  //! error: Write a target: MoyaProvider.request(_:progress:completion:)
    AF.download("https://shop.test", to: destination).downloadProgress { _ in }  //! error: Write a target with the task .downloadDestination(_:) //! error: Write a target: MoyaProvider.request(_:progress:completion:)
    AF.download(url, to: destination).responseURL { _ in }  //! error: Write a target with the task .downloadDestination(_:) //! error: names the file
    _ = AF.streamRequest("https://shop.test")  //! error: Write `let (response, body) = try await session.stream(for: request)`
    _ = AF.download(resumingWith: Data(), to: destination)  //! error: to a destination with the option .resumesWhenInterrupted
}

func reachability() {
    _ = NetworkReachabilityManager()?.isReachable  //! error: 'NetworkReachabilityManager' is unavailable: Write NWPathMonitor
    _ = NetworkReachabilityManager.default?.isReachable  //! error: 'NetworkReachabilityManager' is unavailable: Write NWPathMonitor
}

func types(_ cacher: ResponseCacher, _ setup: RequestSetup, _ handler: CachedResponseHandler) {}  //! error: Pass an HTTPCache to Session(cache:) //! error: there is no URLSessionTask to be set up //! error: Pass an HTTPCache to Session(cache:)
func types(_ notifications: AlamofireNotifications, _ monitor: ClosureEventMonitor) {}  //! error: write an EventMonitor //! error: Write a type that conforms to EventMonitor
func types(_ evaluator: RevocationTrustEvaluator, _ completion: RequestRetryCompletion) {}  //! error: Revocation is not checked //! error: Write retry(_:for:dueTo:completion:)
func types(_ policy: ServerTrustPolicy, _ result: MultipartFormDataEncodingResult) {}  //! error: Write PinnedCertificatesTrustEvaluator() or PublicKeysTrustEvaluator() //! error: The request fails with the error of the form

func sessions(_ configuration: URLSessionConfiguration) {
    _ = ServerTrustPolicyManager(policies: [:])  //! error: Write ServerTrustManager(evaluators:)
    _ = Session(configuration: configuration, delegate: SessionDelegate())  //! error: Leave out delegate, queues, requestSetup //! error: an EventMonitor gets the events
}

final class Delegate: SessionDelegate {}  //! error: 'SessionDelegate' is unavailable: There is no delegate: an EventMonitor gets the events

final class OwnSession: Session, @unchecked Sendable {
    override func upload(multipartFormData: Alamofire.MultipartFormData, with request: URLRequestConvertible, usingThreshold: UInt64 = 1, interceptor: RequestInterceptor? = nil, fileManager: FileManager = .default) -> UploadRequest {  //! error: Providers do not call it: change requests in a RequestInterceptor
        return super.upload(multipartFormData: multipartFormData, with: request)
    }

    override func upload(_ fileURL: URL, with request: URLRequestConvertible, interceptor: RequestInterceptor? = nil, fileManager: FileManager = .default) -> UploadRequest {  //! error: Providers do not call it: change requests in a RequestInterceptor
        return super.upload(fileURL, with: request)
    }

    override func download(_ convertible: URLRequestConvertible, interceptor: RequestInterceptor? = nil, to destination: DownloadRequest.Destination? = nil) -> DownloadRequest {  //! error: Providers do not call it: change requests in a RequestInterceptor
        fatalError()
    }
}
