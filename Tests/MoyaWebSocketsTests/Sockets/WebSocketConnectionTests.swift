import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("A WebSocket's connection bounds its buffers and its waits", .timeLimit(.minutes(5)))
struct WebSocketConnectionTests {
    /// A connection whose bytes a test moves, with a clock that a test advances.
    private final class Harness: Sendable {
        let clock = ManualClock()
        let connection: WebSocketConnection
        let socket: WebSocket
        private let chunks: AsyncStream<Data>.Continuation
        /// The chunks that the connection has read.
        let read = Recorder<Int>()
        /// Whether the connection has released its input.
        let released: Promise<Void>

        init(_ options: WebSocketOptions = WebSocketOptions(compression: nil, keepAlive: nil)) throws {
            connection = WebSocketConnection(options, clock: clock)
            let (stream, chunks) = AsyncStream<Data>.makeStream()
            self.chunks = chunks
            let end = Promise<Void>()
            released = end
            chunks.onTermination = { _ in end.fulfill(()) }
            let input = TransportBodyStream { [read] in
                let chunk = await stream.first { _ in true }
                if Task.isCancelled { throw URLError(.cancelled) }
                if let chunk { read.add(chunk.count) }
                return chunk
            }
            let url = URL(string: "http://example.com") ?? URL(fileURLWithPath: "/")
            let response = SessionResponse(request: URLRequest(url: url), statusCode: 101)
            socket = try WebSocket(connection, input: input, response: response, agreement: .init())
        }

        /// Supplies bytes of the peer.
        func push(_ bytes: Data...) { for bytes in bytes { chunks.yield(bytes) } }

        /// Ends the connection from the side of the peer.
        func end() { chunks.finish() }

        /// Takes the bytes that wait to be sent, as a transport does, and returns their frames.
        func take() async -> [String] {
            guard let bytes = await connection.output.makeAsyncIterator().next() else { return ["end"] }
            let (events, error) = Frames.parse(bytes, with: WebSocketFrameParser(from: .client))
            #expect(error == nil)
            return events.joined
        }

        /// Waits until the state fulfills a condition.
        func until(_ condition: @Sendable (WebSocketConnection.State) -> Bool) async {
            while !connection.withState({ state, _ in condition(state) }) { await Task.yield() }
        }
    }

    private static func binary(_ count: Int) -> Data { Frames.frame(0x82, Data(count: count)) }

    @Test("nothing is read ahead of the application but the buffer and a chunk")
    func inputIsBounded() async throws {
        let harness = try Harness(WebSocketOptions(compression: nil, bufferSize: 10_000, keepAlive: nil))
        for _ in 0..<100 { harness.push(Self.binary(4_000)) }
        await harness.until { $0.input != nil }
        #expect(harness.read.values.count == 3)
        for number in 1...100 {
            #expect(try await harness.socket.receive() == .data(Data(count: 4_000)))
            #expect(harness.read.values.count <= number + 6)
        }
        #expect(harness.read.values.count == 100)
    }

    @Test("messages without bytes are bounded, too")
    func emptyMessagesAreBounded() async throws {
        let harness = try Harness(WebSocketOptions(compression: nil, bufferSize: 6_400, keepAlive: nil))
        for _ in 0..<1_000 { harness.push(Self.binary(0)) }
        await harness.until { $0.input != nil }
        #expect(harness.read.values.count == 100)
    }

    @Test(
        "of a chunk with many short frames, no more is parsed than fits into the buffer",
        arguments: [
            ("fragments without bytes", Frames.frame(0x00)), ("fragments of a byte", Frames.frame(0x00, [0x61])),
            ("fragments without bytes, and pings", Frames.frame(0x00) + Frames.frame(0x89)),
        ]
    )
    func shortFramesAreBounded(_ name: String, _ frame: Data) async throws {
        let harness = try Harness(WebSocketOptions(compression: nil, bufferSize: 6_500, keepAlive: nil))
        let count = 50_000
        var chunk = Frames.frame(0x01)
        for _ in 0..<count { chunk += frame }
        harness.push(chunk + Frames.frame(0x80, [0x62]), Frames.text("next"))
        await harness.until { $0.input != nil }
        #expect((90...110).contains(harness.connection.withState { state, _ in state.parts.count }))
        let bytes = frame.contains(0x61) ? count : 0
        #expect(try await harness.socket.receive() == .text(String(repeating: "a", count: bytes) + "b"))
        #expect(try await harness.socket.receive() == .text("next"))
    }

    @Test("a close frame behind more frames than fit into the buffer arrives while the connection closes")
    func closeBehindShortFrames() async throws {
        let harness = try Harness(WebSocketOptions(compression: nil, bufferSize: 6_500, keepAlive: nil))
        var chunk = Data()
        for _ in 0..<10_000 { chunk += Self.binary(0) }
        harness.push(chunk + Frames.frame(0x88, [0x03, 0xE8]))
        await harness.until { $0.input != nil }
        let task = Task { try await harness.socket.close() }
        #expect(await harness.take() == ["close 3.e8."])
        // The output ends with the peer's close frame.
        #expect(await harness.take() == ["end"])
        harness.end()
        try await task.value
        #expect(harness.socket.closeCode == .normal)
    }

    @Test("a buffer without room passes messages on one by one, and pings need no reader", arguments: [0, -1])
    func noBuffer(size: Int) async throws {
        let harness = try Harness(WebSocketOptions(compression: nil, bufferSize: size, keepAlive: nil))
        harness.push(Frames.frame(0x89, [1]), Frames.frame(0x89, [2]) + Frames.frame(0x89, [3]))
        while harness.read.values.count < 2 { await Task.yield() }
        var pongs: [String] = []
        while pongs.last != "pong 3." { pongs += await harness.take() }
        harness.push(Frames.text("a") + Frames.text("b"), Frames.text("c"))
        await harness.until { $0.input != nil }
        #expect(harness.connection.withState { state, _ in state.parts.count } == 1)
        for text in ["a", "b", "c"] { #expect(try await harness.socket.receive() == .text(text)) }
        try await harness.socket.send(.text("d"))
        #expect(await harness.take() == ["text 64."])
    }

    @Test("a frame that has not arrived whole is passed on, and does not count as a message")
    func partsOfFrames() async throws {
        let harness = try Harness(WebSocketOptions(compression: nil, bufferSize: 10_000, keepAlive: nil))
        let frame = Self.binary(100_000)
        for start in stride(from: 0, to: frame.count, by: 5_000) {
            harness.push(Data(frame.dropFirst(start).prefix(5_000)))
        }
        await harness.until { $0.input != nil }
        #expect(harness.read.values.count == 2)
        #expect(try await harness.socket.receive() == .data(Data(count: 100_000)))
    }

    @Test("sending suspends while the peer does not read, and little waits")
    func outputIsBounded() async throws {
        let harness = try Harness(WebSocketOptions(compression: nil, bufferSize: 10_000, keepAlive: nil))
        let sent = Recorder<Int>()
        let task = Task {
            for number in 0..<100 {
                try await harness.socket.send(.data(Data(count: 4_000)))
                sent.add(number)
            }
        }
        await harness.until { $0.sender != nil }
        #expect(sent.values.count == 3)
        #expect(harness.connection.withState { state, _ in state.output.count } == 3 * 4_008)
        var frames: [String] = []
        while frames.count < 100 { frames += await harness.take() }
        try await task.value
        #expect(frames.allSatisfy { $0.hasPrefix("data ") })
    }

    @Test(
        "a large message is sent in pieces, and little waits",
        arguments: [
            WebSocketMessage.data(Data((0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 / 100) })),
            // Frames and pieces end inside of characters.
            .text((0..<200_000).map { "é\($0)" }.joined()),
        ]
    )
    func largeMessageIsBounded(_ message: WebSocketMessage) async throws {
        let harness = try Harness(WebSocketOptions(compression: nil, bufferSize: 10_000, keepAlive: nil))
        let task = Task { try await harness.socket.send(message) }
        var parser = WebSocketFrameParser(from: .client)
        var received = Data()
        var isComplete = false
        while !isComplete {
            let piece = try #require(await harness.connection.output.makeAsyncIterator().next())
            #expect(piece.count <= 10_000 + 65_536 + 14)
            parser.push(piece)
            while let event = try parser.next() {
                guard case .data(let part) = event else { continue }
                received += part.payload
                isComplete = part.endsMessage
            }
        }
        try await task.value
        #expect(received == message.bytes)
    }

    @Test("a cancelled sender completes its frame, and then the close frame follows")
    func cancelSending() async throws {
        let harness = try Harness(
            WebSocketOptions(compression: nil, outgoingFrameSize: 100_000, bufferSize: 10_000, keepAlive: nil)
        )
        let task = Task { try await harness.socket.send(.data(Data(count: 300_000))) }
        await harness.until { $0.sender != nil }
        task.cancel()
        var bytes = Data()
        while let piece = await harness.connection.output.makeAsyncIterator().next() {
            bytes += piece
            if harness.connection.withState({ state, _ in state.output.isClosed && state.output.count == 0 }) { break }
        }
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        let (events, violation) = Frames.parse(bytes, with: WebSocketFrameParser(from: .client))
        #expect(violation == nil)
        #expect(events.last == .control(.close, WebSocketClosure(.goingAway).payload))
        let sizes = events.map { if case .data(let part) = $0 { part.payload.count } else { 0 } }
        #expect(sizes.reduce(0, +) == 100_000)
    }

    @Test("senders that wait for their turn fail when the connection ends")
    func waitingSendersFail() async throws {
        let harness = try Harness(WebSocketOptions(compression: nil, bufferSize: 10, keepAlive: nil))
        let tasks = (0..<5).map { _ in Task { try await harness.socket.send(.data(Data(count: 100_000))) } }
        await harness.until { $0.nextSenders.count == 4 }
        harness.end()
        for task in tasks {
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .networkConnectionLost)
        }
    }

    @Test("pings of a peer that does not read need no memory")
    func pingFlood() async throws {
        let harness = try Harness(WebSocketOptions(compression: nil, bufferSize: 1_000, keepAlive: nil))
        for number in 0..<1_000 { harness.push(Frames.frame(0x89, Data(String(number).utf8))) }
        // The message is handled after the last ping, whose chunk is read before it is handled.
        harness.push(Self.binary(1))
        await harness.until { !$0.parts.isEmpty }
        #expect(harness.connection.withState { state, _ in state.output.count } < 1_200)
        #expect(await harness.take().first == "pong 30.")
        // The response to the last ping follows.
        #expect(await harness.take() == ["pong 39.39.39."])
    }

    @Test("a silent peer gets a ping, and then the connection ends")
    func silentPeer() async throws {
        let keepAlive = WebSocketKeepAlive(interval: .seconds(30), timeout: .seconds(10))
        let harness = try Harness(WebSocketOptions(compression: nil, keepAlive: keepAlive))
        let task = Task { try await harness.socket.receive() }
        for _ in 0..<2 {
            await harness.clock.someoneSleeps()
            harness.clock.advance(by: .seconds(30))
            #expect(await harness.take() == ["ping 0.0.0.0.0.0.0.\(1)."])
            if harness.read.values.isEmpty {
                break
            }
        }
        await harness.clock.someoneSleeps()
        harness.clock.advance(by: .seconds(10))
        await #expect(throws: WebSocketError.peerIsSilent(timeout: .seconds(10))) { try await task.value }
        #expect(await harness.take() == ["end"])
        #expect(harness.socket.closeCode == .abnormal)
    }

    @Test("a peer that does not answer a close frame has a limited time")
    func closeTimeout() async throws {
        let harness = try Harness(WebSocketOptions(compression: nil, keepAlive: nil, closeTimeout: .seconds(7)))
        let task = Task { try await harness.socket.close() }
        #expect(await harness.take() == ["close 3.e8."])
        await harness.clock.someoneSleeps()
        #expect(harness.clock.timeToNextWake == .seconds(7))
        harness.clock.advance(by: .seconds(7))
        try await task.value
        #expect(harness.socket.closeCode == .abnormal)
    }

    @Test("a peer that answers a close frame, and does not end the connection, has a limited time")
    func endTimeout() async throws {
        let harness = try Harness()
        let task = Task { try await harness.socket.close() }
        #expect(await harness.take() == ["close 3.e8."])
        harness.push(Frames.frame(0x88, [0x03, 0xE8]))
        // The output ends, which closes a connection over HTTP/2.
        #expect(await harness.take() == ["end"])
        await harness.until { $0.timerDeadline == .seconds(5) }
        await harness.clock.someoneSleeps()
        harness.clock.advance(by: .seconds(5))
        try await task.value
        #expect(harness.socket.closeCode == .normal)
    }

    @Test("a peer that ends its direction with its close frame gets the answer, and the messages before can be read")
    func closeWithEnd() async throws {
        let harness = try Harness()
        harness.push(Frames.frame(0x81, [0x61]) + Frames.frame(0x88, [0x03, 0xE8]))
        harness.end()
        #expect(await harness.take() == ["close 3.e8."])
        #expect(await harness.take() == ["end"])
        #expect(try await harness.socket.receive() == .text("a"))
        #expect(try await harness.socket.receive() == nil)
    }

    @Test("cancelling the closing ends the connection at once")
    func cancelClosing() async throws {
        let harness = try Harness()
        let task = Task { try await harness.socket.close() }
        #expect(await harness.take() == ["close 3.e8."])
        task.cancel()
        try await task.value
        #expect(await harness.take() == ["end"])
    }

    @Test("a close frame is answered when the messages before it are read, or after a time")
    func closeIsAnswered() async throws {
        let reading = try Harness()
        reading.push(Frames.text("a") + Frames.frame(0x88, [0x03, 0xE8]))
        await reading.until { $0.machine.received != nil }
        #expect(try await reading.socket.receive() == .text("a"))
        try await reading.socket.send(.text("b"))
        #expect(await reading.take() == ["text 62."])
        #expect(try await reading.socket.receive() == nil)
        #expect(await reading.take() == ["close 3.e8."])

        let busy = try Harness()
        busy.push(Frames.text("a") + Frames.frame(0x88, [0x03, 0xE8]))
        await busy.until { $0.machine.received != nil }
        #expect(busy.connection.withState { state, _ in state.output.count } == 0)
        await busy.clock.someoneSleeps()
        busy.clock.advance(by: .seconds(2))
        #expect(await busy.take() == ["close 3.e8."])
        // The message can still be read.
        #expect(try await busy.socket.receive() == .text("a"))
        #expect(try await busy.socket.receive() == nil)

        let idle = try Harness()
        idle.push(Frames.frame(0x88, [0x03, 0xE8]))
        #expect(await idle.take() == ["close 3.e8."])
    }

    @Test("a ping is cancelled with its task, and fails with the connection")
    func pings() async throws {
        let harness = try Harness()
        let cancelled = Task { try await harness.socket.ping() }
        #expect(await harness.take() == ["ping 0.0.0.0.0.0.0.1."])
        cancelled.cancel()
        let error = await #expect(throws: URLError.self) { try await cancelled.value }
        #expect(error?.code == .cancelled)
        let answered = Task { try await harness.socket.ping() }
        #expect(await harness.take() == ["ping 0.0.0.0.0.0.0.2."])
        harness.clock.advance(by: .milliseconds(30))
        harness.push(Frames.frame(0x8A, [0, 0, 0, 0, 0, 0, 0, 2]))
        #expect(try await answered.value == .milliseconds(30))
        let lost = Task { try await harness.socket.ping() }
        #expect(await harness.take() == ["ping 0.0.0.0.0.0.0.3."])
        harness.end()
        let lostError = await #expect(throws: URLError.self) { try await lost.value }
        #expect(lostError?.code == .networkConnectionLost)
        #expect(harness.connection.withState { state, _ in state.pings.isEmpty })
    }

    @Test("a ping of a cancelled task fails with the cancellation, which has closed the connection")
    func pingAfterCancellation() async throws {
        let harness = try Harness()
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try? await harness.socket.receive()
            return try await harness.socket.ping()
        }
        let error = await #expect(throws: URLError.self) { try await cancelled.value }
        #expect(error?.code == .cancelled)
    }

    @Test("messages that arrive before the application closes the connection can be read, and later ones are dropped")
    func messagesAndClosing() async throws {
        let harness = try Harness(WebSocketOptions(compression: nil, bufferSize: 300, keepAlive: nil))
        for _ in 0..<50 { harness.push(Self.binary(90)) }
        harness.push(Frames.frame(0x88, [0x03, 0xE8]))
        await harness.until { $0.input != nil }
        let task = Task { try await harness.socket.close() }
        // The peer's close frame is behind all messages.
        #expect(await harness.take() == ["close 3.e8."])
        #expect(await harness.take() == ["end"])
        harness.end()
        try await task.value
        var count = 0
        while try await harness.socket.receive() != nil { count += 1 }
        #expect(count == 2)
        #expect(harness.socket.closeCode == .normal)
    }

    @Test("a cancelled task gets no messages that have arrived before")
    func cancelledReader() async throws {
        let harness = try Harness()
        harness.push(Self.binary(1), Self.binary(2))
        await harness.until { $0.parts.count == 2 }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await harness.socket.receive()
        }
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(await harness.take() == ["close 3.e9."])
    }
}
