import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The documentation's types that extend the library, and the code that uses them.
@Suite("The documentation's plugin, interceptor and authenticator run")
struct ReadmeExtendingTests {
    struct Version: PluginType {
        /// Changes the request; called for each attempt.
        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
            var request = request
            request.setValue("2", forHTTPHeaderField: "API-Version")
            return request
        }
        /// Observes the request before it is sent.
        func willSend(_ request: any RequestType, target: any TargetType) { print("sends", target.path) }
        /// Observes the result.
        func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) {
            if case .failure(let error) = result { print(error) }
        }
        /// Changes the result for the caller.
        func process(
            _ result: Result<Moya.Response, MoyaError>,
            target: any TargetType
        ) -> Result<Moya.Response, MoyaError> { result }
    }

    struct Maintenance: RequestInterceptor {
        func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
            var request = urlRequest
            request.setValue("en", forHTTPHeaderField: "Accept-Language")
            return request
        }
        func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
            if case .response(status: 503, _) = attempt.outcome, attempt.retryCount == 0 { return .retryWithDelay(1) }
            return .doNotRetry
        }
    }

    struct AppCredential: AuthenticationCredential {
        var access: String
        var refresh: String
        var expiration: Date
        /// Whether the token is refreshed before a request, and not after its refusal.
        var requiresRefresh: Bool { expiration.timeIntervalSinceNow < 10 }
    }

    struct Refresh: TargetType {
        var token: String
        var baseURL: URL { GitHub.zen.baseURL }
        var path: String { "/refresh" }
        var method: Moya.Method { .post }
        var task: HTTPTask { .requestJSONEncodable(["token": token]) }
        var headers: [String: String]? { nil }
    }
    struct Tokens: Decodable { var access, refresh: String }

    struct AppAuthenticator: Authenticator {
        /// Whether a request gets the token: if it goes to the origin of the API.
        func appliesTo(_ urlRequest: URLRequest) -> Bool {
            let (url, api) = (urlRequest.url, GitHub.zen.baseURL)
            return url?.scheme == api.scheme && url?.host == api.host && url?.port == api.port
        }
        func apply(_ credential: AppCredential, to urlRequest: inout URLRequest) {
            urlRequest.setValue("Bearer \(credential.access)", forHTTPHeaderField: "Authorization")
        }
        func refresh(_ credential: AppCredential, for session: Session) async throws -> AppCredential {
            let provider = MoyaProvider<Refresh>(session: session)
            let response = try await provider.request(Refresh(token: credential.refresh)).filterSuccessfulStatusCodes()
            let tokens = try response.map(Tokens.self)
            return AppCredential(
                access: tokens.access,
                refresh: tokens.refresh,
                expiration: Date(timeIntervalSinceNow: 3_600)
            )
        }
    }

    @Test("the documentation's plugin changes a request")
    func plugin() async throws {
        let sent = Recorder<String?>()
        let transport = FakeTransport { request in
            sent.add(request.headers[HTTPField.Name("API-Version")!])
            return TransportResponse(status: 200)
        }
        let provider = MoyaProvider<GitHub>(session: Session(transport), plugins: [Version()])
        #expect(try await provider.request(.zen).statusCode == 200)
        #expect(sent.values == ["2"])
    }

    @Test("the documentation's interceptor adds a header, and retries a response of 503 once")
    func interceptor() async throws {
        let maintained = MoyaProvider<GitHub>(
            interceptor: Interceptor(interceptors: [Maintenance(), RetryPolicy(retryLimit: 3)])
        )
        #expect(maintained.session !== Session.default)

        let sent = Recorder<String?>()
        let transport = FakeTransport { request in
            sent.add(request.headers[.acceptLanguage])
            return TransportResponse(status: 200)
        }
        let provider = MoyaProvider<GitHub>(session: Session(transport: transport, interceptor: Maintenance()))
        #expect(try await provider.request(.zen).statusCode == 200)
        #expect(sent.values == ["en"])

        let request = URLRequest(url: GitHub.zen.baseURL)
        for (retryCount, isRetried) in [(0, true), (1, false)] {
            let attempt = RequestAttempt(
                request: request,
                outcome: .response(status: 503, headers: [:]),
                retryCount: retryCount
            )
            let result = await Maintenance().retry(attempt, for: .default)
            if case .retryWithDelay(1) = result { #expect(isRetried) } else { #expect(!isRetried) }
        }
    }

    @Test("the documentation's authenticator refreshes a refused token once for several requests")
    func authenticator() async throws {
        let appInterceptor = AuthenticationInterceptor(authenticator: AppAuthenticator(), credential: nil)
        appInterceptor.credential = AppCredential(access: "old", refresh: "r1", expiration: .distantFuture)
        let transport = FakeTransport { request in
            let token = request.headers[.authorization]
            guard request.url.path == "/refresh" else {
                return TransportResponse(status: token == "Bearer new" ? 200 : 401)
            }
            let tokens = Data(#"{"access":"new","refresh":"r2"}"#.utf8)
            return TransportResponse(status: token == nil ? 200 : 400, body: .complete(tokens))
        }
        let provider = MoyaProvider<GitHub>(session: Session(transport: transport, interceptor: appInterceptor))
        async let first = provider.request(.zen).statusCode
        async let second = provider.request(.zen).statusCode
        #expect(try await [first, second] == [200, 200])
        #expect(appInterceptor.credential?.refresh == "r2")
    }

    @Test("the documentation's policy retries a request with GET after 503 or a timeout")
    func policy() {
        let selective = RetryPolicy(
            retryLimit: 2,
            exponentialBackoffScale: 0.5,
            retryableHTTPMethods: [.get],
            retryableHTTPStatusCodes: [503],
            retryableURLErrorCodes: [.timedOut]
        )
        #expect(selective.retryLimit == 2)

        let likeAWS = RetryPolicy(budget: .quota())
        let likeGRPC = RetryPolicy(budget: .throttling(maximumTokens: 10, tokenRatio: 0.1))
        let withoutLimit = RetryPolicy(budget: nil)
        #expect((1...100).count { _ in likeAWS.budget?.withdraw() == true } == 35)
        #expect((1...100).count { _ in likeGRPC.budget?.withdraw() == true } == 4)
        #expect(withoutLimit.budget == nil)
    }

    @Test("the documentation's options of a download replace a file and resume")
    func options() throws {
        let file = URL(fileURLWithPath: "/tmp/report.pdf")
        let options: DownloadRequest.Options = [.removePreviousFile, .resumesWhenInterrupted]
        let task: HTTPTask = .download(to: file, options: options)
        guard case .downloadDestination(let destination) = task else { return #expect(Bool(false), "\(task)") }
        let response = HTTPURLResponse(url: file, statusCode: 200, httpVersion: nil, headerFields: nil)
        #expect(destination(file, try #require(response)).options == options)
    }

    @Test("the documentation's pattern catches the error of a request in the closure of a task")
    func closure() async {
        let provider = MoyaProvider<GitHub>(
            session: Session(FakeTransport { _ in throw URLError(.timedOut) })
        )
        let printed = Promise<String>()
        @Sendable func print(_ item: any CustomStringConvertible & Sendable) { printed.fulfill(item.description) }
        _Concurrency.Task {  // or Task in Swift 6 mode
            do {
                print(try await provider.request(.user).mapString())
            } catch let error as MoyaError {
                print(error.statusCode ?? 0)
            }
        }
        #expect(await printed.wait() == "0")
    }
}
