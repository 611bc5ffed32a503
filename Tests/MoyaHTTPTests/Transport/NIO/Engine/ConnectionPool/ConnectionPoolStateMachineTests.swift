#if NIO && !canImport(Darwin)
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("A pool manages connections and the requests that wait for one")
struct ConnectionPoolStateMachineTests {
    private typealias Machine = ConnectionPoolStateMachine

    @Test("a closed connection of a pool, idle or in use, makes room for another connection")
    func closed() {
        var state = Machine.http1(limit: 1)
        _ = state.arrive(2)
        _ = state.connectedHTTP1(1, at: .zero)
        #expect(state.closed(1, at: .zero) == [.open(2)])
        #expect(state.connectedHTTP1(2, at: .zero) == [.run(2, on: 2)])
        #expect(state.freed(2, at: .zero) == [])
        #expect(state.closed(2, at: .zero) == [])
        #expect(state.arrive() == [.wait([.open(3)])])
    }

    @Test("an idle connection of a pool is closed at the end of its idle timeout, and no sooner")
    func deadlinePassed() {
        var state = Machine.http1(limit: 3, idleTimeout: .seconds(10))
        _ = state.arrive(3)
        for id in 1...3 { _ = state.connectedHTTP1(id, at: .zero) }
        #expect(state.nextDeadline == nil)
        _ = state.freed(1, at: .seconds(1))
        _ = state.freed(2, at: .seconds(5))
        #expect(state.nextDeadline == .seconds(11))
        #expect(state.deadlinePassed(at: .seconds(10)) == [])
        #expect(state.deadlinePassed(at: .seconds(11)) == [.close(1)])
        #expect(state.nextDeadline == .seconds(15))
        #expect(state.deadlinePassed(at: .seconds(100)) == [.close(2)])
        #expect(state.nextDeadline == nil)
        #expect(state.arrive(2) == [.wait([.open(4)]), .wait([.open(5)])], "one is in use")
    }

    @Test("cancelled requests of a pool leave the other requests in their order")
    func order() {
        var state = Machine.http1(limit: 1)
        let requests = (0..<1000).map { _ in state.place(at: .zero).0 }
        for request in requests where request % 3 != 0 && request != 1 {
            #expect(state.requestCancelled(request, timedOut: false, at: .zero) == [])
        }
        #expect(state.connectedHTTP1(1, at: .zero) == [.run(1, on: 1)])
        var ran: [Machine.RequestID] = []
        while case .run(let request, _)? = state.freed(1, at: .zero).first { ran.append(request) }
        #expect(ran == requests.filter { $0 % 3 == 0 })
    }

    @Test("a pool can give up an idle connection, and cannot give up a connection in use")
    func evict() {
        var state = Machine.http1(limit: 3)
        _ = state.arrive(3)
        for id in 1...3 { _ = state.connectedHTTP1(id, at: .zero) }
        _ = state.freed(1, at: .zero)
        _ = state.freed(2, at: .zero)
        #expect((1...4).map { state.isIdle($0) } == [true, true, false, false])
        #expect(state.evict(1, at: .zero) == [.close(1)])
        #expect(state.evict(1, at: .zero) == [], "twice")
        #expect(state.evict(3, at: .zero) == [], "it is in use")
        #expect(state.arrive(2) == [.run(on: 2), .wait([.open(4)])])
        var shared = Machine.either()
        _ = shared.arrive()
        _ = shared.connectedHTTP2(1, streams: 9, at: .zero)
        #expect(!shared.isIdle(1))
        #expect(shared.evict(1, at: .zero) == [], "it has a stream")
        _ = shared.streamEnded(on: 1, at: .zero)
        #expect(shared.isIdle(1))
        #expect(shared.evict(1, at: .zero) == [.close(1)])
        #expect(shared.isUnused)
    }

    @Test("a pool without connections, attempts, requests and recent failures counts as unused")
    func unused() {
        var state = Machine.http1(limit: 1)
        #expect(state.isUnused)
        _ = state.arrive()
        #expect(!state.isUnused, "an attempt")
        _ = state.connectedHTTP1(1, at: .zero)
        #expect(!state.isUnused, "a connection in use")
        _ = state.freed(1, at: .zero)
        #expect(!state.isUnused, "an idle connection")
        _ = state.deadlinePassed(at: .seconds(60))
        #expect(state.isUnused)
        var now = Duration.seconds(100)
        for (failure, memory) in zip(2..., [1_000, 1_050, 1_100, 1_200]) {
            _ = state.arrive(at: now)
            if case let next? = state.nextDeadline, next > now {
                now = next
                _ = state.deadlinePassed(at: now)
            }
            #expect(state.connectFailed(failure, at: now) == [.fail(failure)])
            #expect(!state.isUnused, "it has failed just now")
            #expect(state.nextDeadline == now + .milliseconds(memory))
        }
        let end = state.nextDeadline ?? .zero
        #expect(state.deadlinePassed(at: end - .milliseconds(1)) == [])
        #expect(!state.isUnused)
        #expect(state.deadlinePassed(at: end) == [])
        #expect(state.isUnused)
        #expect(state.nextDeadline == nil)
    }

    @Test("the pool reports whether a connection may become free, and its capacity")
    func hasConnection() {
        var state = Machine.either(limit: 3)
        #expect(!state.hasConnection)
        #expect(state.capacity == (3, false))
        _ = state.arrive(2)
        #expect(!state.hasConnection, "there is an attempt only")
        _ = state.connectedHTTP2(1, streams: 0, at: .zero)
        #expect(!state.hasConnection, "the server allows no stream")
        #expect(state.capacity == (0, true))
        _ = state.streamLimitChanged(to: 1, on: 1, at: .zero)
        #expect(state.hasConnection)
        #expect(state.capacity == (1, true))
        _ = state.responsivenessChanged(to: false, of: 1, at: .zero)
        #expect(!state.hasConnection, "the server is silent")
        _ = state.responsivenessChanged(to: true, of: 1, at: .zero)
        #expect(state.hasConnection)
        _ = state.beganGoingAway(1, at: .zero)
        #expect(!state.hasConnection, "the server accepts nothing any more")
        #expect(state.capacity == (3, false), "requests wait for another connection")
        var plain = Machine.http1(limit: 1)
        _ = plain.arrive(2)
        _ = plain.connectedHTTP1(1, at: .zero)
        #expect(plain.hasConnection)
        _ = plain.closed(1, at: .zero)
        #expect(!plain.hasConnection)
    }

    @Test("resent requests go before new requests, in their original order")
    func age() {
        var state = Machine.either()
        let new = state.place(at: .seconds(100)).0
        let ages = [3, 50, 1, 50, 7, 99, 0]
        let requests = ages.map { age in
            (age: age, number: state.place(.resent(age: .seconds(age)), at: .seconds(100)).0)
        }
        // Later requests in this queue were created earlier.
        let late = state.place(.resent(age: .seconds(50)), at: .seconds(140)).0
        _ = state.requestCancelled(requests[4].number, timedOut: false, at: .seconds(140))
        let expected =
            [5, 1, 3].map { requests[$0].number } + [late] + [0, 2, 6].map { requests[$0].number } + [new]
        let first = state.connectedHTTP2(1, streams: 4, at: .seconds(141))
        let then = expected.dropFirst(4).flatMap { _ in state.streamEnded(on: 1, at: .seconds(142)) }
        #expect(first + then == expected.map { .run($0, on: 1) })
    }
}
#endif
