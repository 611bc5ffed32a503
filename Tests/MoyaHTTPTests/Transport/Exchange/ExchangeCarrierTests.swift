import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore

@Suite("An exchange controls its carrier")
struct ExchangeCarrierTests {
    /// Counts the exchange's calls of the carrier.
    private final class Carrier: Sendable {
        private let counts = Locked((reads: 0, stops: 0, timers: 0))

        var reads: Int { counts.withLock { $0.reads } }
        var stops: Int { counts.withLock { $0.stops } }
        var runningTimers: Int { counts.withLock { $0.timers } }

        func continueReading() { counts.withLock { $0.reads += 1 } }

        var calls: Exchange.Carrier {
            Exchange.Carrier(
                stop: { _ in self.counts.withLock { $0.stops += 1 } },
                schedule: { _, _ in
                    self.counts.withLock { $0.timers += 1 }
                    return { self.counts.withLock { $0.timers -= 1 } }
                }
            )
        }
    }

    private func makeExchange(bufferLimit: Int) throws -> Exchange {
        var request = TransportRequest(method: .get, url: try #require(URL(string: "http://h/")))
        request.responseBufferLimit = bufferLimit
        return Exchange(request)
    }

    /// A chunk of more than the read-ahead.
    private static let tooMuch = Data(count: ExchangeStateMachine.defaultMaximumBuffered + 1)

    @Test("a held carrier is allowed to continue and is stopped when the reader is released")
    func heldCarrier() async throws {
        let exchange = try makeExchange(bufferLimit: 0)
        let carrier = Carrier()
        var response: TransportResponse? = try await exchange.perform {
            exchange.receivedHead(ResponseHead(status: 200, headers: [:]))
            exchange.setCarrier(carrier.calls)
        }
        exchange.received(Self.tooMuch) { carrier.continueReading() }
        #expect(carrier.reads == 0)
        #expect(response != nil)
        response = nil
        #expect(carrier.reads == 1)
        #expect(carrier.stops == 1)
        #expect(carrier.runningTimers == 0)
    }

    @Test("a held chunk is delivered when the reader has taken the buffered data")
    func readMore() async throws {
        let exchange = try makeExchange(bufferLimit: 0)
        let carrier = Carrier()
        let response = try await exchange.perform {
            exchange.receivedHead(ResponseHead(status: 200, headers: [:]))
            exchange.setCarrier(carrier.calls)
        }
        guard case .stream(let stream) = response.body else {
            Issue.record("no stream")
            return
        }
        exchange.received(Self.tooMuch) { carrier.continueReading() }
        var iterator = stream.makeAsyncIterator()
        #expect(carrier.reads == 0)
        #expect(try await iterator.next() == Self.tooMuch)
        #expect(carrier.reads == 1)
        exchange.finished()
        #expect(try await iterator.next() == nil)
        #expect(carrier.stops == 0)
        #expect(carrier.runningTimers == 0)
    }

    @Test("an exchange that ends before its carrier is known neither stops the carrier nor keeps a timer")
    func overAtOnce() async throws {
        let exchange = try makeExchange(bufferLimit: 10)
        let carrier = Carrier()
        let response = try await exchange.perform {
            exchange.receivedHead(ResponseHead(status: 204, headers: [:]))
            exchange.finished()
            exchange.setCarrier(carrier.calls)
        }
        #expect(response.status == 204)
        #expect(carrier.stops == 0)
        #expect(carrier.runningTimers == 0)
    }

    @Test(
        "a timeout makes the connection suspect, or the connect attempt that nothing else ends or that is the only hope",
        arguments: [
            // Whether the connect time is limited, and whether there is no connection; nil for an exchange with a connection.
            (RequestTimeoutError.Kind.connect, (true, true), false), (.connect, (false, true), true),
            (.pool, (true, false), false), (.pool, (true, true), false), (.pool, (false, false), true),
            (.idle, (true, true), true), (.idle, (true, false), false), (.idle, (false, false), true),
            (.attempt, (true, true), true), (.attempt, (true, false), false), (.total, (true, true), true),
            (.idle, nil, true), (.firstByte, nil, true), (.attempt, nil, true), (.total, nil, true),
        ] as [(RequestTimeoutError.Kind, (isLimited: Bool, isDisconnected: Bool)?, Bool)]
    )
    func suspect(
        kind: RequestTimeoutError.Kind,
        pool: (isLimited: Bool, isDisconnected: Bool)?,
        isSuspect: Bool
    ) {
        let status = pool.map { pool in
            PoolStatus(
                timeout: nil,
                isConnectLimited: pool.isLimited,
                disconnected: pool.isDisconnected ? .zero : nil,
                capacity: 1,
                isForStreams: false,
                server: ""
            )
        }
        #expect(Exchange.isCarrierSuspect(after: kind, status) == isSuspect)
    }

    @Test("a carrier that begins after the cancellation is stopped")
    func beginsLate() async throws {
        let exchange = try makeExchange(bufferLimit: 10)
        let carrier = Carrier()
        let isAsked = Promise<Void>()
        let response = Task { try await exchange.perform { isAsked.fulfill(()) } }
        await isAsked.wait()
        response.cancel()
        let error = await #expect(throws: URLError.self) { try await response.value }
        #expect(error?.code == .cancelled)
        #expect(exchange.isOver)
        exchange.setCarrier(carrier.calls)
        #expect(carrier.stops == 1)
        #expect(carrier.runningTimers == 0)
    }

    @Test("the first error ends an exchange, and later events are ignored")
    func error() async throws {
        let exchange = try makeExchange(bufferLimit: 10)
        let carrier = Carrier()
        await #expect(throws: URLError(.networkConnectionLost)) {
            try await exchange.perform {
                exchange.failed(URLError(.networkConnectionLost))
                exchange.failed(URLError(.timedOut))
                exchange.receivedHead(ResponseHead(status: 200, headers: [:]))
                exchange.received(Data("x".utf8)) { carrier.continueReading() }
                exchange.finished()
                exchange.setCarrier(carrier.calls)
            }
        }
        #expect(carrier.reads == 1)
        #expect(carrier.runningTimers == 0)
    }

    @Test("each held chunk lets the carrier continue once, after the reader has taken the chunks")
    func severalHeld() async throws {
        let exchange = try makeExchange(bufferLimit: 0)
        let carrier = Carrier()
        let response = try await exchange.perform {
            exchange.receivedHead(ResponseHead(status: 200, headers: [:]))
            exchange.setCarrier(carrier.calls)
        }
        guard case .stream(let stream) = response.body else {
            Issue.record("no stream")
            return
        }
        for _ in 0..<4 { exchange.received(Self.tooMuch) { carrier.continueReading() } }
        #expect(carrier.reads == 0)
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next()?.count == 4 * Self.tooMuch.count)
        #expect(carrier.reads == 4)
        exchange.finished()
        #expect(try await iterator.next() == nil)
        #expect(carrier.reads == 4)
    }

    @Test(
        "a call for a chunk fails while another one waits, which gets the chunk even if the failing call is cancelled",
        arguments: [false, true]
    )
    func overlappingReads(isCancelled: Bool) async throws {
        let exchange = try makeExchange(bufferLimit: 0)
        let response = try await exchange.perform {
            exchange.receivedHead(ResponseHead(status: 200, headers: [:]))
        }
        guard case .stream(let stream) = response.body else {
            Issue.record("no stream")
            return
        }
        let iterator = stream.makeAsyncIterator()
        let first = Task {
            var iterator = iterator
            return try await iterator.next()
        }
        while exchange.state.withLock({ $0.chunkWaiter == nil }) { await Task.yield() }
        let overlapping = Task {
            var iterator = iterator
            if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            return try await iterator.next()
        }
        let error = await #expect(throws: URLError.self) { try await overlapping.value }
        #expect(error?.code == .resourceUnavailable)
        exchange.received(Data("ab".utf8)) {}
        #expect(try await first.value == Data("ab".utf8))
        exchange.finished()
        var second = iterator
        #expect(try await second.next() == nil)
    }

    @Test("a reader that ignores the error of a response body gets the error again, and never the end")
    func repeatedError() async throws {
        let exchange = try makeExchange(bufferLimit: 0)
        let response = try await exchange.perform { exchange.receivedHead(ResponseHead(status: 200, headers: [:])) }
        guard case .stream(let stream) = response.body else {
            Issue.record("no stream")
            return
        }
        let iterator = stream.makeAsyncIterator()
        exchange.failed(URLError(.networkConnectionLost))
        for _ in 1...3 {
            var reader = iterator
            let error = await #expect(throws: URLError.self) { try await reader.next() }
            #expect(error?.code == .networkConnectionLost)
        }
        #expect(stream.trailers == nil)
    }

    @Test("a request body that fails stops its carrier before the carrier sends the body's end")
    func failingBody() async throws {
        let exchange = try makeExchange(bufferLimit: 10)
        let carrier = Carrier()
        let error = await #expect(throws: RequestBodyError.self) {
            try await exchange.perform {
                exchange.setCarrier(carrier.calls)
                exchange.bodyFailed(RequestBodyError(.failed))
            }
        }
        #expect(error?.reason == .failed)
        #expect(carrier.stops == 1)
        #expect(carrier.runningTimers == 0)
    }

    @Test("a request body that fails before its carrier is known stops the carrier when the carrier begins")
    func failingBodyBeforeCarrier() async throws {
        let exchange = try makeExchange(bufferLimit: 10)
        let carrier = Carrier()
        await #expect(throws: RequestBodyError.self) {
            try await exchange.perform {
                exchange.bodyFailed(RequestBodyError(.failed))
                exchange.setCarrier(carrier.calls)
            }
        }
        #expect(carrier.stops == 1)
        #expect(carrier.runningTimers == 0)
    }

    @Test("a request body that fails before the response is awaited fails the exchange, and nothing is started")
    func failingBodyBeforeResponse() async throws {
        let exchange = try makeExchange(bufferLimit: 10)
        exchange.bodyFailed(RequestBodyError(.failed))
        var isStarted = false
        let error = await #expect(throws: RequestBodyError.self) {
            // Without the error, nothing else would end the exchange.
            try await exchange.perform {
                isStarted = true
                exchange.failed(URLError(.unknown))
            }
        }
        #expect(error?.reason == .failed)
        #expect(!isStarted)
    }

    @Test("an exchange that is cancelled before the response is awaited throws an error, and nothing is started")
    func cancelledBeforeResponse() async throws {
        let exchange = try makeExchange(bufferLimit: 10)
        exchange.cancel()
        let error = await #expect(throws: URLError.self) {
            try await exchange.perform { exchange.failed(URLError(.unknown)) }
        }
        #expect(error?.code == .cancelled)
    }
}
