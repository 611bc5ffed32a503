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

    @OptionGroup var check: WebSocketCheckOptions

    @Option(help: "The name under which the server reports the results.")
    var agent = "moya"

    func run() async throws {
        let session = try check.makeSession()
        let cases = try await Int(firstMessage(of: "/getCaseCount", session)) ?? 0
        for number in 1...max(1, cases) {
            await runCase(number, session)
            if number % 50 == 0 { print("\(number) of \(cases)") }
        }
        _ = try await firstMessage(of: "/updateReports?agent=\(agent)", session)
        await session.transport.shutdown()
    }

    private var options: WebSocketOptions {
        WebSocketOptions(compression: check.compression, maximumMessageSize: 64 << 20)
    }

    /// Opens a WebSocket and echoes all messages.
    private func runCase(_ number: Int, _ session: Session) async {
        do {
            let socket = try await open("/runCase?case=\(number)&agent=\(agent)", session)
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

    private func firstMessage(of path: String, _ session: Session) async throws -> String {
        let socket = try await open(path, session)
        let message = try await socket.receive()
        try await socket.close()
        return message?.text ?? ""
    }

    private func open(_ path: String, _ session: Session) async throws -> WebSocket {
        try await session.webSocket(for: try check.request(path), options: options)
    }
}
#endif
