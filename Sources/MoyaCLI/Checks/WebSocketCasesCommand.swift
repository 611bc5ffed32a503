#if NIO && !canImport(Darwin)
import ArgumentParser
import Foundation
import Moya

/// The command `moya-cli websocket-cases`, which `scripts/check/websockets` runs against the fuzzing server of Autobahn's test suite.
struct WebSocketCasesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "websocket-cases",
        abstract: "Run the cases of a server that checks WebSocket clients.",
        shouldDisplay: false
    )

    @Argument(help: "The server, as ws://127.0.0.1:9001.")
    var server: String

    @Option(help: "The name under which the server reports the results.")
    var agent = "moya"

    @Flag(help: "Do not offer compression.")
    var uncompressed = false

    func run() async throws {
        let cases = try await Int(firstMessage(of: "/getCaseCount")) ?? 0
        for number in 1...max(1, cases) {
            await runCase(number)
            if number % 50 == 0 { print("\(number) of \(cases)") }
        }
        _ = try await firstMessage(of: "/updateReports?agent=\(agent)")
    }

    private var options: WebSocketOptions {
        WebSocketOptions(
            compression: uncompressed ? nil : WebSocketCompression(minimumSize: 1),
            maximumMessageSize: 64 << 20
        )
    }

    /// Opens a WebSocket and echoes all messages.
    private func runCase(_ number: Int) async {
        do {
            let socket = try await open("/runCase?case=\(number)&agent=\(agent)")
            do {
                for try await message in socket { try await socket.send(message) }
            } catch {
                // Many cases violate the protocol. The server judges the reaction.
            }
            try await socket.close()
        } catch {
            print("case \(number): \(error)")
        }
    }

    private func firstMessage(of path: String) async throws -> String {
        let socket = try await open(path)
        let message = try await socket.receive()
        try await socket.close()
        return message?.text ?? ""
    }

    private func open(_ path: String) async throws -> WebSocket {
        guard let url = URL(string: server + path) else { throw ValidationError("\"\(server)\" is not a URL.") }
        return try await Session.default.webSocket(for: URLRequest(url: url), options: options)
    }
}
#endif
