#if NIO && !canImport(Darwin)
import ArgumentParser
import Foundation
import Moya

/// The command `moya-cli websocket-soak`: many connections with messages, resets of the server and reconnections.
struct WebSocketSoakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "websocket-soak",
        abstract: "Keep many WebSockets open to a server that resets connections, and measure memory and descriptors.",
        shouldDisplay: false
    )

    @OptionGroup var check: WebSocketCheckOptions

    @Option(help: "The number of connections.")
    var connections = 1_000

    @Option(help: "The time in seconds.")
    var seconds = 60.0

    @Option(help: "The time between the messages of a connection in milliseconds.")
    var pause = 500

    private struct Counts {
        var messages = 0
        var opened = 0
        var failures = 0
    }

    func run() async throws {
        FileLimit.raise()
        let session = try check.makeSession()
        let counts = Locked(Counts())
        let running = Task { await runConnections(session, counts) }
        let start = ContinuousClock.now
        while (ContinuousClock.now - start) / .seconds(1) < seconds {
            try await Task.sleep(for: .seconds(min(10, seconds)))
            report(counts, after: ContinuousClock.now - start)
        }
        running.cancel()
        await running.value
        await session.transport.shutdown()
        try await Task.sleep(for: .seconds(2))
        report(counts, after: ContinuousClock.now - start)
    }

    private func runConnections(_ session: Session, _ counts: Locked<Counts>) async {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<connections {
                group.addTask {
                    while !Task.isCancelled { await converse(session, counts, number) }
                }
            }
        }
    }

    /// Opens a WebSocket and echoes messages until the server resets the connection.
    private func converse(_ session: Session, _ counts: Locked<Counts>, _ number: Int) async {
        do {
            let options = WebSocketOptions(compression: check.compression)
            let socket = try await session.webSocket(for: try check.request("/resets?\(number)"), options: options)
            counts.withLock { $0.opened += 1 }
            while true {
                let message = WebSocketMessage.text(
                    "message of \(number) " + String(repeating: "*", count: .random(in: 0...2_000))
                )
                try await socket.send(message)
                guard try await socket.receive() == message else { break }
                counts.withLock { $0.messages += 1 }
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...2 * pause)))
            }
        } catch {
            counts.withLock { $0.failures += 1 }
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    private func report(_ counts: Locked<Counts>, after time: Duration) {
        let counts = counts.withLock { $0 }
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
        let status = ProcessStatus()
        print(
            """
            \(Int(time / .seconds(1))) s: \(counts.messages) messages, \(counts.opened) opened, \(counts.failures) ended, \
            \(descriptors) descriptors, \(status.bytes("VmRSS") / 1_024) KiB
            """
        )
    }
}
#endif
