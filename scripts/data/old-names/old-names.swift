// This code is for older versions of Moya, with the compiler's messages: see scripts/check/old-names.
import Foundation
import Moya

enum Shop: TargetType {
    case list
    var baseURL: URL { return URL(string: "https://shop.test")! }
    var path: String { return "items" }
    var method: Moya.Method { return .get }
    var task: Task { return .requestPlain }
    var headers: [String: String]? { return nil }
}

let sample: Endpoint.SampleResponseClosure = { .networkResponse(200, Data()) }
let request = URLRequest(url: URL(string: "https://shop.test")!)

// Deprecated names work, with a warning.

func deprecatedNames(_ provider: MoyaProvider<Shop>, _ endpoint: Endpoint) {
    let manager = Manager()  //! warning: 'Manager' is deprecated: renamed to 'Session'
    let session = Session()
    _ = Session.defaultHTTPHeaders  //! warning: Write HTTPHeaders.default
    _ = MoyaProvider<Shop>(manager: session)  //! warning: init(endpointClosure:requestClosure:stubClosure:callbackQueue:session:plugins:trackInflights:)
    _ = (provider.manager, manager)  //! warning: 'manager' is deprecated: renamed to 'session'
    _ = MoyaProvider<Shop>.defaultAlamofireManager()  //! warning: renamed to 'defaultAlamofireSession()'
    _ = provider.request(.list, queue: nil) { _ in }  //! warning: renamed to 'request(_:callbackQueue:progress:completion:)'
    _ = MoyaProvider<Shop>.defaultEndpointMapping(.list)  //! warning: renamed to 'defaultEndpointMapping(for:)'
    MoyaProvider<Shop>.defaultRequestMapping(endpoint) { _ in }  //! warning: renamed to 'defaultRequestMapping(for:closure:)'
    _ = StubBehavior.delayed(0.2)  //! warning: renamed to 'delayed(seconds:)'
    _ = Endpoint(url: "", sampleResponseClosure: sample, method: .get, parameters: ["a": 1])  //! warning: Write task: .requestParameters
    _ = endpoint.adding(newHttpHeaderFields: ["A": "1"])  //! warning: renamed to 'adding(newHTTPHeaderFields:)'
    _ = endpoint.adding(httpHeaderFields: ["A": "1"])  //! warning: renamed to 'adding(newHTTPHeaderFields:)'
    _ = AccessTokenPlugin { "token" }  //! warning: The closure gets the target: write AccessTokenPlugin { _ in … }
    _ = AccessTokenPlugin { (type: AuthorizationType) in type.value }  //! warning: The closure gets the target
    _ = AccessTokenPlugin(token: "token")  //! warning: Write AccessTokenPlugin { _ in token }
    _ = NetworkActivityPlugin { (change: NetworkActivityChangeType) in print(change) }  //! warning: The closure gets the target, too
    _ = NetworkLoggerPlugin(verbose: true)  //! warning: Write NetworkLoggerPlugin(configuration:
    _ = NetworkLoggerPlugin(cURL: true)  //! warning: Write NetworkLoggerPlugin(configuration:
    _ = StructTarget(Shop.list)  //! warning: 'StructTarget' is deprecated: renamed to 'MultiTarget'
    _ = MoyaErrorDomain  //! warning: renamed to 'MoyaError.errorDomain'
    _ = CancellableToken {}.cancelled  //! warning: 'cancelled' is deprecated: renamed to 'isCancelled'
    _ = CancellableToken {}.canceled  //! warning: 'canceled' is deprecated: renamed to 'isCancelled'
    _ = DownloadRequest.DownloadOptions.removePreviousFile  //! warning: 'DownloadOptions' is deprecated: renamed to 'Options'
    _ = DownloadRequest.suggestedDownloadDestination(for: .cachesDirectory, with: .userDomainMask)  //! warning: renamed to 'suggestedDownloadDestination(for:in:)'
    _ = Bundle.main.af.certificates  //! warning: Write Certificate.certificates(in: bundle)
    _ = URLEncoding.methodDependent  //! warning: renamed to 'default'
}

func deprecatedType(_ destination: DownloadRequest.DownloadFileDestination) {}  //! warning: renamed to 'Destination'

// This code for Moya 15 causes warnings, and the code beside it causes none: see the migration guide.

struct AnyEncoding: ParameterEncoding {
    func encode(_ urlRequest: URLRequestConvertible, with parameters: [String: Any]?) throws -> URLRequest {  //! warning: sendability of function types in instance method 'encode(_:with:)' does not match
        try urlRequest.asURLRequest()
    }
}

struct SendableEncoding: ParameterEncoding {
    func encode(_ urlRequest: URLRequestConvertible, with parameters: [String: any Sendable]?) throws -> URLRequest {
        try urlRequest.asURLRequest()
    }
}

class PlainProvider: MoyaProvider<Shop> {
    override init(
        endpointClosure: @escaping EndpointClosure = MoyaProvider<Shop>.defaultEndpointMapping,
        requestClosure: @escaping RequestClosure = MoyaProvider<Shop>.defaultRequestMapping,
        stubClosure: @escaping StubClosure = MoyaProvider<Shop>.neverStub,
        callbackQueue: DispatchQueue? = nil,
        session: Session = MoyaProvider<Shop>.defaultAlamofireSession(),
        plugins: [PluginType] = [],
        trackInflights: Bool = false
    ) {
        super.init(endpointClosure: endpointClosure, stubClosure: stubClosure, session: session, plugins: plugins)
    }
}

class MarkedProvider: MoyaProvider<Shop> {
    @preconcurrency
    override init(
        endpointClosure: @escaping EndpointClosure = MoyaProvider<Shop>.defaultEndpointMapping,
        requestClosure: @escaping RequestClosure = MoyaProvider<Shop>.defaultRequestMapping,
        stubClosure: @escaping StubClosure = MoyaProvider<Shop>.neverStub,
        callbackQueue: DispatchQueue? = nil,
        session: Session = MoyaProvider<Shop>.defaultAlamofireSession(),
        plugins: [PluginType] = [],
        trackInflights: Bool = false
    ) {
        super.init(endpointClosure: endpointClosure, stubClosure: stubClosure, session: session, plugins: plugins)
    }
}

class QualifiedProvider<T: TargetType>: MoyaProvider<T> {
    override init(  //! warning: has a type with different sendability from any potential overrides
        endpointClosure: @escaping MoyaProvider<T>.EndpointClosure = MoyaProvider<T>.defaultEndpointMapping,
        requestClosure: @escaping MoyaProvider<T>.RequestClosure = MoyaProvider<T>.defaultRequestMapping,
        stubClosure: @escaping MoyaProvider<T>.StubClosure = MoyaProvider<T>.neverStub,
        callbackQueue: DispatchQueue? = nil,
        session: Session = MoyaProvider<T>.defaultAlamofireSession(),
        plugins: [PluginType] = [],
        trackInflights: Bool = false
    ) {
        super.init(endpointClosure: endpointClosure, stubClosure: stubClosure, session: session, plugins: plugins)
    }
}

class QualifiedMarkedProvider<T: TargetType>: MoyaProvider<T> {
    @preconcurrency
    override init(
        endpointClosure: @escaping MoyaProvider<T>.EndpointClosure = MoyaProvider<T>.defaultEndpointMapping,
        requestClosure: @escaping MoyaProvider<T>.RequestClosure = MoyaProvider<T>.defaultRequestMapping,
        stubClosure: @escaping (T) -> Moya.StubBehavior = MoyaProvider<T>.neverStub,
        callbackQueue: DispatchQueue? = nil,
        session: Session = MoyaProvider<T>.defaultAlamofireSession(),
        plugins: [PluginType] = [],
        trackInflights: Bool = false
    ) {
        super.init(endpointClosure: endpointClosure, stubClosure: stubClosure, session: session, plugins: plugins)
    }
}

class Application {
    let provider = MoyaProvider<Shop>()
    let formatter: (Data) -> String = { String(decoding: $0, as: UTF8.self) }
    static func format(_ data: Data) -> String { "" }
    @Sendable static func sendableFormat(_ data: Data) -> String { "" }
    func format(_ data: Data) -> String { "" }

    func functions(_ endpointClosure: @escaping (Shop) -> Endpoint) {
        _ = MoyaProvider<Shop>(endpointClosure: endpointClosure)
        _ = PlainProvider(endpointClosure: endpointClosure)  //! warning: passing non-Sendable parameter 'endpointClosure' to function expecting a '@Sendable' closure
        _ = PlainProvider(endpointClosure: { endpointClosure($0) })
        _ = MarkedProvider(endpointClosure: endpointClosure)
        _ = NetworkLoggerPlugin.Configuration.Formatter(responseData: formatter)
        _ = NetworkLoggerPlugin.Configuration.Formatter(responseData: format)
        _ = NetworkLoggerPlugin.Configuration.Formatter(responseData: Self.format)  //! warning: converting non-Sendable function value to '@Sendable (Data) -> String'
        _ = NetworkLoggerPlugin.Configuration.Formatter(responseData: Self.sendableFormat)
    }

    func load<T: Decodable>(_ type: T.Type, completion: @escaping (T?) -> Void) {
        provider.request(.list) { completion(try? $0.get().map(type)) }  //! warning: capture of 'type' with non-Sendable type 'T.Type' in a '@Sendable' closure
        provider.request(.list) { completion(try? $0.get().map(T.self)) }
    }
}

// The class is isolated to the main actor like a view controller.
@MainActor class Screen {
    var text = ""
    func reload() {}
}

class ItemScreen: Screen {
    let provider = MoyaProvider<Shop>()

    func load() {
        provider.request(.list) { [weak self] result in
            self?.text = (try? result.get().mapString()) ?? ""  //! warning: main actor-isolated property 'text' can not be mutated from a Sendable closure
            self?.reload()  //! warning: call to main actor-isolated instance method 'reload()' in a synchronous nonisolated context
        }
        provider.request(.list) { [weak self] result in
            MainActor.assumeIsolated {
                self?.text = (try? result.get().mapString()) ?? ""
                self?.reload()
            }
        }
        provider.request(.list) { [weak self] result in
            DispatchQueue.main.async { self?.reload() }
        }
    }
}

func background(_ provider: MoyaProvider<Shop>, _ application: Application) {
    DispatchQueue.global().async { provider.request(.list) { _ in } }  //! warning: capture of 'provider' with non-Sendable type 'MoyaProvider<Shop>' in a '@Sendable' closure
    provider.request(.list) { _ in provider.request(.list) { _ in } }
}

// The errors for unavailable names name the replacement.

func unavailableTasks(_ url: URL, _ destination: @escaping DownloadDestination) {
    _ = Task.request  //! error: Write .requestPlain, or .requestParameters(parameters:encoding:)
    _ = Task.upload(.file(url))  //! error: Write .uploadFile(_:), .uploadMultipart(_:)
    _ = Task.download(.request(destination))  //! error: Write .downloadDestination(_:)
}

func unavailableTypes() {
    _ = HTTPTask.UploadType.self  //! error: Write .uploadFile(_:) or .uploadMultipart(_:)
    _ = HTTPTask.DownloadType.self  //! error: Write .downloadDestination(_:)
    _ = RxMoyaProvider<Shop>.self  //! error: Write MoyaProvider; with the module RxMoya
    _ = ReactiveSwiftMoyaProvider<Shop>.self  //! error: Write MoyaProvider; with the module ReactiveMoya
    _ = ReactiveCocoaMoyaProvider<Shop>.self  //! error: Write MoyaProvider; with the module ReactiveMoya
    _ = MoyaErrorCode.self  //! error: Switch over MoyaError
}


func bindings(_ provider: MoyaProvider<Shop>) {
    _ = provider.rx  //! error: Write `import RxMoya`
    _ = provider.rx.request(.list)  //! error: Write `import RxMoya`
    provider.rx.request(.list).subscribe { _ in }  //! error: value of type 'RxMoyaIsNotImported<Shop>' has no member 'subscribe'
    _ = provider.rx.requestWithProgress(.list)  //! error: Write `import RxMoya`
    _ = provider.reactive.request(.list)  //! error: Write `import ReactiveMoya`
    provider.reactive.request(.list).start { _ in }  //! error: value of type 'ReactiveMoyaIsNotImported<Shop>' has no member 'start'
    _ = provider.requestPublisher(.list)  //! error: Write `import CombineMoya`
    _ = provider.requestPublisher(.list).sink { _ in }  //! error: value of type 'CombineMoyaIsNotImported' has no member 'sink'
    _ = provider.requestWithProgressPublisher(.list, callbackQueue: .main)  //! error: Write `import CombineMoya`
}

func authenticator(_ tokenURL: URL) {
    _ = OAuth2Authenticator(tokenURL: tokenURL, client: .public(id: "app"))  //! error: Add origins: the URLs of the servers that get the token
    _ = OAuth2Authenticator(tokenURL: tokenURL, client: .public(id: "app"), leeway: 5) { _ in }  //! error: Add origins: the URLs of the servers that get the token
    _ = OAuth2Authenticator(tokenURL: tokenURL, client: .public(id: "app"), origins: [Shop.list.baseURL]) { _ in }
}

// Alamofire added these members to Foundation's types.
func foundation(_ request: inout URLRequest) {
    request.method = .post
    _ = (request.method == .post, CharacterSet.afURLQueryAllowed)
}

func unavailableOfEndpoint(_ endpoint: Endpoint) {
    _ = endpoint.adding(newParameters: ["a": 1])  //! error: Write replacing(task: .requestParameters(parameters:encoding:)) with all
    _ = endpoint.adding(parameters: ["a": 1])  //! error: Write replacing(task: .requestParameters(parameters:encoding:)) with all
    _ = endpoint.adding(newParameterEncoding: URLEncoding.default)  //! error: with the new encoding
    _ = endpoint.adding(parameterEncoding: URLEncoding.default)  //! error: with the new encoding
    _ = endpoint.adding(parameters: ["a": 1], httpHeaderFields: ["A": "1"])  //! error: adding(newHTTPHeaderFields:).replacing(task:
    _ = endpoint.parameters  //! error: Switch over task
    _ = endpoint.parameterEncoding  //! error: Switch over task
    _ = endpoint.endpointByAddingHTTPHeaderFields([:])  //! error: renamed to 'adding(newHTTPHeaderFields:)'
}

func unavailableOfTarget<T: TargetType>(_ target: T, _ any: TargetType) {
    _ = target.parameters  //! error: Parameters are part of the task
    _ = any.parameterEncoding  //! error: The encoding is part of the task
    _ = any.validate  //! error: Read validationType
}

func unavailableOfResult(_ result: Result<Response, MoyaError>, _ response: Response, _ error: Error) throws {
    _ = result.value  //! error: Write `try? result.get()`
    _ = result.error  //! error: Write `if case .failure(let error) = result`
    _ = try result.dematerialize()  //! error: renamed to 'get()'
    _ = result.analysis(ifSuccess: { _ in 1 }, ifFailure: { _ in 2 })  //! error: Switch over the result
    _ = try response.mapObject(Int.self)  //! error: Let the type be Decodable and write map(_:)
    _ = try response.mapArray(Int.self)  //! error: write map([Element].self)
    _ = try response.filterStatusCodes(200...299)  //! error: renamed to 'filter(statusCodes:)'
    _ = try response.filterStatusCode(200)  //! error: renamed to 'filter(statusCode:)'
    _ = MoyaError.data(response)  //! error: Write .underlying(error, response)
    _ = error.asAFError  //! warning: write `error as? URLError`
}

func unavailableOfSession(_ session: Session, _ configuration: URLSessionConfiguration, _ queue: DispatchQueue) {
    _ = Session(configuration: configuration, rootQueue: queue)  //! error: Leave out delegate, queues, requestSetup
    _ = Session(requestSetup: .lazy)  //! error: Leave out delegate, queues, requestSetup
    _ = Session(startRequestsImmediately: false, requestQueue: queue)  //! error: Leave out delegate, queues, requestSetup
    _ = Session(serializationQueue: queue, interceptor: RetryPolicy())  //! error: Leave out delegate, queues, requestSetup
    _ = Session(cachedResponseHandler: nil)  //! error: Leave out delegate, queues, requestSetup
    _ = Session(configuration: configuration, serverTrustPolicyManager: nil)  //! error: Write Session(configuration:serverTrustManager:
    _ = session.session  //! error: There is no URLSession
    _ = session.delegate  //! error: an EventMonitor gets the events
    _ = session.rootQueue  //! error: A session has no queues
    _ = session.requestQueue  //! error: A session has no queues
    _ = session.serializationQueue  //! error: A session has no queues
    _ = session.cachedResponseHandler  //! error: Pass an HTTPCache to Session(cache:)
    _ = session.eventMonitor  //! error: renamed to 'eventMonitors'
    session.withAllRequests { _ in }  //! error: A session keeps no list of requests
    session.cancelAllRequests()  //! error: A session keeps no list of requests
    _ = session.download(resumingWith: Data())  //! error: to a destination with the option .resumesWhenInterrupted
    _ = session.streamRequest(request)  //! error: Write `let (response, body) = try await session.stream(for: request)`, or provider.stream(_:)
    session.request(request).cancel(producingResumeData: true)  //! error: Give the destination the option .resumesWhenInterrupted
    session.request(request).cancel { (data: Data?) in print(data as Any) }  //! error: Give the destination the option .resumesWhenInterrupted
    _ = session.request(request).resumeData  //! error: Give the destination the option .resumesWhenInterrupted
    _ = (session.request(request).cURLDescription(), session.request(request).description)
    session.adapter = nil  //! error: Write Session(interceptor: Interceptor(adapters: […]))
    session.retrier = nil  //! error: Write Session(interceptor: Interceptor(retriers: […]))
    session.startRequestsImmediately = false  //! error: cannot assign to property: 'startRequestsImmediately' is a get-only property
    _ = HTTPHeaders.defaultHTTPHeaders  //! error: renamed to 'default'
}

func unavailableOfRequests(_ session: Session, _ form: RequestMultipartFormData, _ file: URL) {
    _ = session.upload(file, with: request, fileManager: .default)  //! error: Leave out fileManager
    _ = session.upload(multipartFormData: form, with: request, usingThreshold: 1)  //! error: Leave out usingThreshold
    _ = session.download(request)  //! error: Pass a destination as the parameter to:
}

func unavailableOfSwift2(_ data: Data) {
    _ = MoyaProvider<Shop>.DefaultEndpointMapping(.list)  //! error: renamed to 'defaultEndpointMapping(for:)'
    MoyaProvider<Shop>.DefaultRequestMapping(Endpoint(url: "", sampleResponseClosure: sample, method: .get, task: .requestPlain, httpHeaderFields: nil)) { _ in }  //! error: renamed to 'defaultRequestMapping(for:closure:)'
    _ = MoyaProvider<Shop>.NeverStub(.list)  //! error: renamed to 'neverStub(_:)'
    _ = MoyaProvider<Shop>.ImmediatelyStub(.list)  //! error: renamed to 'immediatelyStub(_:)'
    _ = MoyaProvider<Shop>.DelayedStub(1)  //! error: renamed to 'delayedStub(_:)'
    _ = StubBehavior.Never  //! error: renamed to 'never'
    _ = StubBehavior.Immediate  //! error: renamed to 'immediate'
    _ = StubBehavior.Delayed(seconds: 1)  //! error: renamed to 'delayed(seconds:)'
    _ = EndpointSampleResponse.NetworkResponse(200, data)  //! error: renamed to 'networkResponse(_:_:)'
    _ = EndpointSampleResponse.NetworkError(NSError(domain: "", code: 0))  //! error: renamed to 'networkError(_:)'
}

// The compiler has no annotated declaration for this code, so these are its own messages.

func generic(_ endpoint: Endpoint<Shop>) {}  //! error: cannot specialize non-generic type 'Endpoint'

func property(_ endpoint: Endpoint) {
    let made: URLRequest = endpoint.urlRequest  //! error: function produces expected type 'URLRequest'; did you mean to call it with '()'?
    _ = made
}

func namespaces(_ session: Alamofire.Session) {}  //! error: cannot find type 'Alamofire' in scope
func moyaError(_ error: Moya.Error) {}  //! error: no type named 'Error' in module 'Moya'

struct OldTarget: TargetType {  //! error: type 'OldTarget' does not conform to protocol 'TargetType'
    let baseURL = URL(string: "https://shop.test")!
    let path = ""
    let method: Moya.Method = .get
    let parameters: [String: Any]? = nil
    let parameterEncoding: ParameterEncoding = URLEncoding.default
    let task: Task = .requestPlain
}

struct OldAccount: AccessTokenAuthorizable {  //! error: type 'OldAccount' does not conform to protocol 'AccessTokenAuthorizable'
    let authorizationType: AuthorizationType = .bearer
}

struct OldMonitor: EventMonitor {  //! error: type 'OldMonitor' does not conform to protocol 'EventMonitor'
    func requestDidFinish(_ request: Request) {}
}

struct OldRedirects: RedirectHandler {  //! error: type 'OldRedirects' does not conform to protocol 'RedirectHandler'
    func task(
        _ task: URLSessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse,
        completion: @escaping (URLRequest?) -> Void
    ) {}
}

struct OldEvaluator: ServerTrustEvaluating {  //! error: type 'OldEvaluator' does not conform to protocol 'ServerTrustEvaluating'
    func evaluate(_ trust: AnyObject, forHost host: String) throws {}
}

final class OldProvider: MoyaProvider<Shop> {
    init(_ session: Session) {
        super.init(manager: session)  //! error: must call a designated initializer of the superclass 'MoyaProvider<Shop>' //! warning: replaced by 'init(endpointClosure:
    }
}

func responseHandlers(_ session: Session) {
    session.request(request).validate().responseData { _ in }  //! error: Write `let response = try await request.value`, and check //! error: Write `let data = try await request.value.data`
}

final class OldDownloads: Session, @unchecked Sendable {
    override func download(_ convertible: URLRequestConvertible, interceptor: RequestInterceptor? = nil, to destination: DownloadDestination? = nil) -> DownloadRequest {  //! error: Providers do not call it: change requests in a RequestInterceptor
        return super.download(convertible, interceptor: interceptor, to: destination)  //! error: Providers do not call it
    }
}

final class OldTrustManager: ServerTrustManager {}  //! error: inheritance from non-protocol, non-class type 'ServerTrustManager'
final class OldRetryPolicy: RetryPolicy {}  //! error: inheritance from non-protocol, non-class type 'RetryPolicy'

// This code compiles without messages, but nothing calls these methods and properties.

struct OldPlugin: PluginType {
    func willSendRequest(_ request: RequestType, target: TargetType) {}
    func didReceiveResponse(_ result: Result<Response, MoyaError>, target: TargetType) {}
}

struct OlderPlugin: PluginType {
    func willSend(request: RequestType, target: TargetType) {}
    func didReceive(data: Data?, statusCode: Int?, response: URLResponse?, error: Error?, target: TargetType) {}
}

struct SilentTarget: TargetType {
    let baseURL = URL(string: "https://shop.test")!
    let path = ""
    let method: Moya.Method = .get
    let parameters: [String: String]? = nil
    let parameterEncoding: ParameterEncoding = URLEncoding.default
    let validate = true
    let task: Task = .requestPlain
    let headers: [String: String]? = nil
}

struct OldRetrier: RequestRetrier {
    func should(_ manager: Session, retry request: Request, with error: Error, completion: @escaping (Bool, Double) -> Void) {}
}

struct OldAdapter: RequestAdapter {
    func adapt(_ urlRequest: URLRequest) throws -> URLRequest { return urlRequest }
}
