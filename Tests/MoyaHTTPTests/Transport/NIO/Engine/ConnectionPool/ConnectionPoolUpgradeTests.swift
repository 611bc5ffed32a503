#if NIO && !canImport(Darwin)
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("A pool places requests for upgrades to other protocols")
struct ConnectionPoolUpgradeTests {
    private typealias Machine = ConnectionPoolStateMachine

    @Test("an upgraded HTTP/1.1 connection leaves the pool, and makes room for a new one")
    func http1() {
        var state = Machine.http1(limit: 1)
        #expect(state.arrive(2) == [.wait([.open(1)]), .wait([])])
        #expect(state.connectedHTTP1(1, at: .zero) == [.run(1, on: 1)])
        #expect(state.upgraded(1, at: .zero) == [.open(2)])
        #expect(state.connectedHTTP1(2, at: .zero) == [.run(2, on: 2)])
        #expect(state.freed(1, at: .zero) == [], "the pool does not know it any more")
        #expect(state.closed(1, at: .zero) == [])
        #expect(state.freed(2, at: .zero) == [])
        #expect(state.upgraded(2, at: .zero) == [], "no request waits")
        #expect(state.isUnused)
    }

    @Test("a request for an upgrade uses an idle HTTP/1.1 connection, and not one that runs a request")
    func idleHTTP1() {
        var state = Machine.http1(limit: 1)
        _ = state.arrive()
        _ = state.connectedHTTP1(1, at: .zero)
        #expect(state.place(isUpgrade: true, at: .zero).1 == .wait([]))
        #expect(state.freed(1, at: .zero) == [.run(2, on: 1)])
        _ = state.freed(1, at: .zero)
        #expect(state.place(isUpgrade: true, at: .zero).1 == .run(on: 1))
    }

    @Test("an HTTP/2 connection that has refused an upgrade gets no further ones, until its settings change")
    func refusal() {
        var state = Machine.either()
        #expect(state.place(isUpgrade: true, at: .zero).1 == .wait([.open(1)]))
        #expect(state.connectedHTTP2(1, streams: 1, at: .zero) == [.run(1, on: 1)])
        #expect(state.streamLimitChanged(to: 9, on: 1, at: .zero) == [])
        #expect(state.upgradeRefused(on: 1) == [])
        #expect(state.streamUnopened(on: 1, at: .zero) == [])
        #expect(state.place(isUpgrade: true, at: .zero).1 == .refuseUpgrade)
        #expect(state.arrive() == [.run(on: 1)])
        #expect(state.streamLimitChanged(to: 9, on: 1, at: .zero) == [])
        #expect(state.place(isUpgrade: true, at: .zero).1 == .run(on: 1))
    }

    @Test("of several HTTP/2 connections, one that has not refused upgrades gets them, or they wait for it")
    func severalConnections() {
        var state = Machine.either()
        _ = state.arrive(2)
        _ = state.connectedHTTP2(1, streams: 1, at: .zero)
        #expect(state.streamLimitChanged(to: 1, on: 1, at: .zero) == [.open(2)])
        _ = state.connectedHTTP2(2, streams: 1, at: .zero)
        _ = state.streamLimitChanged(to: 1, on: 2, at: .zero)
        _ = state.upgradeRefused(on: 1)
        #expect(state.streamEnded(on: 1, at: .zero) == [])
        #expect(state.place(isUpgrade: true, at: .zero).1 == .wait([]), "the second one has no room")
        #expect(state.requestCancelled(3, timedOut: false, at: .zero) == [])
        #expect(state.streamEnded(on: 2, at: .zero) == [])
        #expect(state.place(isUpgrade: true, at: .zero).1 == .run(on: 2))
        #expect(state.upgradeRefused(on: 2) == [])
        #expect(state.place(isUpgrade: true, at: .zero).1 == .refuseUpgrade)
    }

    @Test("an HTTP/2 connection whose streams are all upgraded does not count as long as it has no room")
    func occupied() {
        var state = Machine.either(limit: 1)
        for _ in 0..<2 { _ = state.place(isUpgrade: true, at: .zero) }
        #expect(state.connectedHTTP2(1, streams: 1, at: .zero) == [.run(1, on: 1)])
        #expect(state.streamLimitChanged(to: 2, on: 1, at: .zero) == [.run(2, on: 1)])
        #expect(state.streamUpgraded(on: 1, at: .zero) == [])
        #expect(state.arrive() == [.wait([])], "one of the streams may end soon")
        #expect(state.streamUpgraded(on: 1, at: .zero) == [.open(2)])
        #expect(state.connectedHTTP2(2, streams: 9, at: .zero) == [.run(3, on: 2)])
        #expect(state.upgradedStreamEnded(on: 1, at: .zero) == [])
        _ = state.streamLimitChanged(to: 9, on: 2, at: .zero)
        #expect(state.streamEnded(on: 2, at: .zero) == [])
        #expect(state.upgradedStreamEnded(on: 1, at: .seconds(1)) == [])
        #expect(state.deadlinePassed(at: .seconds(61)) == [.close(1), .close(2)])
    }

    @Test("an HTTP/2 connection with an upgraded stream is not idle, and is closed after it if the server leaves")
    func goingAway() {
        var state = Machine.either()
        _ = state.place(isUpgrade: true, at: .zero)
        _ = state.connectedHTTP2(1, streams: 9, at: .zero)
        _ = state.streamUpgraded(on: 1, at: .zero)
        #expect(!state.isIdle(1))
        #expect(state.beganGoingAway(1, at: .zero) == [])
        #expect(state.upgradedStreamEnded(on: 1, at: .zero) == [.close(1)])
    }
}
#endif
