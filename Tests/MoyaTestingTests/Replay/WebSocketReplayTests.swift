import Foundation
import MoyaTesting
import TestServers
import TestSupport
import Testing

@Suite("WebSockets are recorded and replayed", .timeLimit(.minutes(5)))
struct WebSocketReplayTests {
    private struct Room: TargetType, Equatable {
        var baseURL = URL(string: "wss://example.com") ?? URL(fileURLWithPath: "/")
        var path: String { "/room" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    /// Records a conversation, and returns the recording as a file has it.
    private func record(
        _ steps: WebSocketStep...,
        options: HARRecordingOptions = HARRecordingOptions(),
        client: (WebSocket) async throws -> Void
    ) async throws -> HAR {
        let transport = ScriptedTransport().on(Room(), .webSocket(steps, subprotocol: "v1"))
        let recorder = HARRecorder(over: transport, options: options)
        let socket = try await MoyaProvider<Room>(session: Session(transport: recorder))
            .webSocket(Room(), options: WebSocketOptions(subprotocols: ["v1"]))
        try await client(socket)
        try await socket.close()
        try await transport.finishWebSockets()
        try await poll { !recorder.har.entries.isEmpty }
        let folder = try TemporaryFolder()
        try recorder.har.write(to: folder.file("room.har"))
        return try HAR(contentsOf: folder.file("room.har"))
    }

    private func poll(_ isDone: () -> Bool) async throws {
        while !isDone() { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Opens a WebSocket over a recording.
    private func replay(_ har: HAR, _ matching: HARMatching = HARMatching()) async throws -> WebSocket {
        try await MoyaProvider<Room>(session: Session(transport: HARReplayer(har, matching: matching)))
            .webSocket(Room(), options: WebSocketOptions(subprotocols: ["v1"]))
    }

    @Test("a recording has the messages of both sides in order, with secrets masked, and the close frame")
    func recording() async throws {
        let har = try await record(
            .expect("hello"),
            .send(.data(Data([0, 255]))),
            .expectMessage,
            .send(#"{"access_token":"secret-b","n":1}"#),
            .close(code: .goingAway, reason: "bye")
        ) { socket in
            try await socket.send(.text("hello"))
            #expect(try await socket.receive() == .data(Data([0, 255])))
            try await socket.send(.text(#"{"password":"secret-a"}"#))
            while try await socket.receive() != nil {}
        }
        let entry = try #require(har.entries.first)
        #expect(entry.response.status == 101)
        let messages = entry.webSocketMessages
        #expect(messages.map(\.sender) == [.client, .server, .client, .server, .server, .client])
        #expect(messages.map(\.opcode) == [1, 2, 1, 1, 8, 8])
        #expect(
            messages.prefix(4).map(\.data) == [
                "hello", "AP8=", #"{"password":"***"}"#, #"{"access_token":"***","n":1}"#,
            ]
        )
        #expect(messages[4].closure == WebSocketClosure(.goingAway, reason: "bye"))
        #expect(entry.comment == nil)
        let text = String(decoding: try har.data(), as: UTF8.self)
        #expect(!text.contains("secret"))
        #expect(text.contains("_webSocketMessages"))
    }

    @Test("a replayed WebSocket sends the recorded messages, and compares those of the client")
    func replaying() async throws {
        let har = try await record(.expectMessage, .send("a"), .expectMessage, .close(code: .goingAway)) { socket in
            try await socket.send(.text(#"{"password":"secret-a"}"#))
            #expect(try await socket.receive() == .text("a"))
            try await socket.send(.text("last"))
            while try await socket.receive() != nil {}
        }
        let socket = try await replay(har)
        #expect(socket.subprotocol == "v1")
        try await socket.send(.text(#"{"password":"secret-z"}"#))
        #expect(try await socket.receive() == .text("a"))
        try await socket.send(.text("last"))
        #expect(try await socket.receive() == nil)
        #expect(socket.closeCode == .goingAway)

        let other = try await replay(har)
        try await other.send(.text(#"{"user":"secret-z"}"#))
        let error = await #expect(throws: WebSocketScriptError.self) { try await other.receive() }
        #expect(error?.index == 0)

        let lenient = try await replay(har, HARMatching(parts: [.method, .url]))
        try await lenient.send(.text("anything"))
        #expect(try await lenient.receive() == .text("a"))
    }

    @Test("messages beyond the limit for bodies are left out, and the entry says how many")
    func limit() async throws {
        let har = try await record(
            .send("a"),
            .send(.data(Data(count: 1000))),
            .send(.text(String(repeating: "b", count: 100))),
            .close(),
            options: HARRecordingOptions(bodyLimit: 300)
        ) { socket in
            while try await socket.receive() != nil {}
        }
        let entry = try #require(har.entries.first)
        #expect(entry.webSocketMessages.filter { $0.opcode != 8 }.map(\.data.utf8.count) == [1, 100])
        #expect(entry.comment == "1 message of the WebSocket exceeded the limit for recorded bodies.")
    }

    #if NIO && !canImport(Darwin)
    @Test("compressed messages are recorded without compression")
    func compressed() async throws {
        let answer: @Sendable (RequestHead) -> WebSocketServer.Answer = { _ in
            .open(["Sec-WebSocket-Extensions": "permessage-deflate"])
        }
        let server = try await WebSocketServer(answer: answer) { try await $0.echo() }
        let recorder = HARRecorder(over: Session().transport)
        let text = String(repeating: "compressible ", count: 100)
        let options = WebSocketOptions(compression: WebSocketCompression(minimumSize: 1))
        let socket = try await MoyaProvider<Room>(session: Session(transport: recorder)).webSocket(
            Room(baseURL: server.url("")),
            options: options
        )
        #expect(socket.isCompressed)
        for _ in 0..<2 {
            try await socket.send(.text(text))
            #expect(try await socket.receive() == .text(text))
        }
        try await socket.close()
        try await poll { !recorder.har.entries.isEmpty }
        let messages = recorder.har.entries.first?.webSocketMessages.filter { $0.opcode == 1 } ?? []
        #expect(messages.map(\.data) == Array(repeating: text, count: 4))
        #expect(Set(messages.map(\.sender)) == [.client, .server])
        await recorder.shutdown()
        await server.shutDown()
    }
    #endif
}
