import Foundation
import Moya
import TestServers
import TestSupport
import Testing

// This file has the lines of the Swift blocks in the README and in Documentation that no other file has, and the tests run them.

enum GitHub: String, TargetType {
    case zen
    case user
    var baseURL: URL { URL(string: "https://api.github.com")! }
    var path: String { rawValue }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
}

extension GitHub {
    var sampleData: Data { Data("Half measures are as bad as nothing at all.".utf8) }
}

extension GitHub: AccessTokenAuthorizable {
    var authorizationType: AuthorizationType? { .bearer }
}

@Suite("The examples of the README and the documentation run")
struct ReadmeTests {
    /// The provider of the documentation's examples, without a network.
    final class MoyaProvider<Target: TargetType>: Moya.MoyaProvider<Target>, @unchecked Sendable {
        init(
            stubClosure: @escaping StubClosure = MoyaProvider.immediatelyStub,
            session: Session = .default,
            plugins: [any PluginType] = []
        ) {
            super.init(
                endpointClosure: MoyaProvider.defaultEndpointMapping,
                requestClosure: MoyaProvider.defaultRequestMapping,
                stubClosure: stubClosure,
                callbackQueue: nil,
                session: session,
                plugins: plugins,
                trackInflights: false
            )
        }
    }

    @Test("the README's example in ten lines runs")
    func tenLines() async throws {
        let wisdom = try await MoyaProvider<GitHub>().request(.zen).mapString()
        #expect(wisdom == "Half measures are as bad as nothing at all.")
    }

    @Test("the README's example of requests runs")
    func use() async throws {
        let provider = MoyaProvider<GitHub>()

        let token = provider.request(.zen) { result in
            switch result {
            case .success(let response): print(response.statusCode)
            case .failure(let error): print(error.localizedDescription)
            }
        }
        token.cancel()

        let response = try await provider.request(.zen).filterSuccessfulStatusCodes()
        let elsewhere = provider.request(.zen, callbackQueue: .global()) { result in print(result) }
        elsewhere.cancel()
        #expect(response.statusCode == 200)
    }

    @Test("the documentation's example of stubs runs")
    func stubs() async throws {
        let provider = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub)
        #expect(try await provider.request(.zen).data == GitHub.zen.sampleData)
    }

    @Test("the documentation's plugin example runs")
    func plugins() async throws {
        let provider = MoyaProvider<GitHub>(plugins: [AccessTokenPlugin { _ in "token" }])
        let request = try await provider.request(.zen).request
        #expect(request?.value(forHTTPHeaderField: "Authorization") == "Bearer token")
    }

    @Test("the documentation's example of uploads runs", .unlessURLSessionOnLinux)
    func uploads() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).txt")
        try Data("a photo".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let recording = AsyncStream<Data> { continuation in
            continuation.yield(Data("sound".utf8))
            continuation.finish()
        }

        let photo: HTTPTask = .uploadMultipart([
            MultipartFormData(provider: .data(Data("Ash".utf8)), name: "name"),
            MultipartFormData(provider: .file(file), name: "photo"),
        ])
        let samples: HTTPTask = .uploadBody(.sequence(recording), contentType: "application/octet-stream")
        let small: HTTPTask = .gzipped(.requestJSONEncodable(["a": 1]))
        let search: HTTPTask = .requestFormEncodable(["text": "moya"], destination: .queryString)
        let page: Int? = nil
        let found: HTTPTask = .requestParameters(
            parameters: ["q": "moya", "page": page],
            encoding: URLEncoding.default
        )

        let echoes = try await (echo(photo), echo(samples), echo(small), echo(search))
        #expect(echoes.0.body.contains("a photo"))
        #expect(echoes.1.body == "sound")
        #expect(echoes.2.headers["content-encoding"] == "gzip")
        #expect(echoes.3.uri == "/echo?text=moya")
        #expect(try await echo(found).body == "q=moya")
    }

    private func echo(_ task: HTTPTask) async throws -> PlainServer.Echo {
        try await PlainServer.run { server in
            let provider = Moya.MoyaProvider<SomeTarget>(
                endpointClosure: { target in
                    Endpoint(
                        url: server.url("/echo").absoluteString,
                        sampleResponseClosure: { .networkResponse(200, Data()) },
                        method: .post,
                        task: task
                    )
                }
            )
            return try await provider.request(SomeTarget()).map(PlainServer.Echo.self)
        }
    }

    @Test("the documentation's example of downloads runs")
    func downloads() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("file")

        let task: HTTPTask = .download(to: file, options: [.removePreviousFile, .resumesWhenInterrupted])
        let named: HTTPTask = .downloadDestination(DownloadRequest.suggestedDownloadDestination(in: folder))

        try await PlainServer.run { server in
            for task in [task, named] {
                let provider = Moya.MoyaProvider<SomeTarget>(
                    endpointClosure: { target in
                        Endpoint(
                            url: server.url("/bytes/1000").absoluteString,
                            sampleResponseClosure: { .networkResponse(200, Data()) },
                            method: .get,
                            task: task
                        )
                    }
                )
                let response = try await provider.request(SomeTarget())
                #expect(response.data.isEmpty)
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["1000", "file"])
        #expect(try Data(contentsOf: file).count == 1_000)
    }

    @Test("the documentation's example of progress runs")
    func progress() async throws {
        let provider = MoyaProvider<GitHub>()
        for try await progress in provider.requestWithProgress(.zen) {
            print(progress.progress, progress.response?.statusCode ?? 0)
        }
    }

    @Test("the documentation's example of trailers runs")
    func trailers() async throws {
        let provider = MoyaProvider<GitHub>()
        let whole = try await provider.request(.zen)
        print(whole.trailers["Server-Timing"] ?? "none")

        let pieces = try await provider.stream(.zen)
        for try await chunk in pieces.body { print(chunk.count) }
        // They are nil until the body has been read to its end.
        print(pieces.trailers?["Server-Timing"] ?? "none")
        #expect(pieces.trailers?.isEmpty == true)
    }

    @Test("the documentation's example of the HTTP version and the addresses runs")
    func info() async throws {
        let provider = MoyaProvider<GitHub>()
        let zen = try await provider.request(.zen)
        print(zen.info?.httpVersion ?? "unknown", zen.info?.reasonPhrase ?? "none")
        if let address = zen.info?.remoteAddress { print(address.ipAddress, address.port) }
        // The provider of these tests has stubs.
        #expect(zen.info == nil)

        let transport = FakeTransport { _ in
            var response = TransportResponse(status: 200)
            response.info = ResponseInfo(httpVersion: "HTTP/3", reasonPhrase: "Fine")
            return response
        }
        let live = Moya.MoyaProvider<GitHub>(session: Session(transport: transport))
        #expect(try await live.request(.zen).info == ResponseInfo(httpVersion: "HTTP/3", reasonPhrase: "Fine"))
        #expect(try await live.stream(.zen).response.info?.httpVersion == "HTTP/3")
    }

    @Test("the documentation's example of streams runs")
    func streams() async throws {
        let provider = MoyaProvider<GitHub>()
        let stream = try await provider.stream(.zen)
        for try await line in stream.lines { print(line) }
        #expect(stream.statusCode == 200)
        do {
            let provider = eventsProvider(status: 204)
            for try await event in provider.events(.events) { print(event.id, event.data) }
            let patient = ReconnectionPolicy(reconnectsAfterServerErrors: true)
            for try await event in provider.events(.events, reconnection: patient) { print(event.event, event.data) }
        }
    }

    @Test("the documentation's example of the end of events runs")
    func endOfEvents() async {
        struct APIFailure: Decodable, Error { var message: String }
        for (status, text) in [(204, "The server has ended the events."), (404, "404 No such events.")] {
            var printed: [String] = []
            func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
            let provider = eventsProvider(status: status, body: #"{"message": "No such events."}"#)
            do {
                for try await event in provider.events(.events) { print(event.data) }
                print("The server has ended the events.")  // 204
            } catch {
                let failure = try? error.response?.map(APIFailure.self)
                print(error.statusCode ?? 0, failure?.message ?? error.localizedDescription)
            }
            #expect(printed == [text])
        }
    }

    /// Returns a provider whose stubs have this status and this body.
    private func eventsProvider(status: Int, body: String = "") -> Moya.MoyaProvider<EventsTarget> {
        Moya.MoyaProvider<EventsTarget>(
            endpointClosure: { target in
                Endpoint(
                    url: "http://127.0.0.1:9/events",
                    sampleResponseClosure: { .networkResponse(status, Data(body.utf8)) },
                    method: .get,
                    task: .requestPlain
                )
            },
            stubClosure: MoyaProvider.immediatelyStub
        )
    }

    private enum EventsTarget: String, TargetType {
        case zen, events
        var baseURL: URL { URL(fileURLWithPath: "/") }
        var path: String { rawValue }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
        var validationType: ValidationType { .successCodes }
    }

    @Test("the documentation's example of sessions runs")
    func sessions() async throws {
        let configuration = URLSessionConfiguration.default
        configuration.headers = .default
        configuration.timeoutIntervalForRequest = 10
        let session = Session(configuration: configuration, startRequestsImmediately: false)
        let provider = MoyaProvider<GitHub>(session: session)
        #expect(provider.session === session)
        try await PlainServer.run { server in
            let response = try await session.data(for: URLRequest(url: server.url("/json")))
            #expect(response.statusCode == 200)
        }
    }

    // Manifests, imports, lines with a file of the reader, and blocks whose packages are behind a trait that is off by default, are exempt.
    // scripts/check/blocks compiles the blocks as they are printed.
    @Test("every line of the Swift blocks in README and Documentation is in one of the test files that run them")
    func lines() throws {
        let file = URL(fileURLWithPath: #filePath)
        let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let folder = root.appendingPathComponent("Documentation")
        let articles = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "md" }
        #expect(articles.count > 5)
        let documents = try ([root.appendingPathComponent("README.md")] + articles).map {
            try String(contentsOf: $0, encoding: .utf8)
        }
        func lines(_ text: String) -> [String] {
            text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let others = [
            "MoyaTests/ReadmeSessionTests.swift", "MoyaTests/ReadmeResponseTests.swift",
            "MoyaTests/ReadmeTypedTests.swift", "MoyaTests/ReadmeCachingTests.swift",
            "MoyaTests/ReadmeArticleTests.swift", "MoyaAlamofireTests/ReadmeTests.swift",
            "CombineMoyaTests/ReadmeTests.swift", "RxMoyaTests/ReadmeTests.swift",
            "ReactiveMoyaTests/ReadmeTests.swift",
            "MoyaTestingTests/ReadmeTests.swift", "MoyaTestingTests/ReadmeResilienceTests.swift",
            "MoyaTestingTests/ReadmeFallbackTests.swift",
            "MoyaMacrosTests/ReadmeTests.swift", "MoyaMacrosTests/ReadmeClientTests.swift",
            "MoyaTests/ReadmeRecipeTests.swift", "MoyaTests/ReadmeExtendingTests.swift",
            "MoyaTests/ReadmePaginationTests.swift", "MoyaTests/ReadmeTimingsTests.swift",
            "MoyaTests/ReadmeWebSocketTests.swift", "MoyaTestingTests/ReadmeWebSocketTests.swift",
            "MoyaMacrosTests/Clients/ProfileTests.swift", "MoyaMacrosTests/Clients/WebSocketTests.swift",
            "CombineMoyaTests/WebSocketPublisherTests.swift",
        ]
        let files = [file] + others.map { root.appendingPathComponent("Tests/\($0)") }
        let here = Set(try files.flatMap { lines(try String(contentsOf: $0, encoding: .utf8)) })
        let blocks = documents.flatMap { document in
            document.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        }.filter { !$0.contains("import PackageDescription") && !$0.contains("import MoyaObservability") }
        #expect(blocks.count >= 25)
        let isExempt = { (line: String) in
            line.isEmpty || line.hasPrefix("import ") || line.contains("URL(fileURLWithPath:")
        }
        for line in blocks.flatMap(lines) where !isExempt(line) {
            let isHere = here.contains(line)
            #expect(isHere, "\(line)")
        }
    }
}
