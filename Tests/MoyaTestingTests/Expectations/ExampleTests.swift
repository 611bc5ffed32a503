import Foundation
import MoyaTesting
import TestSupport
import Testing

// This file is an example of an application's test, which checks the client's requests and not its results.

private struct Note: Codable, Equatable, Sendable {
    var title: String
    var tags: [String] = []
    var isPinned = false
}

private enum NotesAPI: TargetType, AccessTokenAuthorizable, Equatable {
    case search(String, page: Int)
    case save(Note)
    case upload(Data)

    var baseURL: URL { URL(string: "https://notes.example.com/api")! }
    var path: String {
        switch self {
        case .search, .save: "notes"
        case .upload: "attachments"
        }
    }
    var method: Moya.Method { if case .search = self { .get } else { .post } }
    var task: HTTPTask {
        switch self {
        case .search(let text, let page):
            .requestParameters(parameters: ["q": text, "page": page], encoding: URLEncoding.queryString)
        case .save(let note): .requestJSONEncodable(note)
        case .upload(let data): .uploadBody(.stream(InputStream(data: data)))
        }
    }
    var headers: [String: String]? { ["Accept": "application/json"] }
    var authorizationType: AuthorizationType? { .bearer }
}

/// The code under test.
private struct NotesClient: Sendable {
    let provider: MoyaProvider<NotesAPI>

    func pin(_ title: String) async throws {
        _ = try await provider.request(.search(title, page: 1))
        _ = try await provider.request(.save(Note(title: title, tags: ["todo"], isPinned: true)))
    }
}

@Suite("An application can test its requests", .timeLimit(.minutes(5)))
struct ExampleTests {
    private let transport = CapturingTransport(over: FakeTransport.text("{}", type: "application/json"))
    private let client: NotesClient

    init() {
        let tokens = AccessTokenPlugin { _ in "secret" }
        let session = Session(transport: transport)
        client = NotesClient(provider: MoyaProvider<NotesAPI>(session: session, plugins: [tokens]))
    }

    @Test("pinning a note fetches the note and saves it")
    func pin() async throws {
        try await client.pin("Milk & bread")
        try transport.requests.expect(
            inOrder: .get("/api/notes").query(exactly: ["q": "Milk & bread", "page": "1"]),
            .post("https://notes.example.com/api/notes").json([
                "title": "Milk & bread", "tags": ["todo"], "isPinned": true,
            ])
        )
        try transport.requests.expect(.any.header("Authorization", "Bearer secret"), times: 2)
        try transport.requests.expectNone(.delete())
    }

    @Test("each captured request can be inspected")
    func look() async throws {
        try await client.pin("Milk")
        let saved = try transport.requests.expect(
            .target(NotesAPI.save(Note(title: "Milk", tags: ["todo"], isPinned: true)))
        )
        #expect(saved.headers[.contentType] == "application/json")
        #expect(try saved.json(as: Note.self).isPinned)
        #expect(saved.status == 200)
        let search = try #require(transport.requests.first)
        #expect(search.query["q"] == "Milk")
        #expect(transport.requests.to(NotesAPI.search("Milk", page: 1)).count == 1)
    }

    @Test("a test awaits a request that runs in the background")
    func background() async throws {
        let task = Task { [client] in _ = try await client.provider.request(.upload(Data("picture".utf8))) }
        let upload = try await transport.log.wait(for: .post("/api/attachments"), timeout: .seconds(240))
        #expect(upload.text == "picture")
        try await task.value
    }
}
