#if NIO && !canImport(Darwin)
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("A pool assigns HTTP/1.1 connections to requests")
struct ConnectionPoolHTTP1Tests {
    private typealias Machine = ConnectionPoolStateMachine

    @Test("each request gets an HTTP/1.1 connection up to the limit, and other requests wait")
    func limit() {
        var state = Machine.http1()
        #expect(state.arrive(4) == [.wait([.open(1)]), .wait([.open(2)]), .wait([]), .wait([])])
        #expect(state.waitingCount == 4)
        #expect(state.connectedHTTP1(2, at: .zero) == [.run(1, on: 2)])
        #expect(state.connectedHTTP1(1, at: .zero) == [.run(2, on: 1)])
        #expect(state.freed(1, at: .zero) == [.run(3, on: 1)])
        #expect(state.freed(2, at: .zero) == [.run(4, on: 2)])
        #expect(state.freed(2, at: .zero) == [])
        #expect(state.freed(1, at: .zero) == [])
        #expect(state.waitingCount == 0)
    }

    @Test("the most recently used HTTP/1.1 connection is used next")
    func lastFirst() {
        var state = Machine.http1()
        _ = state.arrive(2)
        _ = state.connectedHTTP1(1, at: .zero)
        _ = state.connectedHTTP1(2, at: .zero)
        #expect(state.freed(2, at: .seconds(1)) == [])
        #expect(state.freed(1, at: .seconds(2)) == [])
        #expect(state.arrive(3) == [.run(on: 1), .run(on: 2), .wait([])])
    }

    @Test("a connection on the caller's event loop is used first, and another one if none is usable")
    func nearFirst() {
        var state = Machine.http1(limit: 3)
        _ = state.arrive(3)
        for id in 1...3 { _ = state.connectedHTTP1(id, at: .zero) }
        for id in 1...3 { #expect(state.freed(id, at: .seconds(id)) == []) }
        #expect(state.place(preferring: { $0 < 3 }, at: .seconds(4)).1 == .run(on: 2))
        // Without one, the request does not wait.
        #expect(state.place(preferring: { $0 == 2 }, at: .seconds(4)).1 == .run(on: 3))
        // The time of the only connection on the event loop is over.
        #expect(state.freed(3, keepAliveTime: .seconds(1), at: .seconds(4)) == [])
        #expect(state.place(preferring: { $0 == 3 }, at: .seconds(10)).1 == .run(on: 1))
    }

    @Test("an HTTP/1.1 connection for which no request waits any more stays for the next request")
    func lateConnection() {
        var state = Machine.http1()
        _ = state.arrive(2)
        #expect(state.connectedHTTP1(1, at: .zero) == [.run(1, on: 1)])
        #expect(state.freed(1, at: .zero) == [.run(2, on: 1)])
        #expect(state.connectedHTTP1(2, at: .zero) == [])
        #expect(state.arrive() == [.run(on: 2)])
    }

    @Test("a request that is sent again goes before other requests, and uses a new connection over HTTP/1.1")
    func resent() {
        var state = Machine.http1(limit: 2)
        _ = state.arrive(2)
        for id in 1...2 { _ = state.connectedHTTP1(id, at: .zero) }
        #expect(state.freed(1, at: .zero) == [])
        // An old connection makes room.
        #expect(state.arrive(isResent: true) == [.wait([.close(1), .open(3)])])
        #expect(state.arrive() == [.wait([])])
        #expect(state.connectedHTTP1(3, at: .zero) == [.run(3, on: 3)])
        // All connections are in use, so the next free one makes room.
        #expect(state.arrive(isResent: true) == [.wait([])])
        #expect(state.freed(2, at: .zero) == [.close(2), .open(4)])
        #expect(state.freed(3, at: .zero) == [.run(4, on: 3)])
        #expect(state.connectedHTTP1(4, at: .zero) == [.run(5, on: 4)])
    }

    @Test("an unsent request that returns to the pool uses an idle connection and goes before new requests")
    func returned() {
        var state = Machine.http1(limit: 2)
        _ = state.arrive(2)
        _ = state.connectedHTTP1(1, at: .zero)
        _ = state.connectedHTTP1(2, at: .zero)
        _ = state.freed(1, at: .zero)
        #expect(state.place(.returned, at: .zero).1 == .run(on: 1))
        #expect(state.arrive() == [.wait([])])
        let request = state.place(.returned, at: .zero).0
        #expect(state.freed(2, at: .zero) == [.run(request, on: 2)])
    }

    @Test(
        "a connection that has not sent its request keeps its end, its age and its number of responses",
        arguments: [false, true]
    )
    func unused(isUnused: Bool) {
        var state = Machine.http1(limit: 2)
        _ = state.arrive(2)
        for id in 1...2 { _ = state.connectedHTTP1(id, at: .zero) }
        _ = state.freed(1, keepAliveTime: .seconds(8), at: .zero)
        _ = state.freed(2, at: .seconds(1))
        #expect(state.place(preferring: { $0 == 1 }, at: .seconds(4)).1 == .run(on: 1))
        let actions =
            isUnused
            ? state.unused(1, at: .seconds(4)) : state.freed(1, keepAliveTime: .seconds(8), at: .seconds(4))
        #expect(actions == [])
        #expect(state.nextDeadline == .seconds(isUnused ? 7 : 11))
        // The connection with the last response is used first.
        #expect(state.place(at: .seconds(5)).1 == .run(on: isUnused ? 2 : 1))
        #expect(state.place(at: .seconds(5)).1 == .run(on: isUnused ? 1 : 2))
        _ = state.closed(1, isStale: true, at: .seconds(5))
        #expect(state.http1.stale.isSuspect(.init(idle: .seconds(5), responses: 0), at: .seconds(5)) == isUnused)
    }

    @Test("a connection that has not sent its request runs the next one, or is closed if its time is over")
    func unusedNext() {
        var state = Machine.http1(limit: 1)
        _ = state.arrive(2)
        _ = state.connectedHTTP1(1, at: .zero)
        #expect(state.unused(1, at: .seconds(1)) == [.run(2, on: 1)])
        #expect(state.unused(1, at: .seconds(60)) == [.close(1)])
        #expect(state.unused(1, at: .seconds(60)) == [])
    }

    @Test("closeIdleConnections closes idle connections, and not connections in use")
    func closeIdleConnections() {
        var state = Machine.http1(limit: 3)
        _ = state.arrive(3)
        for id in 1...3 { _ = state.connectedHTTP1(id, at: .zero) }
        _ = state.freed(2, at: .zero)
        _ = state.freed(3, at: .zero)
        #expect(state.closeIdleConnections() == [.close(2), .close(3)])
        #expect(state.arrive() == [.wait([.open(4)])])
        #expect(state.freed(1, at: .zero) == [.run(4, on: 1)])
    }

    @Test(
        "an idle connection is closed slightly earlier than the server would close it (RFC 2068, section 19.7.1.1)",
        arguments: [
            (nil, 60_000), (0, 0), (1, 750), (2, 1_500), (5, 4_000), (60, 59_000), (61, 60_000), (86_400, 60_000),
        ] as [(Int?, Int)]
    )
    func keepAlive(timeout: Int?, milliseconds: Int) {
        var state = Machine.http1()
        _ = state.arrive()
        _ = state.connectedHTTP1(1, at: .zero)
        let actions = state.freed(1, keepAliveTime: timeout.map { .seconds($0) }, at: .seconds(1))
        guard milliseconds > 0 else {
            #expect(actions == [.close(1)])
            return
        }
        let end = Duration.seconds(1) + .milliseconds(milliseconds)
        #expect(actions == [])
        #expect(state.nextDeadline == end)
        #expect(state.deadlinePassed(at: end - .milliseconds(1)) == [])
        // The timer may be late.
        #expect(state.arrive(at: end) == [.wait([.close(1), .open(2)])])
    }

    @Test(
        "a request that is not repeatable avoids a connection as old as the connections that the server closed",
        arguments: [
            (closed: 0, idle: 0, isUsed: false), (closed: 0, idle: 49, isUsed: false),
            (closed: 1_000, idle: 449, isUsed: true),
            (closed: 1_000, idle: 450, isUsed: false), (closed: 1_000, idle: 2_049, isUsed: false),
            (closed: 1_000, idle: 2_050, isUsed: true),
        ]
    )
    func staleConnection(closed: Int, idle: Int, isUsed: Bool) {
        for isBusy in [false, true] {
            var state = Machine.http1(limit: 1)
            _ = state.arrive()
            _ = state.connectedHTTP1(1, at: .zero)
            _ = state.freed(1, at: .zero)
            let time = Duration.milliseconds(closed)
            if isBusy { #expect(state.arrive(at: time) == [.run(on: 1)]) }
            #expect(state.closed(1, isStale: true, at: time) == [])
            _ = state.arrive(at: time)
            _ = state.connectedHTTP1(2, at: time)
            _ = state.freed(2, at: time)
            let now = time + .milliseconds(idle)
            let result = state.place(canBeResent: false, at: now).1
            #expect(result == (isUsed ? .run(on: 2) : .wait([.close(2), .open(3)])))
            if isUsed {
                // The server keeps connections open, because it has kept one for longer.
                _ = state.freed(2, at: now)
                let later = state.place(canBeResent: false, at: now + time).1
                #expect((later == .run(on: 2)) == (idle > closed))
            }
        }
    }

    @Test(
        "a server that closes connections after a number of requests gets no more requests on each connection",
        arguments: 1...4
    )
    func exhaustedConnection(accepted: Int) {
        var state = Machine.http1(limit: 1)
        func serve(_ id: Int, times: Int) {
            for _ in 0..<times { _ = state.freed(id, at: .zero) == [] ? state.arrive() : [] }
        }
        _ = state.arrive()
        _ = state.connectedHTTP1(1, at: .zero)
        serve(1, times: accepted)
        _ = state.closed(1, isStale: true, at: .zero)
        _ = state.arrive()
        _ = state.connectedHTTP1(2, at: .zero)
        serve(2, times: accepted - 1)
        // The last request is running, and another one waits.
        #expect(state.arrive() == [.wait([])])
        #expect(state.freed(2, at: .zero) == [.close(2), .open(3)])
        #expect(state.connectedHTTP1(3, at: .zero).first.map { if case .run = $0 { true } else { false } } == true)
        serve(3, times: accepted - 1)
        _ = state.freed(3, at: .zero)
        // The idle time does not matter.
        #expect(state.place(canBeResent: false, at: .seconds(10)).1 == .wait([.close(3), .open(4)]))
    }

    @Test(
        "a repeatable request uses any idle connection, and any other request uses one a minute after the last close"
    )
    func repeatable() {
        var state = Machine.http1(limit: 1)
        _ = state.arrive()
        _ = state.connectedHTTP1(1, at: .zero)
        _ = state.freed(1, at: .zero)
        _ = state.closed(1, at: .zero)
        _ = state.arrive()
        _ = state.connectedHTTP1(2, at: .zero)
        _ = state.freed(2, at: .zero)
        #expect(state.arrive() == [.run(on: 2)])
        _ = state.freed(2, at: .seconds(60))
        #expect(state.place(canBeResent: false, at: .seconds(60)).1 == .run(on: 2))
    }
}
#endif
