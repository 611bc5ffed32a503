import Foundation
import MoyaTesting
import Testing

// This file contains the code of Documentation/WebSockets.md about tests and recordings.

private enum Market: TargetType, Equatable {
    case ticker
    var baseURL: URL { URL(string: "wss://example.com")! }
    var path: String { "ticker" }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
}

@Suite("The documentation's examples of WebSockets in tests run", .timeLimit(.minutes(5)))
struct ReadmeWebSocketTests {
    @Test("the documentation's example of a scripted WebSocket runs")
    func script() async throws {
        let transport = ScriptedTransport().on(
            Market.ticker,
            .webSocket(.expect("subscribe"), .wait(.milliseconds(10)), .send("1.25"), .close(code: .goingAway))
        )
        let scripted = MoyaProvider<Market>(session: Session(transport: transport))
        let scriptedTicker = try await scripted.webSocket(.ticker)
        try await scriptedTicker.send(.text("subscribe"))
        for try await message in scriptedTicker { print(message) }
        try await transport.finishWebSockets()

        #expect(transport.requests.count == 1)
    }
}
