#if NIO && !canImport(Darwin)
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("A pool can preconnect")
struct PreconnectStateTests {
    private func pool(limit: Int = 3, protocols: OfferedProtocols = .http1) -> ConnectionPoolStateMachine {
        ConnectionPoolStateMachine(maximumConnections: limit, protocols: protocols, idleTimeout: .seconds(60))
    }

    @Test(
        "a preconnecting pool opens the missing connections, up to the limit, and only one while the version is unknown"
    )
    func count() {
        var pool = pool()
        #expect(pool.preconnect(2) == [.open(1), .open(2)])
        #expect(pool.preconnect(2) == [])
        #expect(pool.preconnect(9) == [.open(3)])
        #expect(pool.connectedHTTP1(1, at: .zero) == [])
        #expect(pool.hasConnections(1))
        #expect(!pool.hasConnections(2))
        #expect(pool.preconnect(1) == [])
        var unknown = self.pool(protocols: .http2AndHTTP1)
        #expect(unknown.preconnect(3) == [.open(1)])
        #expect(unknown.connectedHTTP2(1, streams: 100, at: .zero) == [])
        #expect(unknown.hasConnections(3))
        #expect(unknown.preconnect(3) == [])
    }

    @Test("a request can use a preconnection's attempt, which continues if the request is cancelled")
    func request() {
        var pool = pool()
        #expect(pool.preconnect(1) == [.open(1)])
        let (first, result) = pool.place(at: .zero)
        #expect(result == .wait([]))
        #expect(pool.requestCancelled(first, timedOut: false, at: .zero) == [])
        let (second, _) = pool.place(at: .zero)
        #expect(pool.connectedHTTP1(1, at: .zero) == [.run(second, on: 1)])
        #expect(pool.hasConnections(1))
    }

    @Test("cancelling the preconnection closes the attempts that no request waits for")
    func cancel() {
        var pool = pool()
        #expect(pool.preconnect(2) == [.open(1), .open(2)])
        let (request, _) = pool.place(at: .zero)
        #expect(pool.cancelPreconnecting() == [.cancelConnect(2)])
        #expect(pool.requestCancelled(request, timedOut: false, at: .zero) == [.cancelConnect(1)])
    }

    @Test("the connection for a caller's event loop opens beside others, up to the limit, and not after a failure")
    func another() {
        var pool = pool(limit: 2)
        let (first, _) = pool.place(at: .zero)
        #expect(pool.connectedHTTP1(1, at: .zero) == [.run(first, on: 1)])
        #expect(pool.openAnother() == [.open(2)])
        #expect(pool.openAnother() == [])
        // No request has to wait for it.
        #expect(pool.freed(1, at: .zero) == [])
        #expect(pool.connectFailed(2, at: .zero) == [])
        #expect(pool.openAnother() == [])
        #expect(pool.place(at: .zero).1 == .run(on: 1))
    }

    @Test("no other connection opens for a caller's event loop over HTTP/2, or while the version is unknown")
    func anotherHTTP2() {
        var pool = pool(protocols: .http2AndHTTP1)
        #expect(pool.openAnother() == [])
        let (request, _) = pool.place(at: .zero)
        #expect(pool.connectedHTTP2(1, streams: 100, at: .zero) == [.run(request, on: 1)])
        #expect(pool.openAnother() == [])
    }

    @Test("a preconnecting pool allows another attempt immediately after a failed attempt")
    func failure() {
        var pool = pool(limit: 1)
        #expect(pool.preconnect(1) == [.open(1)])
        #expect(pool.connectFailed(1, at: .zero) == [])
        #expect(pool.preconnect(1) == [.open(2)])
    }
}
#endif
