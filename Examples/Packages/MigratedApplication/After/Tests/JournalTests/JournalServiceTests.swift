import Foundation
import MoyaTesting
import Testing

@testable import Journal

struct JournalServiceTests {
    /// Returns a service whose requests get this response, or the sample data.
    private func makeService(plugins: [PluginType] = [], _ sample: EndpointSampleResponse? = nil) -> JournalService {
        let manager = NetworkManager(
            stubClosure: MoyaProvider.immediatelyStub,
            sampleResponseClosure: { target in sample ?? .networkResponse(200, target.sampleData) },
            plugins: plugins
        )
        return JournalService(manager: manager)
    }

    @Test func entriesAreDecoded() async throws {
        let entry = try await makeService().entries(page: 1).first
        #expect(entry?.title == "Sunset")
        #expect(entry?.createdAt == Date(timeIntervalSince1970: 1_622_577_600))
    }

    @Test func loginStoresTokens() async throws {
        let manager = NetworkManager(stubClosure: MoyaProvider.immediatelyStub, plugins: [])
        try await JournalService(manager: manager).login(name: "ash", password: "secret")
        #expect(manager.authentication.credential?.accessToken == "sample")
    }

    @Test(
        arguments: [
            (.networkResponse(401, Data()), .signedOut),
            (.networkResponse(422, Data(#"{"message": "No title."}"#.utf8)), .server(message: "No title.")),
            (.networkResponse(200, Data("no JSON".utf8)), .unexpected),
            (.networkError(NSError(domain: NSURLErrorDomain, code: NSURLErrorNotConnectedToInternet)), .offline),
        ] as [(EndpointSampleResponse, JournalError)]
    )
    func errorsAreMapped(sample: EndpointSampleResponse, expected: JournalError) async {
        await #expect(throws: expected) { try await makeService(sample).create(EntryDraft(title: "", text: "")) }
    }

    @Test @MainActor func uploadReportsProgressAndActivity() async throws {
        let (activity, continuation) = AsyncStream.makeStream(of: Bool.self)
        let plugin = RequestCountPlugin { continuation.yield($0) }
        let entry = Entry(id: 1, title: "Sunset", createdAt: Date())
        var parts: [Double] = []
        try await makeService(plugins: [plugin]).upload(photo: Data([0xFF, 0xD8]), for: entry) { parts.append($0) }
        continuation.finish()
        #expect(parts.last == 1)
        var changes: [Bool] = []
        for await change in activity { changes.append(change) }
        #expect(changes == [true, false])
    }

    @Test func requestWithoutTokensIsNotSent() async throws {
        let transport = ScriptedTransport()
        let service = JournalService(manager: NetworkManager(session: Session(transport: transport), plugins: []))
        await #expect(throws: JournalError.signedOut) { try await service.entries(page: 1) }
        try transport.requests.expectNone()
    }

    @Test func refusedTokenIsRefreshed() async throws {
        let tokens = ["access_token": "new", "refresh_token": "next"] as JSONLiteral
        let transport = ScriptedTransport()
            .on(.post, "/api/login", .json(["access_token": "old", "refresh_token": "first"]))
            .on(.get, "/api/entries", .status(401), .json(["data": ["entries": []]]), .noMore)
            .on(.post, "/api/refresh", .json(tokens), .noMore)
        let service = JournalService(manager: NetworkManager(session: Session(transport: transport), plugins: []))

        try await service.login(name: "ash", password: "secret")
        #expect(try await service.entries(page: 1).isEmpty)

        try transport.requests.expect(
            inOrder: .post("/api/login").json(["name": "ash", "password": "secret"]),
            .get("/api/entries?page=1").header("Authorization", "Bearer old").header("X-App-Version", "3.2"),
            .post("/api/refresh").json(["refresh_token": "first"]).without(header: "Authorization"),
            .get("/api/entries?page=1").header("Authorization", "Bearer new")
        )
        try transport.finish()
    }
}
