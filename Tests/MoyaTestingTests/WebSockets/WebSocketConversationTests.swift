import Foundation
import MoyaTesting
import TestSupport
import Testing

@Suite("A scripted transport scripts WebSockets", .timeLimit(.minutes(5)))
struct WebSocketConversationTests {
    private enum Market: TargetType, Equatable {
        case ticker
        var baseURL: URL { URL(string: "wss://example.com") ?? URL(fileURLWithPath: "/") }
        var path: String { "/ticker" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    private struct Price: Codable, Equatable { var amount: Int }

    /// Opens a WebSocket over a script.
    private static func open(
        _ steps: WebSocketStep...,
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> (ScriptedTransport, WebSocket) {
        let transport = ScriptedTransport(clock: clock).on(Market.ticker, .webSocket(steps))
        return (transport, try await MoyaProvider<Market>(transport).webSocket(.ticker))
    }

    @Test(
        "messages of both sides pass in the order of the steps, and the code and the reason of the close frame arrive"
    )
    func conversation() async throws {
        let (transport, socket) = try await Self.open(
            .expect("subscribe"),
            .send("1"),
            .send(.data(Data([0, 255]))),
            .expect(.data(Data([7]))),
            .expect(json: ["amount": 2]),
            .send(json: Price(amount: 3)),
            .close(code: .goingAway, reason: "bye")
        )
        try await socket.send(.text("subscribe"))
        #expect(try await socket.receive() == .text("1"))
        #expect(try await socket.receive() == .data(Data([0, 255])))
        try await socket.send(.data(Data([7])))
        try await socket.send(.text(#" { "amount" : 2 } "#))
        #expect(try await socket.receive() == .text(#"{"amount":3}"#))
        #expect(try await socket.receive() == nil)
        #expect(socket.closeCode == .goingAway)
        #expect(socket.closeReason == "bye")
        try await transport.finishWebSockets()
        #expect(transport.requests.map(\.status) == [101])
    }

    @Test("a large message of each side passes without loss")
    func large() async throws {
        let data = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let (transport, socket) = try await Self.open(
            .expect(.data(data)),
            .send(.data(data)),
            .expectClose(code: .normal)
        )
        try await socket.send(.data(data))
        #expect(try await socket.receive() == .data(data))
        try await socket.close()
        #expect(socket.closeCode == .normal)
        try await transport.finishWebSockets()
    }

    @Test("a message that a step does not expect is an error for the client and for the test")
    func unexpected() async throws {
        let (transport, socket) = try await Self.open(.send("a"), .expect("secret-b"))
        #expect(try await socket.receive() == .text("a"))
        try await socket.send(.text("secret-c"))
        let error = await #expect(throws: WebSocketScriptError.self) { try await socket.receive() }
        #expect(error?.reason == .unexpected(.text("secret-c")))
        #expect(error?.index == 1)
        #expect(
            error?.localizedDescription
                == "The client has sent a text of 8 bytes over https://example.com/ticker, which "
                + "step 2 (expect a text of 8 bytes) does not match: compare the message with the script."
        )
        #expect(error.map { "\($0)" }?.contains("secret") == false)
        let again = await #expect(throws: WebSocketScriptError.self) { try await transport.finishWebSockets() }
        #expect(again == error)
    }

    @Test("a message after the last step is an error, and closing is none")
    func afterLastStep() async throws {
        let (transport, socket) = try await Self.open(.send("a"))
        try await socket.send(.text("b"))
        #expect(try await socket.receive() == .text("a"))
        let error = await #expect(throws: WebSocketScriptError.self) { try await socket.receive() }
        #expect(error?.reason == .unexpected(.text("b")))
        #expect(error?.step == nil)

        let (quiet, closed) = try await Self.open()
        try await closed.close(code: WebSocketCloseCode(rawValue: 3000))
        #expect(closed.closeCode == WebSocketCloseCode(rawValue: 3000))
        try await quiet.finishWebSockets()
        _ = transport
    }

    @Test("a client that closes before a step, or with another code, departs from the script")
    func closedEarly() async throws {
        let (transport, socket) = try await Self.open(.expect("a"))
        try await socket.close(code: .policyViolation)
        let early = await #expect(throws: WebSocketScriptError.self) { try await transport.finishWebSockets() }
        #expect(early?.reason == .ended(.policyViolation))

        let (other, second) = try await Self.open(.expectClose(code: .normal))
        try await second.close(code: .goingAway, reason: "x")
        let code = await #expect(throws: WebSocketScriptError.self) { try await other.finishWebSockets() }
        #expect(code?.reason == .closed(WebSocketClosure(.goingAway, reason: "x")))
    }

    @Test("a step that is not completed in time is an error that names it")
    func notReached() async throws {
        let (transport, socket) = try await Self.open(.expectMessage, .expect(where: { $0.text == "b" }))
        try await socket.send(.text("a"))
        let error = await #expect(throws: WebSocketScriptError.self) {
            try await transport.finishWebSockets(timeout: .milliseconds(50))
        }
        #expect(error?.reason == .notReached)
        try await socket.send(.text("b"))
        try await transport.finishWebSockets()
    }

    @Test("faults end the connection with the error of a network, after the messages before")
    func faults() async throws {
        for (step, code) in [(WebSocketStep.reset, URLError.networkConnectionLost), (.error(.timedOut), .timedOut)] {
            let (_, socket) = try await Self.open(.send("a"), step)
            #expect(try await socket.receive() == .text("a"))
            let error = await #expect(throws: URLError.self) { try await socket.receive() }
            #expect(error?.code == code)
            #expect(socket.closeCode == .abnormal)
        }
    }

    @Test("a step that can't be performed is an error for the client")
    func unusable() async throws {
        let (_, socket) = try await Self.open(.close(code: .noStatus, reason: "no"))
        await #expect(throws: WebSocketError.invalidCloseCode(.noStatus)) { try await socket.receive() }
        let (_, json) = try await Self.open(.send(json: Double.infinity))
        await #expect(throws: EncodingError.self) { try await json.receive() }
    }

    @Test("delays wait on the clock of the transport")
    func delay() async throws {
        let (transport, socket) = try await Self.open(.wait(.seconds(86_400)), .send("a"), clock: QuickClock())
        #expect(try await socket.receive() == .text("a"))
        try await transport.finishWebSockets()
    }

    @Test("pings are answered while the script waits for a message")
    func ping() async throws {
        let (_, socket) = try await Self.open(.expect("a"), .close())
        #expect(try await socket.ping() >= .zero)
        try await socket.send(.text("a"))
        #expect(try await socket.receive() == nil)
    }

    @Test("releasing the client's side ends the conversation")
    func release() async throws {
        let transport = ScriptedTransport().on(Market.ticker, .webSocket(.expectClose(code: .goingAway)))
        _ = try await MoyaProvider<Market>(transport).webSocket(.ticker)
        try await transport.finishWebSockets()
    }

    @Test("a subprotocol is chosen, and one that was not offered is refused by the client")
    func subprotocol() async throws {
        let transport = ScriptedTransport().on(Market.ticker, .webSocket(subprotocol: "v2").header("X-A", "1"))
        let provider = MoyaProvider<Market>(transport)
        let socket = try await provider.webSocket(.ticker, options: WebSocketOptions(subprotocols: ["v1", "v2"]))
        #expect(socket.subprotocol == "v2")
        #expect(socket.response.headers[HTTPField.Name("X-A")!] == "1")
        #expect(!socket.isCompressed)
        await #expect(throws: MoyaError.self) { try await provider.webSocket(.ticker) }
    }

    @Test("refusals, retries and reconnections follow the script")
    func reconnection() async throws {
        let transport = ScriptedTransport().on(
            Market.ticker,
            .webSocket(.expect("subscribe"), .send("a"), .reset),
            .webSocket(.expect("subscribe"), .send("b"), .close())
        )
        let ticker = MoyaProvider<Market>(transport).reconnectingWebSocket(
            .ticker,
            reconnection: ReconnectionPolicy(initialDelay: .milliseconds(1))
        ) { try await $0.send(.text("subscribe")) }
        var texts: [String?] = []
        for try await message in ticker { texts.append(message.text) }
        #expect(texts == ["a", "b"])
        try transport.finish()
        try await transport.finishWebSockets()

        let refusing = ScriptedTransport().on(Market.ticker, .status(403))
        let error = await #expect(throws: MoyaError.self) {
            try await MoyaProvider<Market>(refusing).webSocket(.ticker)
        }
        #expect(error?.response?.statusCode == 403)
    }

    @Test("a request that asks for no WebSocket is an error")
    func ordinaryRequest() async throws {
        let transport = ScriptedTransport().next(.webSocket())
        let error = await #expect(throws: ScriptedResponseError.self) {
            try await transport.ask("https://example.com/ticker")
        }
        #expect(error?.reason == .noWebSocketRequest)
    }
}
