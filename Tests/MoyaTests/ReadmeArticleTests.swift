import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// This file has the lines of the Swift blocks in the articles of Documentation that no other file has, and the tests run them.

/// The namespace of the articles' tests.
enum ReadmeArticles {
    /// The provider of the articles' examples, without a network.
    final class MoyaProvider<Target: TargetType>: Moya.MoyaProvider<Target>, @unchecked Sendable {
        init(
            endpointClosure: @escaping EndpointClosure = MoyaProvider.defaultEndpointMapping,
            requestClosure: @escaping RequestClosure = MoyaProvider.defaultRequestMapping,
            stubClosure: @escaping StubClosure = MoyaProvider.immediatelyStub,
            callbackQueue: DispatchQueue? = nil,
            session: Session = .default,
            plugins: [any PluginType] = [],
            trackInflights: Bool = false,
            interceptor: (any RequestInterceptor)? = nil
        ) {
            super.init(
                endpointClosure: endpointClosure,
                requestClosure: requestClosure,
                stubClosure: stubClosure,
                callbackQueue: callbackQueue,
                session: session,
                plugins: plugins,
                trackInflights: trackInflights,
                interceptor: interceptor,
                clock: ContinuousClock()
            )
        }
    }

    struct User: Decodable { var login: String }
}

extension ReadmeArticles {
    @Suite("The example of the article for beginners runs")
    struct GettingStartedTests {
        enum GitHub: TargetType {
            case user(name: String)
            case repositories(text: String, page: Int)

            var baseURL: URL { URL(string: "https://api.github.com")! }
            var path: String {
                switch self {
                case .user(let name): "users/\(name)"
                case .repositories: "search/repositories"
                }
            }
            var method: Moya.Method { .get }
            var task: HTTPTask {
                switch self {
                case .user: .requestPlain
                case .repositories(let text, let page):
                    .requestParameters(parameters: ["q": text, "page": page], encoding: URLEncoding.default)
                }
            }
            var headers: [String: String]? { ["Accept": "application/vnd.github+json"] }
            var sampleData: Data { Data(#"{"login": "octocat"}"#.utf8) }
        }

        @Test("the article's target is sent and decoded, and its error is handled")
        func send() async throws {
            var printed: [String] = []
            func print(_ text: String) { printed.append(text) }
            do {
                let provider = MoyaProvider<GitHub>()
                let response = try await provider.request(.user(name: "octocat")).filterSuccessfulStatusCodes()
                print(try response.map(User.self).login)
                let search = try provider.endpoint(.repositories(text: "moya", page: 2)).urlRequest()
                #expect(search.url?.absoluteString == "https://api.github.com/search/repositories?page=2&q=moya")
            }
            let provider = MoyaProvider<GitHub>(
                stubClosure: MoyaProvider.neverStub,
                session: Session(FakeTransport { _ in TransportResponse(status: 404) })
            )
            do {
                let response = try await provider.request(.user(name: "nobody")).filterSuccessfulStatusCodes()
                print(try response.map(User.self).login)
            } catch {
                print(error.statusCode == 404 ? "There is no such user." : error.localizedDescription)
            }
            #expect(printed == ["octocat", "There is no such user."])
        }

        @Test("the article's stub has the sample data")
        func stub() async throws {
            let stubbed = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub)
            let sample = try await stubbed.request(.user(name: "octocat")).map(User.self)
            print(sample.login)  // octocat
            #expect(sample.login == "octocat")
        }
    }

    @Suite("The example of the article about targets runs")
    struct TargetTests {
        enum Shop: TargetType {
            case products(page: Int?)
            case order(id: Int)
            case create(Order)
            case delete(id: Int)

            var baseURL: URL { URL(string: "https://api.example.com/v1")! }
            var path: String {
                switch self {
                case .products: "products"
                case .order(let id), .delete(let id): "orders/\(id)"
                case .create: "orders"
                }
            }
            var method: Moya.Method {
                switch self {
                case .products, .order: .get
                case .create: .post
                case .delete: .delete
                }
            }
            var task: HTTPTask {
                switch self {
                case .products(let page): .requestParameters(parameters: ["page": page], encoding: URLEncoding.default)
                case .order, .delete: .requestPlain
                case .create(let order): .requestJSONEncodable(order)
                }
            }
            var headers: [String: String]? { ["Accept": "application/json"] }
            var validationType: ValidationType { .successCodes }
            var sampleData: Data { Data(#"{"products": [1, 2]}"#.utf8) }
        }

        struct Order: Codable { var products: [Int] }

        @Test("the article's target creates its requests")
        func shop() async throws {
            let shop = MoyaProvider<Shop>()
            let order = try await shop.request(.create(Order(products: [1, 2]))).map(Order.self)
            #expect(order.products == [1, 2])
            let page = try shop.endpoint(.products(page: nil)).urlRequest()
            #expect(page.url?.absoluteString == "https://api.example.com/v1/products")
            #expect(try shop.endpoint(.delete(id: 7)).urlRequest().httpMethod == "DELETE")
            #expect(try shop.endpoint(.order(id: 7)).urlRequest().url?.path == "/v1/orders/7")
        }
    }

    @Suite("The examples of the articles about endpoints and providers run")
    struct ProviderTests {
        @Test("the article's endpoint closures add a header, replace the base URL and return another sample")
        func endpoints() async throws {
            let provider = MoyaProvider<GitHub>(
                endpointClosure: { target in
                    MoyaProvider<GitHub>.defaultEndpointMapping(for: target)
                        .adding(newHTTPHeaderFields: ["X-GitHub-Api-Version": "2022-11-28"])
                }
            )
            let response = try await provider.request(.zen)
            #expect(response.request?.value(forHTTPHeaderField: "X-GitHub-Api-Version") == "2022-11-28")

            let staging = URL(string: "https://staging.example.com")!
            let onStaging = MoyaProvider<GitHub>(endpointClosure: MoyaProvider.endpoints(at: staging))
            #expect(onStaging.endpoint(.zen).url == "https://staging.example.com/zen")

            let failing = MoyaProvider<GitHub>(
                endpointClosure: { target in
                    Endpoint(
                        url: URL(target: target).absoluteString,
                        sampleResponseClosure: { .networkResponse(503, Data("Try later.".utf8)) },
                        method: target.method,
                        task: target.task,
                        httpHeaderFields: target.headers
                    )
                },
                stubClosure: MoyaProvider.immediatelyStub
            )
            let unavailable = try await failing.request(.zen).statusCode  // 503
            #expect(unavailable == 503)
        }

        @Test("the article's request closure changes the request")
        func requests() async throws {
            let withoutCookies = MoyaProvider<GitHub>(
                requestClosure: { endpoint, done in
                    MoyaProvider<GitHub>.defaultRequestMapping(for: endpoint) { result in
                        done(
                            result.map { request in
                                var request = request
                                request.httpShouldHandleCookies = false
                                return request
                            }
                        )
                    }
                }
            )
            #expect(try await withoutCookies.request(.zen).request?.httpShouldHandleCookies == false)
        }

        struct Status: TargetType {
            var baseURL: URL { URL(string: "https://www.githubstatus.com")! }
            var path: String { "api/v2/status.json" }
            var method: Moya.Method { .get }
            var task: HTTPTask { .requestPlain }
            var headers: [String: String]? { nil }
            var sampleData: Data { Data(#"{"status": {}}"#.utf8) }
        }

        @Test("the article's provider of all targets runs, and equal requests share a response")
        func targets() async throws {
            let all = MoyaProvider<MultiTarget>()
            let wisdom = try await all.request(MultiTarget(GitHub.zen)).mapString()
            let status = try await all.request(MultiTarget(Status())).mapJSON()
            #expect(wisdom == "Half measures are as bad as nothing at all.")
            #expect(status is [String: Any])

            let printed = Recorder<Int?>()
            @Sendable
            func print(_ result: Result<Moya.Response, MoyaError>) { printed.add((try? result.get())?.statusCode) }
            let sharing = MoyaProvider<GitHub>(trackInflights: true)
            for _ in 1...2 {
                sharing.request(.zen) { result in print(result) }  // the same response, twice
            }
            #expect(printed.values == [200, 200])
        }

        @Test("the article's results arrive on a global queue, and a model of the main actor awaits one")
        func threads() async throws {
            let printed = Recorder<Bool>()
            let arrived = Promise<Void>()
            @Sendable
            func print(_ text: String, _ result: Result<Moya.Response, MoyaError>) {
                printed.add(Thread.isMainThread)
                arrived.fulfill(())
            }
            let background = MoyaProvider<GitHub>(callbackQueue: .global(qos: .utility))
            let here = background.request(.zen) { result in print("on a global queue", result) }
            await arrived.wait()
            #expect(printed.values == [false])
            #expect(!here.isCancelled)

            let model = await MainActor.run { Model() }
            try await model.load()
            #expect(await model.wisdom == "Half measures are as bad as nothing at all.")
        }

        @Test("the article's service composes a response on an event loop")
        func eventLoops() async throws {
            guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
            let text = try await Service(gitHub: MoyaProvider<GitHub>()).handleRequest()
            #expect(text == "200 Half measures are as bad as nothing at all.")
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        struct Service {
            let gitHub: MoyaProvider<GitHub>

            func handleRequest() async throws -> String {
                try await withTaskExecutorPreference(gitHub.session.taskExecutors.randomElement()) {
                    async let wisdom = gitHub.request(.zen).mapString()
                    async let status = gitHub.request(.zen).statusCode
                    return try await "\(status) \(wisdom)"
                }
            }
        }

        @MainActor
        final class Model {
            var wisdom = ""
            func load() async throws {
                wisdom = try await MoyaProvider<GitHub>().request(.zen).mapString()
            }
        }
    }

    @Suite("The examples of the articles about authentication, sessions and transports run")
    struct SessionTests {
        @Test("the article's plugins and interceptors send credentials")
        func authentication() async throws {
            @Sendable
            func loadToken() async throws -> String { "token" }
            let interceptor = AccessTokenInterceptor { _ in try await loadToken() }
            let awaiting = MoyaProvider<GitHub>(interceptor: interceptor)
            #expect(awaiting.interceptor is AccessTokenInterceptor)

            let basic = MoyaProvider<GitHub>(plugins: [BasicAuthenticationPlugin(username: "ash", password: "secret")])
            let credentials = CredentialsPlugin { _ in
                URLCredential(user: "ash", password: "secret", persistence: .none)
            }
            let challenged = MoyaProvider<GitHub>(plugins: [credentials])
            let request = try await basic.request(.zen).request
            #expect(request?.value(forHTTPHeaderField: "Authorization") == "Basic YXNoOnNlY3JldA==")
            #expect(try await challenged.request(.zen).statusCode == 200)
        }

        @Test("the article's providers use their sessions")
        func sessions() async throws {
            do {
                let retrying = Session(interceptor: RetryPolicy(retryLimit: 3))
                let provider = MoyaProvider<GitHub>(session: retrying)
                let wisdom = try await provider.request(.zen).mapString()
                #expect(wisdom == "Half measures are as bad as nothing at all.")
            }
            let interceptor = AccessTokenInterceptor { _ in "token" }
            let both = Session(interceptor: Interceptor(interceptors: [RetryPolicy(retryLimit: 3), interceptor]))
            #expect(both.interceptor is Interceptor)
            do {
                let careful = Session(redirectHandler: Redirector(maximumCount: 3, sensitiveHeaders: ["X-Tenant"]))
                let provider = MoyaProvider<GitHub>(session: careful)
                #expect(provider.session === careful)
            }
            do {
                let pinned = Session()
                let provider = MoyaProvider<GitHub>(session: pinned)
                #expect(provider.session === pinned)
            }
            do {
                let identified = Session()
                let provider = MoyaProvider<GitHub>(session: identified)
                #expect(provider.session === identified)
            }
            do {
                let connected = Session()
                let provider = MoyaProvider<GitHub>(session: connected)
                #expect(provider.session === connected)
            }
        }

        @Test("the article's client certificate is refused, because its archive is empty")
        func clientCertificate() {
            let archive = Data()
            #expect(throws: TransportConfigurationError.self) {
                var presenting = TransportConfiguration()
                presenting.clientIdentity = ClientIdentity(pkcs12: archive, passphrase: "secret")
                let identified = Session(transport: try Session.makeTransport(connection: presenting))
                _ = identified
            }
        }

        struct DemoTransport: HTTPTransport {
            let texts: [String: String]

            func send(_ request: TransportRequest) async throws -> TransportResponse {
                guard let text = texts[request.url.path] else { return TransportResponse(status: 404) }
                let body = TransportBody.complete(Data(text.utf8))
                return TransportResponse(status: 200, headers: [.contentType: "text/plain"], body: body)
            }

            func shutdown() async {}
        }

        struct CountingTransport: HTTPTransport {
            let base: any HTTPTransport
            let count: @Sendable () -> Void

            func send(_ request: TransportRequest) async throws -> TransportResponse {
                count()
                return try await base.send(request)
            }
            func preconnect(to url: URL, connections: Int) async throws {
                try await base.preconnect(to: url, connections: connections)
            }
            @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
            var taskExecutors: [any TaskExecutor] { base.taskExecutors }
            var status: TransportStatus? { base.status }
            func shutdown() async { await base.shutdown() }
            func shutdown(grace: Duration) async -> ShutdownResult { await base.shutdown(grace: grace) }
        }

        @Test("the article's transports respond and count")
        func transports() async throws {
            typealias MoyaProvider = Moya.MoyaProvider
            let demo = Session(transport: DemoTransport(texts: ["/zen": "Keep it simple."]))
            let provider = MoyaProvider<GitHub>(session: demo)
            let wisdom = try await provider.request(.zen).mapString()
            #expect(wisdom == "Keep it simple.")
            #expect(try await provider.request(.user).statusCode == 404)

            let printed = Recorder<String>()
            @Sendable func print(_ text: String) { printed.add(text) }
            let counted = Session(transport: CountingTransport(base: demo.transport) { print("sent") })
            #expect(try await MoyaProvider<GitHub>(session: counted).request(.zen).statusCode == 200)
            #expect(printed.values == ["sent"])
        }
    }

    @Suite("The examples of the articles about transfers and performance run")
    struct TransferTests {
        struct UploadPhoto: TargetType {
            var file: URL
            var caption: String
            var baseURL: URL { URL(string: "https://api.example.com")! }
            var path: String { "photos" }
            var method: Moya.Method { .post }
            var task: HTTPTask {
                .uploadMultipart([
                    MultipartFormData(provider: .data(Data(caption.utf8)), name: "caption"),
                    MultipartFormData(provider: .file(file), name: "photo", fileName: "1.jpg", mimeType: "image/jpeg"),
                ])
            }
            var headers: [String: String]? { nil }
        }

        @Test("the article's upload reports its progress")
        func upload() async throws {
            let file = URL(fileURLWithPath: "/tmp/photo.jpg")
            let photos = MoyaProvider<UploadPhoto>()
            let photo = UploadPhoto(file: file, caption: "Sunset")
            let uploaded = try await photos.request(photo).filterSuccessfulStatusCodes()
            #expect(uploaded.statusCode == 200)
            for try await progress in photos.requestWithProgress(photo) {
                print(progress.progress, progress.response?.statusCode ?? 0)
            }
            let whole: HTTPTask = .uploadBody(.file(file), contentType: "image/jpeg")
            let json = Data(#"{"caption": "Sunset"}"#.utf8)
            let bytes: HTTPTask = .uploadBody(.data(json), contentType: "application/json")
            let checksum = HTTPField.Name("X-Checksum")!
            let checked = HTTPBody.file(file).withTrailers([checksum]) { [checksum: "1a2b3c"] }
            let withChecksum: HTTPTask = .uploadBody(checked, contentType: "image/jpeg")
            _ = (whole, bytes, withChecksum)
        }

        struct Item: TargetType {
            var id: Int
            var baseURL: URL { URL(string: "https://api.example.com")! }
            var path: String { "items/\(id)" }
            var method: Moya.Method { .get }
            var task: HTTPTask { .requestPlain }
            var headers: [String: String]? { nil }
            var sampleData: Data { Data("item".utf8) }
        }

        struct Timings: EventMonitor {
            func record(_ event: RequestEvent) { print(event.id, event.kind) }
        }

        @Test("the article's requests run at the same time")
        func together() async throws {
            func sizes(of ids: ClosedRange<Int>) async throws -> [Int] {
                let items = MoyaProvider<Item>()
                return try await withThrowingTaskGroup(of: Int.self) { group in
                    for id in ids { group.addTask { try await items.request(Item(id: id)).data.count } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }
            #expect(try await sizes(of: 1...3) == [4, 4, 4])
            let measured = MoyaProvider<Item>(session: Session(eventMonitors: [Timings()]))
            #expect(measured.session.eventMonitors.count == 1)
        }
    }

    @Suite("The examples of the articles about migration run")
    struct MigrationTests {
        @Test("code for Moya 15 runs")
        func moya15() async {
            enum GitHub: String, TargetType {
                case zen
                var baseURL: URL { URL(string: "https://api.github.com")! }
                var path: String { rawValue }
                var method: Moya.Method { .get }
                var task: Moya.HTTPTask { .requestPlain }  // or Moya.Task in language mode 5
                var headers: [String: String]? { nil }
            }
            let printed = Recorder<Int>()
            @Sendable func print(_ status: Int) { printed.add(status) }
            let provider = MoyaProvider<GitHub>(plugins: [NetworkLoggerPlugin()])
            let token = provider.request(.zen) { result in
                if case .success(let response) = result { print(response.statusCode) }
            }
            #expect(!token.isCancelled)
            #expect(printed.values == [200])
        }

        @Test("a changed target of an older version runs")
        func olderMoya() throws {
            enum GitHub: TargetType {
                case search(text: String)
                var baseURL: URL { URL(string: "https://api.github.com")! }
                var path: String { "search/repositories" }
                var method: Moya.Method { .get }
                // before: parameters and parameterEncoding
                var task: HTTPTask {
                    guard case .search(let text) = self else { return .requestPlain }
                    return .requestParameters(parameters: ["q": text], encoding: URLEncoding.default)
                }
                // since version 10
                var headers: [String: String]? { nil }
                // before: validate
                var validationType: ValidationType { .successCodes }
            }
            // before: MoyaProvider<GitHub>(manager: manager)
            let provider = MoyaProvider<GitHub>(session: .default)
            #expect(try provider.endpoint(.search(text: "moya")).urlRequest().url?.query == "q=moya")
        }

        private enum Session {
            static let `default` = Moya.Session(transport: FakeTransport.text(#"{"login": "octocat"}"#))
        }

        struct GetUser: TypedTargetType {
            typealias Output = User
            var name: String
            var baseURL: URL { URL(string: "https://api.github.com")! }
            var path: String { "users/\(name)" }
            var method: Moya.Method { .get }
            var task: HTTPTask { .requestPlain }
            var headers: [String: String]? { nil }
            var validationType: ValidationType { .successCodes }
            var sampleData: Data { Data(#"{"login": "octocat"}"#.utf8) }
        }

        @Test("code for URLSession runs with a session, and then with a target")
        func urlSession() async throws {
            let request = URLRequest(url: URL(string: "https://api.github.com/users/octocat")!)
            // before: let (data, response) = try await URLSession.shared.data(for: request)
            let response = try await Session.default.data(for: request)
            let user = try JSONDecoder().decode(User.self, from: response.data)
            print(response.statusCode, user.login)
            #expect(user.login == "octocat")

            let octocat = try await MoyaProvider<GetUser>().request(GetUser(name: "octocat"))
            #expect(octocat.login == "octocat")
        }

        struct GitHubRequest<Output: Decodable & Sendable>: TypedTargetType {
            var path: String
            var method: Moya.Method = .get
            var query: [String: any Sendable] = [:]
            var baseURL: URL { URL(string: "https://api.github.com")! }
            var task: HTTPTask { .requestParameters(parameters: query, encoding: URLEncoding.queryString) }
            var headers: [String: String]? { nil }
            var validationType: ValidationType { .successCodes }
            var sampleData: Data { Data(#"{"login": "octocat"}"#.utf8) }
        }

        @Test("a generic target takes the place of Get's requests")
        func get() async throws {
            let client = MoyaProvider<MultiTarget>()
            // before: let user = try await client.send(Request<User>(path: "/users/octocat")).value
            let user = try await client.request(GitHubRequest<User>(path: "users/octocat"))
            #expect(user.login == "octocat")
        }
    }
}
