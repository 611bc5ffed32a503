#if Macros
import Foundation
import MoyaMacros
import TestServers
import Testing

@testable import moya_cli

@Suite("The handwritten and the generated API of the demo send the same requests", .timeLimit(.minutes(5)))
struct DemoBytesTests {
    /// One call in both forms.
    struct Call: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var byHand: @Sendable (Ways) async throws -> Void
        var byMacro: @Sendable (Ways) async throws -> Void

        init(
            _ name: String,
            _ byHand: @escaping @Sendable (Ways) async throws -> Void,
            _ byMacro: @escaping @Sendable (Ways) async throws -> Void
        ) {
            (testDescription, self.byHand, self.byMacro) = (name, byHand, byMacro)
        }
    }

    /// The handwritten and the generated API, with one server.
    struct Ways: Sendable {
        let github: MoyaProvider<GitHub>
        let bytes: MoyaProvider<Bytes>
        let hub: DemoHubClient
        let demoBytes: DemoBytesClient
        let file: URL

        init(baseURL: URL, session: Session, file: URL) {
            let plugins: [any PluginType] = [AccessTokenPlugin { _ in DemoData.token }]
            github = MoyaProvider(
                endpointClosure: MoyaProvider.endpoints(at: baseURL, encoder: nil),
                session: session,
                plugins: plugins
            )
            bytes = MoyaProvider(
                endpointClosure: MoyaProvider.endpoints(at: baseURL, encoder: nil),
                session: session
            )
            hub = DemoHubClient(baseURL: baseURL, session: session, plugins: plugins)
            demoBytes = DemoBytesClient(baseURL: baseURL, session: session)
            self.file = file
        }
    }

    @Test("the handwritten and the generated API send the same bytes for every call", arguments: Self.calls)
    func sameBytes(call: Call) async throws {
        let server = try await ReactingServer()
        let session = Session(configuration: .withDefaultHeaders)
        try await TemporaryFolder.use { folder in
            let file = folder.appendingPathComponent("file.bin")
            try Data((0..<1_000).map { UInt8($0 % 251) }).write(to: file)
            let ways = Ways(baseURL: server.url(""), session: session, file: file)
            // The server responds to everything with "ok", which is an error for some calls.
            try? await call.byHand(ways)
            try? FileManager.default.removeItem(at: folder.appendingPathComponent("there.bin"))
            try? await call.byMacro(ways)
            let requests = server.requests.map { Wire($0) }
            #expect(requests.count == 2)
            #expect(requests.first == requests.last)
            #expect(requests.first?.head.isEmpty == false)
        }
        await session.transport.shutdown()
        await server.shutDown()
    }

    static let draft = IssueDraft(title: "A title", body: "")

    /// Returns the destination of a download.
    private static func there(_ ways: Ways) -> URL {
        ways.file.deletingLastPathComponent().appendingPathComponent("there.bin")
    }

    static let calls = [
        Call("zen", { _ = try await $0.github.request(.zen) }, { _ = try await $0.hub.zen() }),
        Call(
            "userProfile",
            { _ = try await $0.github.request(.userProfile("ash furrow@ü")) },
            { _ = try await $0.hub.userProfile("ash furrow@ü") }
        ),
        Call(
            "userRepositories",
            { _ = try await $0.github.request(.userRepositories("ashfurrow")) },
            { _ = try await $0.hub.userRepositories("ashfurrow") }
        ),
        Call(
            "branches",
            { _ = try await $0.github.request(.branches("Moya", true)) },
            { _ = try await $0.hub.branches("Moya", protected: true) }
        ),
        Call(
            "createIssue",
            { _ = try await $0.github.request(.createIssue(owner: "Moya", repo: "Moya", draft)) },
            { _ = try await $0.hub.createIssue(owner: "Moya", repo: "Moya", draft: draft) }
        ),
        Call(
            "currentUser",
            { _ = try await $0.github.request(.currentUser) },
            { _ = try await $0.hub.currentUser() }
        ),
        Call("broken", { _ = try await $0.github.request(.broken) }, { try await $0.hub.broken() }),
        Call("slow", { _ = try await $0.github.request(.slow) }, { try await $0.hub.slow() }),
        Call("readme", { _ = try await $0.github.request(.readme) }, { _ = try await $0.hub.readme() }),
        Call(
            "log",
            { for try await _ in try await $0.github.stream(.log).lines {} },
            { for try await _ in try await $0.hub.log() {} }
        ),
        Call(
            "activity",
            { for try await _ in $0.github.events(.activity) {} },
            { for try await _ in try await $0.hub.activity() {} }
        ),
        Call(
            "download",
            { _ = try await $0.bytes.request(.download(7, to: there($0))) },
            { try await $0.demoBytes.download(7, to: there($0)) }
        ),
        Call(
            "stream",
            { for try await _ in try await $0.bytes.stream(.stream(7)).body {} },
            { for try await _ in try await $0.demoBytes.stream(7) {} }
        ),
        Call(
            "upload",
            { _ = try await $0.bytes.request(.upload($0.file)) },
            { try await $0.demoBytes.upload($0.file) }
        ),
        Call(
            "form",
            { _ = try await $0.bytes.request(.form($0.file, note: "note")) },
            { try await $0.demoBytes.form(note: "note", file: $0.file) }
        ),
    ]

    @Test("the handwritten and the generated API have the same results from stubs")
    func sameStubs() async throws {
        let byHand = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub)
        let byMacro = MoyaProvider<DemoHubAPI>(stubClosure: MoyaProvider.immediatelyStub)
        let pairs: [(GitHub, DemoHubAPI)] = [
            (.zen, .zen), (.userProfile("ashfurrow"), .userProfile("ashfurrow")),
            (.userRepositories("a"), .userRepositories("a")),
            (.branches("a", true), .branches("a", protected: true)),
            (
                .createIssue(owner: "a", repo: "b", Self.draft),
                .createIssue(owner: "a", repo: "b", draft: Self.draft)
            ),
            (.currentUser, .currentUser), (.broken, .broken), (.slow, .slow), (.readme, .readme), (.log, .log),
        ]
        for (hand, macro) in pairs {
            let (left, right) = (try await byHand.request(hand), try await byMacro.request(macro))
            #expect(left == right && left.request == right.request, "\(hand)")
            #expect(
                hand.validationType == macro.validationType && hand.authorizationType == macro.authorizationType
            )
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let client = DemoHubClient(provider: byMacro, decoder: decoder)
        #expect(try await client.zen() == DemoData.zen)
        let user = try await byHand.request(.userProfile("x")).map(User.self)
        #expect(try await client.userProfile("x") == user)
        let repositories = try await byHand.request(.userRepositories("x")).map([Repository].self, using: decoder)
        #expect(try await client.userRepositories("x") == repositories)
        let branches = try await byHand.request(.branches("x", true)).map([Branch].self)
        #expect(try await client.branches("x", protected: true) == branches)
    }
}

/// A received request without its random parts.
struct Wire: Equatable {
    let head: String
    let fields: [String]
    let body: Data

    init(_ recorded: ReactingServer.Received) {
        let boundary = recorded.head["content-type"]?.split(separator: "boundary=").dropFirst().first.map(
            String.init
        )
        func plain(_ text: String) -> String { boundary.map { text.replacing($0, with: "BOUNDARY") } ?? text }
        head = "\(recorded.head.method) \(recorded.head.target)"
        fields = recorded.head.fields.map { plain("\($0.name): \($0.value)") }.sorted()
        let text = String(data: recorded.body, encoding: .isoLatin1).map(plain)
        let plainBody = text?.data(using: .isoLatin1) ?? recorded.body
        // Foundation writes an object's keys in a different order each time.
        let json = try? JSONSerialization.jsonObject(with: plainBody) as? [String: Any]
        body = json.flatMap { try? JSONSerialization.data(withJSONObject: $0, options: .sortedKeys) } ?? plainBody
    }
}
#endif
