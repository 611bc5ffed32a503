import Moya

/// The endpoint of the chat.
enum Chat: TargetType {
    case join(server: URL, name: String)

    var baseURL: URL { if case .join(let server, _) = self { server } else { URL(fileURLWithPath: "/") } }
    var path: String { "chat" }
    var method: Moya.Method { .get }
    var task: HTTPTask {
        switch self {
        case .join(_, let name): .requestParameters(parameters: ["name": name], encoding: URLEncoding.queryString)
        }
    }
    var headers: [String: String]? { nil }
}

/// A member of a chat, over a WebSocket.
struct ChatClient: Sendable {
    private let socket: WebSocket

    /// Joins the chat of a server.
    static func join(_ server: URL, as name: String, provider: MoyaProvider<Chat> = MoyaProvider()) async throws
        -> ChatClient
    {
        ChatClient(socket: try await provider.webSocket(.join(server: server, name: name)))
    }

    /// Says something to all members.
    func say(_ text: String) async throws { try await socket.send(.text(text)) }

    /// Waits for the next line of the chat; `nil` at its end.
    func nextLine() async throws -> String? { try await socket.receive()?.text }

    /// Prints the lines of the chat to its end.
    func show(_ print: @Sendable (String) -> Void) async throws {
        while let line = try await nextLine() { print(line) }
    }

    /// Leaves the chat.
    func leave() async throws { try await socket.close() }
}
