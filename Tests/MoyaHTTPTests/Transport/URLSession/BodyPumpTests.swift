import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaURLSessionTransport

@Suite("A pump writes the body to URLSession's stream")
struct BodyPumpTests {
    /// The written bytes, and whether the stream has ended.
    private final class Sink: BodySink {
        private let state = Locked((data: Data(), isClosed: false))
        let closed = Promise<Void>()
        /// Fulfilled with the first piece.
        let written = Promise<Void>()
        private let takesAll: Bool

        init(takesAll: Bool = true) { self.takesAll = takesAll }

        var data: Data { state.withLock { $0.data } }
        var isClosed: Bool { state.withLock { $0.isClosed } }

        func write(_ piece: Data) async -> Bool {
            state.withLock { $0.data += piece }
            written.fulfill(())
            // Like an unread stream: it has room only after its end.
            if !takesAll { await closed.wait() }
            return takesAll
        }

        func close() {
            state.withLock { $0.isClosed = true }
            closed.fulfill(())
        }
    }

    private static let bytes = Data.pattern(300_000)

    @Test("the pump of a body writes a whole body and then ends the stream")
    func whole() async throws {
        let sink = Sink()
        let pump = BodyPump(try HTTPBody.data(Self.bytes).open(), into: sink) { Issue.record($0) }
        #expect(sink.data.isEmpty)
        pump.start()
        await sink.closed.wait()
        #expect(sink.data == Self.bytes)
    }

    @Test("the pump of a body leaves the stream open when the body fails, because its end would complete the body")
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

    @Test("the pump of a body stops reading, and stops a blocked write, when the exchange ends")
    func cancelled() async throws {
        let ended = Promise<Void>()
        // Only the body retains the sequence. If the pump ends between two reads, the release of the sequence ends it.
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

    @Test("the pump of a body reads nothing more after it is stopped, and does not end the stream")
    func stopped() async throws {
        let sink = Sink()
        let pump = BodyPump(try HTTPBody.data(Self.bytes).open(), into: sink) { Issue.record($0) }
        pump.stop()
        pump.start()
        #expect(sink.data.isEmpty)
        #expect(!sink.isClosed)
    }
}
