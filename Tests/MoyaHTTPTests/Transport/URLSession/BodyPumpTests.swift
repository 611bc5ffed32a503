import Foundation
import Testing

@testable import MoyaHTTP

@Suite("The pump that fills URLSession's stream")
struct BodyPumpTests {
    /// What is written, and whether the stream has ended.
    private final class Sink: BodySink {
        private let state = Locked((data: Data(), isClosed: false))
        let closed = Promise<Void>()
        /// Given with the first piece.
        let written = Promise<Void>()
        private let takesAll: Bool

        init(takesAll: Bool = true) { self.takesAll = takesAll }

        var data: Data { state.withLock { $0.data } }
        var isClosed: Bool { state.withLock { $0.isClosed } }

        func write(_ piece: Data) async -> Bool {
            state.withLock { $0.data += piece }
            written.fulfill(())
            // Like a stream that nobody reads: room comes with the end only.
            if !takesAll { await closed.wait() }
            return takesAll
        }

        func close() {
            state.withLock { $0.isClosed = true }
            closed.fulfill(())
        }
    }

    private static let bytes = Data.pattern(300_000)

    @Test("a whole body is written, and then the stream ends")
    func whole() async throws {
        let sink = Sink()
        let pump = BodyPump(try HTTPBody.data(Self.bytes).open(), into: sink) { Issue.record($0) }
        #expect(sink.data.isEmpty)
        pump.start()
        await sink.closed.wait()
        #expect(sink.data == Self.bytes)
    }

    @Test("a body that fails leaves the stream open: its end would be that of a whole body")
    func failing() async throws {
        struct Broken: Error {}
        let sink = Sink()
        let failure = Promise<RequestBodyError>()
        let body = HTTPBody.sequence(elements([Self.bytes], then: Broken()))
        let pump = BodyPump(try body.open(), into: sink) { failure.fulfill($0) }
        pump.start()
        #expect(await failure.wait().reason == .failed)
        #expect(!sink.isClosed)
        pump.close()
        #expect(sink.isClosed)
    }

    @Test("when the exchange ends, reading ends, and so does a write that waits for room")
    func cancelled() async throws {
        let ended = Promise<Void>()
        // Only the body keeps the sequence: it also ends when it is released, if the pump ends between two reads.
        func endlessBody() -> HTTPBody {
            .sequence(
                AsyncStream<Data> { continuation in
                    continuation.yield(Self.bytes)
                    continuation.onTermination = { _ in ended.fulfill(()) }
                }
            )
        }
        for takesAll in [true, false] {
            let sink = Sink(takesAll: takesAll)
            let body: HTTPBody = takesAll ? endlessBody() : .data(Self.bytes)
            let pump = BodyPump(try body.open(), into: sink) { Issue.record($0) }
            pump.start()
            await sink.written.wait()
            pump.close()
            await sink.closed.wait()
        }
        await ended.wait()
    }

    @Test("a pump that is stopped reads nothing more, and does not end the stream")
    func stopped() async throws {
        let sink = Sink()
        let pump = BodyPump(try HTTPBody.data(Self.bytes).open(), into: sink) { Issue.record($0) }
        pump.stop()
        pump.start()
        #expect(sink.data.isEmpty)
        #expect(!sink.isClosed)
    }
}
