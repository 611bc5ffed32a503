#if Macros
import MoyaMacros
import MoyaTesting
import Testing

@API("https://chat.example")
protocol ChatRooms: Sendable {
    @WebSocket("/rooms/{room}") func join(room: String, token: Header<String>, since: Int?) async throws(MoyaError)
        -> WebSocket
    @WebSocket("/news") func news() async throws -> ReconnectingWebSocket
    @WebSocket("/prices", options: .prices) func prices() async throws(MoyaError) -> WebSocket
    @WebSocket(
        "/alerts",
        options: WebSocketOptions(subprotocols: ["alerts"], compression: nil),
        reconnection: ReconnectionPolicy(
            initialDelay: .milliseconds(1),
            maximumFailures: 1,
            reconnectsAfterServerErrors: true
        )
    )
    func alerts() async throws -> ReconnectingWebSocket
}

@Suite("A method with @WebSocket opens a WebSocket", .timeLimit(.minutes(5)))
struct WebSocketMacroTests {
    @Test("the request has the path, the query and the headers of the method, and the result is the open WebSocket")
    func open() async throws {
        let transport = ScriptedTransport().on(
            .get,
            "https://chat.example/rooms/a%20b?since=3",
            .webSocket(.expect("hello"), .send("welcome"), .close())
        )
        let client = ChatRoomsClient(session: Session(transport: transport))
        let socket = try await client.join(room: "a b", token: "t", since: 3)
        try await socket.send(.text("hello"))
        #expect(try await socket.receive() == .text("welcome"))
        #expect(try await socket.receive() == nil)
        try await transport.finishWebSockets()
        #expect(transport.requests.first?.headers[values: .init("token")!] == ["t"])
    }

    @Test("a reconnecting WebSocket opens its connections while its messages are read")
    func reconnect() async throws {
        let transport = ScriptedTransport().on(
            .get,
            "https://chat.example/news",
            .webSocket(.send("a"), .close(code: .goingAway)),
            .webSocket(.send("b"), .close())
        )
        let client = ChatRoomsClient(session: Session(transport: transport))
        var texts: [String?] = []
        for try await message in try await client.news() { texts.append(message.text) }
        #expect(texts == ["a", "b"])
    }

    @Test("the options of the attribute are those of the WebSocket")
    func options() async throws {
        let transport = ScriptedTransport().on(.get, "https://chat.example/prices", .webSocket(.close()))
        let client = ChatRoomsClient(session: Session(transport: transport))
        _ = try await client.prices()
        let headers = try #require(transport.requests.first?.headers)
        #expect(headers[.secWebSocketProtocol] == "v2.prices")
        #expect(headers[.secWebSocketExtensions] == nil)
        // By default, compression is offered.
        _ = transport.on(.get, "https://chat.example/rooms/a", .webSocket(.close()))
        _ = try await client.join(room: "a", token: "t")
        #expect(transport.requests.last?.headers[.secWebSocketExtensions] != nil)
    }

    @Test("the attribute's policy of reconnection is that of the WebSocket")
    func reconnection() async throws {
        let transport = ScriptedTransport().on(
            .get,
            "https://chat.example/alerts",
            .status(503),
            .status(503),
            .webSocket(.send("too late"))
        )
        let client = ChatRoomsClient(session: Session(transport: transport))
        await #expect(throws: (any Error).self) { for try await _ in try await client.alerts() {} }
        #expect(transport.requests.count == 2)
        #expect(transport.requests.allSatisfy { $0.headers[.secWebSocketProtocol] == "alerts" })
    }

    @Test("the mock's handler returns the WebSocket of a script")
    func mock() async throws {
        let transport = ScriptedTransport().on(".get", .noMore).next(.webSocket(.send("a")))
        let scripted = ChatRoomsClient(session: Session(transport: transport))
        let mock = ChatRoomsMock { handlers in
            handlers.join = { room, token, since async throws(MoyaError) in
                try await scripted.join(room: room, token: token, since: since)
            }
        }
        let socket = try await mock.join(room: "x", token: "t")
        #expect(try await socket.receive() == .text("a"))
        #expect(mock.calls == [.join(room: "x", token: "t", since: nil)])
    }
}

// The following declarations have every line of the Swift block about macros in Documentation/WebSockets.md.
@API("https://chat.example.com")
protocol Lobby {
    @WebSocket("/rooms/{room}") func join(room: String) async throws -> WebSocket
    @WebSocket("/news") func news() async throws -> ReconnectingWebSocket
    @WebSocket("/prices", options: .prices) func prices() async throws -> WebSocket
}
extension WebSocketOptions {
    static let prices = WebSocketOptions(subprotocols: ["v2.prices"], compression: nil)
}

private typealias ScriptedLobby = LobbyClient

@Suite("The documentation's example of @WebSocket runs", .timeLimit(.minutes(5)))
struct ReadmeWebSocketMacroTests {
    @Test("the documentation's example of @WebSocket runs")
    func example() async throws {
        let transport = ScriptedTransport().next(.webSocket(.expect("Hello"), .close()))
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func LobbyClient() -> ScriptedLobby { ScriptedLobby(session: Session(transport: transport)) }

        let lobby = LobbyClient()
        let swiftRoom = try await lobby.join(room: "swift")
        try await swiftRoom.send(.text("Hello"))

        #expect(try await swiftRoom.receive() == nil)
        #expect(transport.requests.first?.url.path == "/rooms/swift")
    }
}
#endif
