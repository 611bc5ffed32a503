import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore
@testable import MoyaURLSessionTransport

@Suite("URLSession tasks are suspended for slow readers")
struct URLSessionFlowControlTests {
    /// Counts suspensions as URLSession does.
    private final class SuspendableTask: Sendable {
        private let state = Locked((suspensions: 0, calls: 0, deepest: 0))

        var suspensions: Int { state.withLock { $0.suspensions } }
        var calls: Int { state.withLock { $0.calls } }
        var deepest: Int { state.withLock { $0.deepest } }

        func suspend() {
            state.withLock { state in
                state.suspensions += 1
                state.calls += 1
                state.deepest = max(state.deepest, state.suspensions)
            }
        }

        func resume() {
            state.withLock { state in
                state.suspensions -= 1
                state.calls += 1
            }
        }
    }

    private let task = SuspendableTask()
    private let exchange: Exchange
    private let flow: URLSessionFlowControl

    init() throws {
        var request = TransportRequest(method: .get, url: try #require(URL(string: "http://h/")))
        request.responseBufferLimit = 0
        exchange = Exchange(request)
        flow = URLSessionFlowControl(suspend: { [task] in task.suspend() }, resume: { [task] in task.resume() })
    }

    private func stream() async throws -> TransportBodyStream.AsyncIterator {
        let response = try await exchange.perform {
            exchange.receivedHead(ResponseHead(status: 200, headers: [:]))
            exchange.setCarrier(Exchange.Carrier(stop: { _ in }, schedule: { _, _ in {} }))
        }
        guard case .stream(let stream) = response.body else { throw URLError(.unknown) }
        return stream.makeAsyncIterator()
    }

    private static let chunk = Data(count: ExchangeStateMachine.defaultMaximumBuffered / 2 + 1)

    @Test(
        "chunks after the suspension do not suspend the task again, and the task resumes when the reader has taken all of them"
    )
    func late() async throws {
        var reader = try await stream()
        for _ in 0..<4 { flow.received(Self.chunk, by: exchange) }
        #expect(task.suspensions == 1)
        #expect(try await reader.next()?.count == 4 * Self.chunk.count)
        #expect(task.suspensions == 0)
        #expect(task.calls == 2)
    }

    @Test("chunks within the limit do not suspend the URLSession task")
    func room() async throws {
        var reader = try await stream()
        for _ in 0..<100 {
            flow.received(Self.chunk, by: exchange)
            #expect(try await reader.next() == Self.chunk)
        }
        #expect(task.calls == 0)
    }

    @Test("a suspended URLSession task is resumed when the reader is released")
    func readerGoes() async throws {
        var reader: TransportBodyStream.AsyncIterator? = try await stream()
        for _ in 0..<4 { flow.received(Self.chunk, by: exchange) }
        #expect(task.suspensions == 1)
        #expect(reader != nil)
        reader = nil
        #expect(task.suspensions == 0)
    }

    @Test("a reader with the speed of URLSession suspends the task at most once at a time")
    func race() async throws {
        var reader = try await stream()
        let count = 200
        async let sent: Void = Task.detached { [flow, exchange] in
            for _ in 0..<count { flow.received(Self.chunk, by: exchange) }
            exchange.finished()
        }.value
        var received = 0
        while let chunk = try await reader.next() { received += chunk.count }
        await sent
        #expect(received == count * Self.chunk.count)
        #expect(task.suspensions == 0)
        #expect(task.deepest <= 1)
    }
}
