import Foundation
import Moya
import TestServers
import Testing

// The README's code: every line of its Swift blocks stands here, is compiled, and runs.

enum GitHub: String, TargetType {
    case zen
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

@Suite("README")
struct ReadmeTests {
    /// The README's provider, without the network.
    private final class MoyaProvider<Target: TargetType>: Moya.MoyaProvider<Target>, @unchecked Sendable {
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

    @Test("ten lines")
    func tenLines() async throws {
        let wisdom = try await MoyaProvider<GitHub>().request(.zen).mapString()
        #expect(wisdom == "Half measures are as bad as nothing at all.")
    }

    @Test("use")
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
        #expect(response.statusCode == 200)
    }

    @Test("stubs")
    func stubs() async throws {
        let provider = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub)
        #expect(try await provider.request(.zen).data == GitHub.zen.sampleData)
    }

    @Test("plugins")
    func plugins() async throws {
        let provider = MoyaProvider<GitHub>(plugins: [AccessTokenPlugin { _ in "token" }])
        let request = try await provider.request(.zen).request
        #expect(request?.value(forHTTPHeaderField: "Authorization") == "Bearer token")
    }

    @Test("sessions")
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

    @Test("every line of the README's Swift blocks stands in this file")
    func lines() throws {
        let file = URL(fileURLWithPath: #filePath)
        let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        func lines(_ text: String) -> [String] {
            text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let here = Set(lines(try String(contentsOf: file, encoding: .utf8)))
        let blocks = readme.components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
        #expect(blocks.count >= 5)
        for line in blocks.flatMap(lines) where !line.isEmpty {
            #expect(here.contains(line), "\(line)")
        }
    }
}
