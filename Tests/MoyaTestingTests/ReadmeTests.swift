import Foundation
import MoyaTesting
import Testing

// The README's code about recordings.

private enum GitHub: String, TargetType {
    case zen
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
