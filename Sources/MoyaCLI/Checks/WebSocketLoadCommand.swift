#if NIO && !canImport(Darwin)
import ArgumentParser
import Foundation
import Moya

/// The command `moya-cli websocket-load`, which echoes messages and measures the process.
struct WebSocketLoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "websocket-load",
        abstract: "Echo messages through a WebSocket, and measure rates, memory and processor time.",
        shouldDisplay: false
    )

    @OptionGroup var check: WebSocketCheckOptions

    @Option(help: "The path.")
    var path = "/echo"

    @Option(help: "The size of a message in bytes.")
    var size = 64

    @Option(help: "The number of bytes to send.")
    var bytes: Int?

    @Option(help: "The time in seconds, instead of a number of bytes.")
    var seconds = 3.0

    @Option(help: "The number of messages that are under way.")
    var window = 32

    @Flag(help: "Only read, message by message in pieces, until the server closes the WebSocket.")
    var stream = false

    @Flag(help: "Send bytes, not texts.")
    var binary = false

    @Flag(help: "Run on an event loop of the session.")
    var onLoop = false

    func run() async throws {
        let session = try check.makeSession()
        let executor = onLoop ? session.taskExecutors.first : nil
        try await withTaskExecutorPreference(executor) { try await run(over: session) }
    }

    private func run(over session: Session) async throws {
        var options = WebSocketOptions(maximumMessageSize: 1 << 30)
        if check.uncompressed { options.compression = nil }
        let socket = try await session.webSocket(for: try check.request(path), options: options)
        // The first messages initialize what the process needs once.
        if !stream { try await echo(socket, count: 100, size: 64) }
        let memory = MemoryMonitor()
        let start = ContinuousClock.now
        let processor = Self.processorTime
        let (messages, received) = stream ? try await read(socket) : try await load(socket)
        let time = (ContinuousClock.now - start) / .seconds(1)
        let used = Self.processorTime - processor
        let peak = memory.stop() - memory.idle
        print(
            """
            {"messages": \(messages), "bytes": \(received), "seconds": \(time), "messagesPerSecond": \(Double(messages) / time), \
            "mebibytesPerSecond": \(Double(received) / time / 1_048_576), "processorSeconds": \(used), \
            "idleBytes": \(memory.idle), "peakBytesAboveIdle": \(peak)}
            """
        )
        try await socket.close()
        await session.transport.shutdown()
    }

    private func load(_ socket: WebSocket) async throws -> (messages: Int, bytes: Int) {
        guard let bytes else {
            let end = ContinuousClock.now + .seconds(seconds)
            var messages = 0
            while ContinuousClock.now < end {
                try await echo(socket, count: window * 4, size: size)
                messages += window * 4
            }
            return (messages, messages * size)
        }
        let count = max(1, bytes / max(1, size))
        try await echo(socket, count: count, size: size)
        return (count, count * size)
    }

    /// Sends messages, of which a number is under way, and reads their echoes.
    private func echo(_ socket: WebSocket, count: Int, size: Int) async throws {
        let message: WebSocketMessage =
            binary
            ? .data(Data(repeating: 0x2A, count: size)) : .text(String(repeating: "*", count: size))
        let sent = min(window, count)
        for _ in 0..<sent {
            if size >= 65_536 { break }
            try await socket.send(message)
        }
        guard size < 65_536 else {
            // Both sides would wait for each other if the messages filled the buffers.
            async let sending: Void = { for _ in 0..<count { try await socket.send(message) } }()
            for _ in 0..<count { try await receive(socket, size) }
            return try await sending
        }
        for number in 0..<count {
            try await receive(socket, size)
            if number + sent < count { try await socket.send(message) }
        }
    }

    private func receive(_ socket: WebSocket, _ size: Int) async throws {
        switch try await socket.receive() {
        case .text(let text) where text.utf8.count == size: return
        case .data(let data) where data.count == size: return
        case let message: throw ValidationError("An echo has \(message?.bytes.count ?? -1) bytes.")
        }
    }

    private func read(_ socket: WebSocket) async throws -> (messages: Int, bytes: Int) {
        var (messages, bytes) = (0, 0)
        for try await message in socket.messageStreams {
            messages += 1
            for try await piece in message { bytes += piece.count }
        }
        return (messages, bytes)
    }

    private static var processorTime: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}
#endif
