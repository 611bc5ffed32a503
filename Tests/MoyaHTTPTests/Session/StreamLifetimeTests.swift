import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The lifetime of the transport is limited during a streamed response", .timeLimit(.minutes(5)))
struct StreamLifetimeTests {
    /// Ends its bodies on release, like a transport that owns its connections.
    private final class Engine: HTTPTransport {
        private let isShutDown = Locked(false)
        private let failure: URLError?
        private let status: Int

        init(status: Int = 200, then failure: URLError? = nil) {
            self.status = status
            self.failure = failure
        }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let rest = Locked(["a", "b", "c"])
            let body = TransportBodyStream { [isShutDown, failure] in
                if isShutDown.withLock({ $0 }) { throw URLError(.cancelled) }
                let chunk = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                if chunk == nil, let failure { throw failure }
                return chunk.map { Data($0.utf8) }
            }
            return TransportResponse(status: status, body: .stream(body))
        }

        func shutdown() async { isShutDown.withLock { $0 = true } }

        deinit { isShutDown.withLock { $0 = true } }
    }

    private final class Weak {
        weak var engine: Engine?
    }

    private struct Silent: EventMonitor {
        func record(_ event: RequestEvent) {}
    }

    /// Opens a stream with a session that is not retained elsewhere.
    private func open(_ kept: Weak, then failure: URLError? = nil, isWatched: Bool) async throws -> TransportBodyStream
    {
        let engine = Engine(then: failure)
        kept.engine = engine
        return try await Session(transport: engine, eventMonitors: isWatched ? [Silent()] : [])
            .stream(for: URLRequest.some()).body
    }

    @Test(
        "a streamed response releases the transport at the end of the body, even if the reader is retained",
        arguments: [false, true]
    )
    func readToTheEnd(isWatched: Bool) async throws {
        let kept = Weak()
        var body = try await open(kept, isWatched: isWatched).makeAsyncIterator()
        #expect(kept.engine != nil)
        for chunk in ["a", "b", "c"] { #expect(try await body.next() == Data(chunk.utf8)) }
        #expect(try await body.next() == nil)
        #expect(kept.engine == nil)
        #expect(try await body.next() == nil)
    }

    @Test(
        "a streamed response releases the transport at the body's error, even if the reader is retained",
        arguments: [false, true]
    )
    func failed(isWatched: Bool) async throws {
        let kept = Weak()
        var body = try await open(kept, then: URLError(.networkConnectionLost), isWatched: isWatched)
            .makeAsyncIterator()
        for chunk in ["a", "b", "c"] { #expect(try await body.next() == Data(chunk.utf8)) }
        let error = await #expect(throws: URLError.self) { try await body.next() }
        #expect(error?.code == .networkConnectionLost)
        #expect(kept.engine == nil)
    }

    @Test(
        "a streamed response releases the transport when the body is released, whether it was read or not",
        arguments: [false, true],
        [false, true]
    )
    func dropped(isBegun: Bool, isWatched: Bool) async throws {
        let kept = Weak()
        do {
            let stream = try await open(kept, isWatched: isWatched)
            #expect(kept.engine != nil)
            if isBegun {
                var body = stream.makeAsyncIterator()
                #expect(try await body.next() == Data("a".utf8))
                #expect(kept.engine != nil)
            }
        }
        #expect(kept.engine == nil)
    }

    @Test("the transport is released before a collected body is read, such as that of a status that is not accepted")
    func collected() async throws {
        let kept = Weak()
        let engine = Locked<Engine?>(Engine(status: 500))
        kept.engine = engine.withLock { $0 }
        let body = try await Session(transport: try #require(engine.withLock { $0 }))
            .stream(
                for: URLRequest.some(),
                record: RequestRecord(),
                settings: RequestSettings(isAccepted: { $0 < 400 })
            ).body
        engine.withLock { $0 = nil }
        #expect(kept.engine == nil)
        var data = Data()
        for try await chunk in body { data += chunk }
        #expect(data == Data("abc".utf8))
    }
}
