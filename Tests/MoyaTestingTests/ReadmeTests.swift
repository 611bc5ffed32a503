import Foundation
import Moya
import MoyaHAR
import MoyaTesting
import TestSupport
import Testing

// This file contains the documentation's code about tests.

struct User: Codable, Equatable {
    var name: String
    var age: Int
}

enum GitHub: TargetType, Equatable {
    case zen
    case user
    case create(User)
    var baseURL: URL { URL(string: "https://api.github.com")! }
    var path: String {
        switch self {
        case .zen: "zen"
        case .user: "users/octocat"
        case .create: "users"
        }
    }
    var method: Moya.Method { if case .create = self { .post } else { .get } }
    var task: HTTPTask { if case .create(let user) = self { .requestJSONEncodable(user) } else { .requestPlain } }
    var headers: [String: String]? { nil }
    var sampleData: Data { Data("Keep it simple.".utf8) }
}

@Suite("The documentation's examples of recordings run")
struct ReadmeTests {
    @Test("the documentation's example of a recorder in an application runs")
    func recorder() async throws {
        /// A provider whose requests are stubbed.
        struct MoyaProvider<Target: TargetType> {
            let session: Session
            func request(_ target: Target) async throws -> Moya.Response {
                try await Moya.MoyaProvider<Target>(
                    stubClosure: Moya.MoyaProvider.immediatelyStub,
                    session: session
                ).request(target)
            }
        }
        let folder = try TemporaryFolder()
        let recording = folder.file("zen.har")
        let recorder = HARRecorder(over: Session.default.transport)
        let recordedProvider = MoyaProvider<GitHub>(session: Session(transport: recorder))
        _ = try await recordedProvider.request(.zen)
        try recorder.har.write(to: recording)
        #expect(try HAR(contentsOf: recording).entries.isEmpty)
    }

    @Test("the documentation's example of recordings and of stubs from recordings runs")
    func recordings() async throws {
        let folder = try TemporaryFolder()
        let recording = folder.file("zen.har")
        try HAR.texts(["https://api.github.com/zen": "Keep it logically awesome."]).write(to: recording)

        let recorded = try HARTransport(file: recording)
        let replaying = MoyaProvider<GitHub>(session: Session(transport: recorded))
        #expect(try await replaying.request(.zen).mapString() == "Keep it logically awesome.")
        try recorded.finish()

        let stubs = HARStubs(recording)
        let demo = MoyaProvider<GitHub>(
            endpointClosure: stubs.endpointClosure,
            stubClosure: MoyaProvider.immediatelyStub
        )
        #expect(try await demo.request(.zen).mapString() == "Keep it logically awesome.")
    }
}

@Suite("The documentation's examples of tests without a network run")
struct ReadmeScriptTests {
    @Test("the documentation's example of a target's sample data runs")
    func stub() async throws {
        let stubbed = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub)
        #expect(try await stubbed.request(.zen).mapString() == "Keep it simple.")
    }

    @Test("the documentation's example of responses, faults and captured requests runs")
    func script() async throws {
        let transport = ScriptedTransport()
            .on(GitHub.zen, .status(503).after(seconds: 0.2), .text("Keep it simple."), .noMore)
            .on(.get, "/users/*", .json(["login": "octocat"]).truncated(at: 10))
            .on(.post, "/users", .status(201))
        let session = Session(transport: transport, interceptor: RetryPolicy(exponentialBackoffScale: 0.01))
        let provider = MoyaProvider<GitHub>(session: session)

        #expect(try await provider.request(.zen).mapString() == "Keep it simple.")
        await #expect(throws: MoyaError.self) { try await provider.request(.user) }  // networkConnectionLost
        _ = try await provider.request(.create(User(name: "Ann", age: 36)))

        let request = try transport.requests.expect(.post("/users").json(including: ["name": "Ann"]))
        #expect(request.target as? GitHub == .create(User(name: "Ann", age: 36)))
        try transport.requests.expectNone(.delete())
        try transport.finish()
    }

    @Test("the documentation's fault injector sends the requests of other hosts unchanged, and can be turned off")
    func faults() async throws {
        let faults = FaultInjector(
            .error(.networkConnectionLost, rate: 0.02),
            .status(503, rate: 0.05),
            .delay(.seconds(1)...(.seconds(3)), rate: 0.1),
            .truncation(at: 100, rate: 0.01),
            .slowBody(bytesPerSecond: 1_000, rate: 0.01),
            .response(.stall, rate: 0.005),
            where: { $0.url.host == "staging.example.com" }
        )
        let transport = ScriptedTransport().on(where: { _ in true }, .text("Keep it simple."))
        let staging = Session(
            transport: transport,
            interceptor: RetryPolicy(),
            exchangeMiddleware: [faults]
        )
        let provider = MoyaProvider<GitHub>(session: staging)
        #expect(faults.isEnabled)
        #expect(faults.faults.map(\.rate) == [0.02, 0.05, 0.1, 0.01, 0.01, 0.005])
        for _ in 1...50 { #expect(try await provider.request(.zen).mapString() == "Keep it simple.") }
        faults.isEnabled = false
        var request = URLRequest(url: try #require(URL(string: "https://staging.example.com/")))
        request.timeoutInterval = 5
        for _ in 1...50 { #expect(try await staging.data(for: request).statusCode == 200) }
        #expect(transport.requests.count == 100)
    }

    private struct PhotoUpload: TargetType {
        let baseURL = URL(string: "https://api.example.com")!
        let path = "photos"
        let method = Moya.Method.post
        let headers: [String: String]? = nil
        var task: HTTPTask {
            let photo = MultipartFormData.FormDataProvider.data(Data([0xFF]))
            return .uploadMultipart([
                MultipartFormData(provider: photo, name: "photo", fileName: "sunset.jpg", mimeType: "image/jpeg")
            ])
        }
    }

    @Test("the documentation's example of a check of an uploaded part runs")
    func uploadedPart() async throws {
        let transport = ScriptedTransport().on(.post, "/photos", .status(201))
        let photos = MoyaProvider<PhotoUpload>(session: Session(transport: transport))
        #expect(try await photos.request(PhotoUpload()).statusCode == 201)
        let upload = try transport.requests.expect(.post("/photos"))
        let photo = upload.parts.first { $0.name == "photo" }
        #expect(photo?.fileName == "sunset.jpg")
        #expect(photo?.contentType == "image/jpeg")
    }
}

struct RefreshTests {
    @Test func refresh() async throws {
        let tokenURL = URL(string: "https://auth.example.com/token")!
        let transport = ScriptedTransport()
            .on(GitHub.zen, .status(401), .text("Keep it simple."), .noMore)
            .on(.post, tokenURL.absoluteString, .json(["access_token": "new", "token_type": "bearer"]), .noMore)
        let interceptor = AuthenticationInterceptor(
            authenticator: OAuth2Authenticator(
                tokenURL: tokenURL,
                client: .public(id: "app"),
                origins: [GitHub.zen.baseURL]
            ),
            credential: OAuth2Credential(accessToken: "old", refreshToken: "refresh")
        )
        let provider = MoyaProvider<GitHub>(session: Session(transport: transport, interceptor: interceptor))

        #expect(try await provider.request(.zen).mapString() == "Keep it simple.")
        #expect(interceptor.credential?.accessToken == "new")
        try transport.requests.expect(
            inOrder: .target(GitHub.zen).header("Authorization", "Bearer old"),
            .post(tokenURL.absoluteString).form("refresh_token", "refresh"),
            .target(GitHub.zen).header("Authorization", "Bearer new")
        )
        try transport.finish()
    }

    @Test func refreshTogether() async throws {
        let tokenURL = URL(string: "https://auth.example.com/token")!
        let transport = ScriptedTransport()
            .on(where: { $0.headers[.authorization] == "Bearer old" }, .status(401))
            .on(GitHub.zen, .text("Keep it simple."))
            .on(.post, tokenURL.absoluteString, .json(["access_token": "new", "token_type": "bearer"]), .noMore)
        let interceptor = AuthenticationInterceptor(
            authenticator: OAuth2Authenticator(
                tokenURL: tokenURL,
                client: .public(id: "app"),
                origins: [GitHub.zen.baseURL]
            ),
            credential: OAuth2Credential(accessToken: "old", refreshToken: "refresh")
        )
        let provider = MoyaProvider<GitHub>(session: Session(transport: transport, interceptor: interceptor))
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await provider.request(.zen).mapString() } }
            for try await text in group { #expect(text == "Keep it simple.") }
        }
        try transport.finish()
    }
}
