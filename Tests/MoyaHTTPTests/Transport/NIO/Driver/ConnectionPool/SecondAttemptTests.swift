#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("A second connection attempt runs beside a stalled attempt", .timeLimit(.minutes(5)))
struct SecondAttemptTests {
    private typealias Machine = ConnectionPoolStateMachine

    private func machine(limit: Int = 6) -> Machine {
        Machine(maximumConnections: limit, protocols: .http2AndHTTP1, idleTimeout: .seconds(60))
    }

    /// A machine with a stalled attempt, a second one and a number of waiting requests.
    private func stalled(_ requests: Int = 1, limit: Int = 6) -> Machine {
        var state = machine(limit: limit)
        for _ in 0..<requests { _ = state.place(at: .zero) }
        _ = state.beganConnecting(1, at: .zero)
        #expect(state.deadlinePassed(at: .milliseconds(250)) == [.open(2)])
        _ = state.beganConnecting(2, at: .milliseconds(250))
        return state
    }

    @Test("the second connection attempt starts after 250 ms of connecting, not counting the lookup")
    func delay() {
        var state = machine()
        #expect(state.place(at: .zero).1 == .wait([.open(1)]))
        #expect(state.nextDeadline == nil, "the name is not resolved")
        #expect(state.deadlinePassed(at: .seconds(5)) == [])
        #expect(state.beganConnecting(1, at: .seconds(5)) == [])
        #expect(state.nextDeadline == .milliseconds(5_250))
        #expect(state.deadlinePassed(at: .milliseconds(5_249)) == [])
        #expect(state.deadlinePassed(at: .milliseconds(5_250)) == [.open(2)])
        #expect(state.beganConnecting(2, at: .milliseconds(5_250)) == [])
        #expect(state.nextDeadline == nil, "there is no third one")
        #expect(state.deadlinePassed(at: .seconds(9)) == [])
        #expect(state.place(at: .seconds(9)).1 == .wait([]))
    }

    @Test(
        "the second connection attempt does not start without a waiting request, with a limit of one connection, or if disabled"
    )
    func none() {
        var preconnected = machine()
        #expect(preconnected.preconnect(1) == [.open(1)])
        _ = preconnected.beganConnecting(1, at: .zero)
        #expect(preconnected.nextDeadline == nil)
        #expect(preconnected.deadlinePassed(at: .seconds(1)) == [])
        #expect(preconnected.place(at: .seconds(1)).1 == .wait([.open(2)]), "now a request waits")
        for var state in [
            machine(limit: 1),
            Machine(
                maximumConnections: 6,
                protocols: .http2AndHTTP1,
                idleTimeout: .seconds(1),
                secondConnectDelay: nil
            ),
            Machine(maximumConnections: 6, protocols: .http1, idleTimeout: .seconds(1)),
        ] {
            _ = state.place(at: .zero)
            _ = state.beganConnecting(1, at: .zero)
            #expect(state.nextDeadline == nil)
            #expect(state.deadlinePassed(at: .seconds(5)) == [])
        }
    }

    @Test(
        "the first connection that is ready wins over the other connection attempt, which is cancelled",
        arguments: [1, 2]
    )
    func first(_ ready: Int) {
        let other = 3 - ready
        var http2 = stalled(2)
        #expect(
            http2.connectedHTTP2(ready, streams: 9, at: .seconds(1))
                == [.run(1, on: ready), .run(2, on: ready), .cancelConnect(other)]
        )
        #expect(http2.connectedHTTP2(other, streams: 9, at: .seconds(1)) == [.close(other)])
        var http1 = stalled()
        #expect(http1.connectedHTTP1(ready, at: .seconds(1)) == [.run(1, on: ready), .cancelConnect(other)])
        #expect(http1.connectedHTTP1(other, at: .seconds(1)) == [.close(other)])
        var waiting = stalled(3, limit: 3)
        #expect(
            waiting.connectedHTTP1(ready, at: .seconds(1)) == [.run(1, on: ready), .open(3)],
            "the other one, and a third, are for the requests that wait"
        )
    }

    @Test("the requests fail when both connection attempts have failed")
    func failures() {
        var state = stalled()
        #expect(state.connectFailed(1, at: .seconds(10)) == [])
        #expect(state.deadlinePassed(at: .milliseconds(10_200)) == [])
        #expect(state.connectFailed(2, at: .milliseconds(10_250)) == [.fail(1)])
        #expect(state.waitingCount == 0)
        var other = stalled()
        #expect(other.connectFailed(2, at: .seconds(1)) == [])
        #expect(other.deadlinePassed(at: .seconds(9)) == [])
        #expect(other.connectFailed(1, at: .seconds(10)) == [.fail(1)])
    }

    @Test("both connection attempts are cancelled when the last request is cancelled", arguments: [false, true])
    func cancellation(timedOut: Bool) {
        var state = stalled()
        let actions = state.requestCancelled(1, timedOut: timedOut, at: .seconds(1))
        #expect(actions == [.cancelConnect(1), .cancelConnect(2)])
        #expect(state.place(at: .seconds(1)).1 == .wait([.open(3)]))
    }

    @Test(
        "the second connection attempt stays for other requests when one is cancelled, and is replaced after a timeout"
    )
    func others() {
        var cancelled = stalled(2)
        #expect(cancelled.requestCancelled(1, timedOut: false, at: .seconds(1)) == [])
        #expect(cancelled.connectedHTTP2(2, streams: 9, at: .seconds(1)) == [.run(2, on: 2)] + [.cancelConnect(1)])
        var timedOut = stalled(2)
        #expect(timedOut.requestCancelled(1, timedOut: true, at: .seconds(9)) == [.cancelConnect(1), .open(3)])
    }

    @Test("the second connection attempt starts again for a connection that the server has closed")
    func known() {
        var state = machine()
        _ = state.place(at: .zero)
        _ = state.connectedHTTP2(1, streams: 9, at: .zero)
        #expect(state.beganGoingAway(1, at: .zero) == [])
        #expect(state.place(at: .zero).1 == .wait([.open(2)]))
        _ = state.beganConnecting(2, at: .zero)
        #expect(state.deadlinePassed(at: .milliseconds(250)) == [.open(3)])
    }

    @Test(
        "the second connection attempt reaches a server whose first connection never completes TLS, for all waiting requests",
        arguments: [false, true]
    )
    func live(http2: Bool) async throws {
        let authority = try TestAuthority()
        let server = try await SecureServer(
            tls: authority.issue().serverConfiguration(),
            http2: http2,
            stalledConnections: 1
        )
        var configuration = try TransportConfiguration(trusting: authority)
        configuration.startsSecondAttempt = true
        // Without a second attempt the requests would wait for the first connection until they time out.
        configuration.connectTimeout = nil
        let transport = try NIOTransport(connection: configuration)
        try await transport.shutDown(after: {
            try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<5 {
                    group.addTask {
                        let url = server.url("/\(number)")
                        let request = TransportRequest(method: .get, url: url, idleTimeout: .seconds(60))
                        return try await SecureExchanges.text(of: transport.send(request))
                    }
                }
                let texts = try await group.reduce(into: Set<String>()) { $0.insert($1) }
                #expect(texts == Set((0..<5).map { "GET /\($0) \(http2 ? 2 : 1)" }))
            }
        })
        try await server.shutDown()
    }
}
#endif
