import Foundation
import MoyaTesting
import Testing

// The README's code about tests.

private enum GitHub: String, TargetType {
    case zen
    case user = "users/octocat"
    var baseURL: URL { URL(string: "https://api.github.com")! }
    var path: String { rawValue }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
}

@Suite("README: recordings")
struct ReadmeTests {
    @Test("answer tests, and the stubs of an application")
    func recordings() async throws {
        let folder = try TemporaryFolder()
        let recording = folder.file("zen.har")
        try HAR.texts(["https://api.github.com/zen": "Keep it logically awesome."]).write(to: recording)

        let transport = try HARTransport(file: recording)
        let provider = MoyaProvider<GitHub>(session: Session(transport: transport))
        #expect(try await provider.request(.zen).mapString() == "Keep it logically awesome.")
        try transport.finish()

        let stubs = HARStubs(recording)
        let demo = MoyaProvider<GitHub>(
            endpointClosure: stubs.endpointClosure,
            stubClosure: MoyaProvider.immediatelyStub
        )
        #expect(try await demo.request(.zen).mapString() == "Keep it logically awesome.")
    }
}

@Suite("README: scripted answers")
struct ReadmeScriptTests {
    @Test("and faults, without a server")
    func script() async throws {
        let transport = ScriptedTransport()
            .on(GitHub.zen, .status(503).after(seconds: 0.2), .text("Keep it simple."), .noMore)
            .on(.get, "/users/*", .json(["login": "octocat"]).truncated(at: 10))
        let session = Session(transport: transport, interceptor: RetryPolicy(exponentialBackoffScale: 0.01))
        let provider = MoyaProvider<GitHub>(session: session)
        #expect(try await provider.request(.zen).mapString() == "Keep it simple.")
        await #expect(throws: MoyaError.self) { try await provider.request(.user) }  // networkConnectionLost
        try transport.finish()
    }
}
