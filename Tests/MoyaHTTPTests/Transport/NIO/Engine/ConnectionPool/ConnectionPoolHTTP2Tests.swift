#if NIO && !canImport(Darwin)
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("A pool assigns HTTP/2 streams to requests")
struct ConnectionPoolHTTP2Tests {
    private typealias Machine = ConnectionPoolStateMachine

    @Test("one connection is opened while the HTTP version is unknown, and over HTTP/2 it carries all requests")
    func shared() {
        var state = Machine.either()
        #expect(state.arrive(3) == [.wait([.open(1)]), .wait([]), .wait([])])
        #expect(
            state.connectedHTTP2(1, streams: 100, at: .zero) == [.run(1, on: 1), .run(2, on: 1), .run(3, on: 1)]
        )
        #expect(state.arrive(2) == [.run(on: 1), .run(on: 1)])
        for _ in 0..<5 { #expect(state.streamEnded(on: 1, at: .seconds(5)) == []) }
        #expect(state.nextDeadline == .seconds(65))
        #expect(state.deadlinePassed(at: .seconds(64)) == [])
        #expect(state.deadlinePassed(at: .seconds(65)) == [.close(1)])
        #expect(
            state.arrive(2) == [.wait([.open(2)]), .wait([])],
            "it is still HTTP/2 that is expected"
        )
    }

    @Test("requests beyond the HTTP/2 server's limit wait, and requests that are sent again go before them")
    func streamLimit() {
        var state = Machine.either(limit: 1)
        _ = state.arrive(3)
        #expect(state.connectedHTTP2(1, streams: 1, at: .zero) == [.run(1, on: 1)])
        #expect(state.streamLimitChanged(to: 2, on: 1, at: .zero) == [.run(2, on: 1)])
        #expect(state.arrive(isResent: true) == [.wait([])])
        #expect(state.streamEnded(on: 1, at: .zero) == [.run(4, on: 1)])
        #expect(state.requestCancelled(3, timedOut: true, at: .zero) == [])
        #expect(state.streamEnded(on: 1, at: .zero) == [])
        #expect(state.streamLimitChanged(to: 0, on: 1, at: .zero) == [])
        #expect(state.arrive(2) == [.wait([]), .wait([])])
        #expect(state.streamLimitChanged(to: .max, on: 1, at: .zero) == [.run(5, on: 1), .run(6, on: 1)])
    }

    @Test("a pool whose server selects HTTP/1.1 opens connections as if it had offered only HTTP/1.1")
    func notShared() {
        var state = Machine.either()
        _ = state.arrive(3)
        #expect(state.connectedHTTP1(1, at: .zero) == [.run(1, on: 1), .open(2)])
        #expect(state.connectedHTTP1(2, at: .zero) == [.run(2, on: 2)])
        #expect(state.freed(1, at: .zero) == [.run(3, on: 1)])
    }

    @Test(
        "an HTTP/2 connection that the server ends keeps running requests, gets no new requests, and is closed after the last one"
    )
    func beganGoingAway() {
        var state = Machine.either()
        _ = state.arrive(2)
        _ = state.connectedHTTP2(1, streams: 2, at: .zero)
        #expect(state.arrive() == [.wait([])])
        #expect(state.beganGoingAway(1, at: .zero) == [.open(2)], "for the one that waits")
        #expect(state.streamEnded(on: 1, at: .zero) == [])
        #expect(state.streamEnded(on: 1, at: .zero) == [.close(1)])
        #expect(state.connectedHTTP2(2, streams: 2, at: .zero) == [.run(3, on: 2)])
        #expect(state.streamEnded(on: 2, at: .zero) == [])
        #expect(state.beganGoingAway(2, at: .zero) == [.close(2)])
        #expect(state.beganGoingAway(2, at: .zero) == [], "it is gone")
    }

    @Test("no request is sent over HTTP/2 while it is in doubt whether the server responds")
    func unresponsive() {
        var state = Machine.either()
        _ = state.arrive(2)
        _ = state.connectedHTTP2(1, streams: 9, at: .zero)
        #expect(state.responsivenessChanged(to: false, of: 1, at: .zero) == [])
        #expect(state.arrive() == [.wait([.open(2)])])
        #expect(state.connectedHTTP2(2, streams: 9, at: .zero) == [.run(3, on: 2)])
        #expect(state.arrive() == [.run(on: 2)])
        #expect(state.responsivenessChanged(to: true, of: 1, at: .zero) == [], "two are allowed")
        #expect(state.responsivenessChanged(to: false, of: 1, at: .zero) == [])
        #expect(state.arrive() == [.run(on: 2)])
        #expect(state.closed(1, at: .zero) == [])
    }

    @Test(
        "the attempt to replace an HTTP/2 connection in doubt is cancelled when the server responds again, unless it is needed",
        arguments: [
            // The limits of connections and streams, the waiting requests, and whether the attempt goes on.
            (1, 9, 1, false), (1, 2, 1, false), (2, 9, 1, false), (2, 3, 1, false), (2, 3, 2, true), (2, 2, 1, true),
        ]
    )
    func respondsAgain(connections: Int, streams: Int, waiting: Int, isNeeded: Bool) {
        var state = Machine.either(limit: connections)
        _ = state.arrive(2)
        _ = state.connectedHTTP2(1, streams: 2, at: .zero)
        _ = state.streamLimitChanged(to: streams, on: 1, at: .zero)
        _ = state.responsivenessChanged(to: false, of: 1, at: .zero)
        #expect(state.arrive(waiting).filter { $0 != .wait([]) } == [.wait([.open(2)])])
        let runs = (3..<3 + min(waiting, streams - 2)).map { Machine.Action.run($0, on: 1) }
        #expect(
            state.responsivenessChanged(to: true, of: 1, at: .zero) == runs + (isNeeded ? [] : [.cancelConnect(2)])
        )
        #expect(state.connectionCount == (isNeeded ? 2 : 1))
    }

    @Test("a preconnection is satisfied when the server of an HTTP/2 connection in doubt responds again")
    func respondsToPreconnection() {
        var state = Machine.either(limit: 1)
        _ = state.arrive()
        _ = state.connectedHTTP2(1, streams: 9, at: .zero)
        _ = state.responsivenessChanged(to: false, of: 1, at: .zero)
        #expect(state.preconnect(1) == [.open(2)])
        #expect(state.responsivenessChanged(to: true, of: 1, at: .zero) == [.cancelConnect(2)])
        #expect(state.hasConnections(1))
    }

    @Test(
        "an HTTP/2 connection that has been replaced, and responds again beyond the limit, ends its requests and gets no others",
        arguments: [0, 1]
    )
    func replaced(running: Int) {
        var state = Machine.either(limit: 1)
        _ = state.arrive(1 + running)
        _ = state.connectedHTTP2(1, streams: 9, at: .zero)
        _ = state.responsivenessChanged(to: false, of: 1, at: .zero)
        _ = state.streamEnded(on: 1, at: .zero)
        _ = state.arrive()
        _ = state.connectedHTTP2(2, streams: 9, at: .zero)
        let close = [Machine.Action.close(1)]
        #expect(state.responsivenessChanged(to: true, of: 1, at: .zero) == (running == 0 ? close : []))
        #expect(state.connectionCount == 1)
        #expect(state.arrive() == [.run(on: 2)])
        if running == 1 { #expect(state.streamEnded(on: 1, at: .zero) == close) }
    }

    @Test("a server may change the version of HTTP between connections of a pool")
    func otherVersion() {
        var state = Machine.either(limit: 3)
        _ = state.arrive(2)
        #expect(state.connectedHTTP1(1, at: .zero) == [.run(1, on: 1), .open(2)])
        #expect(state.arrive(2) == [.wait([.open(3)]), .wait([])])
        #expect(
            state.connectedHTTP2(2, streams: 9, at: .zero)
                == [.run(2, on: 2), .run(3, on: 2), .run(4, on: 2), .cancelConnect(3)]
        )
        #expect(state.freed(1, at: .zero) == [])
        #expect(state.closed(2, at: .zero) == [])
        #expect(state.arrive(2) == [.run(on: 1), .wait([.open(4)])])
        #expect(state.connectedHTTP1(4, at: .zero) == [.run(6, on: 4)])
    }

    @Test(
        "an HTTP/2 connection gets no more requests than an earlier connection accepted, until the server accepts more"
    )
    func allowance() {
        var state = Machine.either()
        let taken = Machine.Departure(processed: 3, refused: 7)
        _ = state.arrive(10)
        #expect(state.connectedHTTP2(1, streams: 100, at: .zero).count == 10)
        #expect(state.beganGoingAway(1, taken, at: .zero) == [])
        _ = state.arrive(7, isResent: true)
        // Three requests use the connection, and another one is opened for the rest.
        #expect(
            state.connectedHTTP2(2, streams: 100, at: .zero)
                == [.run(11, on: 2), .run(12, on: 2), .run(13, on: 2), .open(3)]
        )
        #expect(state.beganGoingAway(2, .init(processed: 3), at: .zero) == [])
        #expect(
            state.connectedHTTP2(3, streams: 100, at: .zero)
                == [.run(14, on: 3), .run(15, on: 3), .run(16, on: 3), .open(4)]
        )
        // The server responds to the last of them and does not go away.
        #expect(state.streamCompleted(on: 3, number: 2, at: .zero) == [])
        #expect(state.streamCompleted(on: 3, number: 3, at: .zero) == [.run(17, on: 3)])
        #expect(state.arrive(3) == [.run(on: 3), .run(on: 3), .wait([])], "twice as many")
    }

    @Test("an HTTP/2 server that is silent after the last expected request gets more requests a second later")
    func silentServer() {
        var state = Machine.either(limit: 2)
        _ = state.arrive()
        _ = state.connectedHTTP2(1, streams: 100, at: .zero)
        #expect(state.beganGoingAway(1, .init(processed: 1, refused: 4), at: .zero) == [])
        #expect(state.arrive(3) == [.wait([.open(2)]), .wait([]), .wait([])])
        #expect(state.connectedHTTP2(2, streams: 100, at: .seconds(1)) == [.run(2, on: 2), .open(3)])
        #expect(
            state.connectedHTTP2(3, streams: 100, at: .seconds(1)) == [.run(3, on: 3)],
            "as many as over HTTP/1.1"
        )
        #expect(state.nextDeadline == .seconds(2))
        #expect(state.deadlinePassed(at: .seconds(2)) == [.run(4, on: 2)])
        #expect(state.arrive(2, at: .seconds(2)) == [.run(on: 3), .wait([])])
    }

    @Test("a request for which no HTTP/2 stream was opened does not count as accepted")
    func unsent() {
        var state = Machine.either()
        _ = state.arrive()
        _ = state.connectedHTTP2(1, streams: 100, at: .zero)
        _ = state.beganGoingAway(1, .init(processed: 1, refused: 1), at: .zero)
        _ = state.arrive(2)
        #expect(state.connectedHTTP2(2, streams: 100, at: .zero) == [.run(2, on: 2), .open(3)])
        #expect(state.streamUnopened(on: 2, at: .zero) == [.run(3, on: 2)])
    }

    @Test(
        "connections on which the HTTP/2 server refused everything cause growing pauses, and then an error"
    )
    func refusesAll() {
        var state = Machine.either()
        var now = Duration.zero
        var pauses: [Duration] = []
        let refusal = Machine.Departure(processed: 0, refused: 1, isError: true)
        _ = state.arrive()
        for id in 1...5 {
            #expect(state.connectedHTTP2(id, streams: 100, at: now).count == 1)
            #expect(!state.isRefusingAll)
            let actions = state.beganGoingAway(id, refusal, at: now)
            #expect(actions == (id == 5 ? [.fail(6)] : []))
            _ = state.streamEnded(on: id, at: now)
            guard id < 5 else { break }
            #expect(state.arrive(isResent: true, at: now) == [.wait([])])
            if id == 4 { _ = state.arrive(at: now) }
            let next = state.nextDeadline ?? .zero
            pauses.append(next - now)
            now = next
            #expect(state.deadlinePassed(at: now) == [.open(id + 1)])
        }
        #expect(pauses == [100, 200, 400, 800].map { .milliseconds($0) })
        #expect(state.isRefusingAll)
        // The next request waits, and shows whether the server has recovered.
        #expect(state.arrive(at: now) == [.wait([])])
        #expect(state.deadlinePassed(at: now + .milliseconds(1600)) == [.open(6)])
        _ = state.connectedHTTP2(6, streams: 100, at: now + .seconds(2))
        _ = state.streamCompleted(on: 6, number: 1, at: now + .seconds(2))
        #expect(!state.isRefusingAll)
    }

    @Test("connections that an HTTP/2 server ends without an error do not count as errors, and interrupt their row")
    func refusesWithoutError() {
        var state = Machine.either()
        var now = Duration.zero
        _ = state.arrive()
        let errors = [true, false, false, false, false, true, true, true, true, true]
        for (id, isError) in zip(1..., errors) {
            #expect(state.connectedHTTP2(id, streams: 100, at: now).count == 1)
            let refusal = Machine.Departure(processed: 0, refused: 1, isError: isError)
            #expect(state.beganGoingAway(id, refusal, at: now) == [])
            _ = state.streamEnded(on: id, at: now)
            #expect(state.isRefusingAll == (id == errors.count))
            guard id < errors.count else { break }
            #expect(state.arrive(isResent: true, at: now) == [.wait([])])
            now = state.nextDeadline ?? .zero
            #expect(state.deadlinePassed(at: now) == [.open(id + 1)])
        }
    }

    @Test("the pool has one connection at a time while the HTTP/2 server refuses all requests")
    func oneAtATime() {
        var state = Machine.either()
        _ = state.arrive(20)
        #expect(state.connectedHTTP2(1, streams: 20, at: .zero).count == 20)
        _ = state.beganGoingAway(1, .init(processed: 0, refused: 20, isError: true), at: .zero)
        _ = state.arrive(20, isResent: true)
        #expect(state.deadlinePassed(at: .milliseconds(100)) == [.open(2)])
        #expect(state.connectedHTTP2(2, streams: 20, at: .milliseconds(100)) == [.run(21, on: 2)])
        let refusal = ConnectionPoolStateMachine.Departure(processed: 0, refused: 1, isError: true)
        #expect(state.beganGoingAway(2, refusal, at: .milliseconds(100)) == [])
        #expect(state.nextDeadline == .milliseconds(300))
    }

    @Test("an HTTP/2 server that requires HTTP/1.1 gets all later requests over it (RFC 9113, section 7)")
    func requiresHTTP1() {
        var state = Machine.either(limit: 2)
        _ = state.arrive(2)
        _ = state.connectedHTTP2(1, streams: 1, at: .zero)
        #expect(state.responsivenessChanged(to: false, of: 1, at: .zero) == [.open(2)])
        // The attempt offers HTTP/2.
        #expect(state.http1Required(at: .zero) == [.cancelConnect(2), .open(3)])
        #expect(state.http1Required(at: .zero) == [], "known")
        #expect(state.streamEnded(on: 1, at: .zero) == [.close(1)])
        #expect(state.arrive(isResent: true) == [.wait([.open(4)])])
        #expect(state.connectedHTTP1(3, at: .zero) == [.run(3, on: 3)])
        #expect(state.connectedHTTP1(4, at: .zero) == [.run(2, on: 4)])
    }

    @Test(
        "a server that requires HTTP/1.1 again, since its origin was forgotten, gets no more requests over HTTP/2"
    )
    func requiresHTTP1Again() {
        var state = Machine.either(limit: 2)
        _ = state.http1Required(at: .zero)
        _ = state.arrive(2)
        _ = state.connectedHTTP2(1, streams: 100, at: .zero)
        #expect(state.arrive() == [.run(on: 1)])
        #expect(state.http1Required(at: .zero) == [])
        #expect(state.arrive(isResent: true) == [.wait([.open(3)])])
        for actions in [[], [], [.close(1)]] as [[ConnectionPoolStateMachine.Action]] {
            #expect(state.streamEnded(on: 1, at: .zero) == actions)
        }
    }
}
#endif
