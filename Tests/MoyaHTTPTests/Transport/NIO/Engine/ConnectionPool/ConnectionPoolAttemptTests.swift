#if NIO && !canImport(Darwin)
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("The connection attempts of a pool succeed, fail or are replaced")
struct ConnectionPoolAttemptTests {
    private typealias Machine = ConnectionPoolStateMachine

    @Test(
        "a failed connection attempt fails the requests that arrived before it, if there is no other attempt or connection"
    )
    func failedAttempt() {
        var state = Machine.http1(limit: 1)
        _ = state.arrive(3)
        #expect(state.connectFailed(1, at: .zero) == [.fail(1), .open(2)], "the others came after it began")
        #expect(state.connectFailed(1, at: .zero) == [], "twice")
        #expect(state.connectFailed(2, at: .zero) == [.fail(2), .fail(3)])
        #expect(state.waitingCount == 0)
    }

    @Test("a failed connection attempt fails no request while there is another attempt or a connection")
    func failedAttemptOfSeveral() {
        var state = Machine.http1(limit: 2)
        _ = state.arrive(3)
        #expect(state.connectFailed(1, at: .zero) == [.open(3)])
        #expect(state.connectedHTTP1(2, at: .zero) == [.run(1, on: 2)])
        #expect(state.connectFailed(3, at: .zero) == [.open(4)])
        #expect(state.connectFailed(4, at: .zero) == [], "the next one has to wait")
        #expect(state.freed(2, at: .zero) == [.run(2, on: 2)])
        #expect(state.freed(2, at: .zero) == [.run(3, on: 2)])
    }

    @Test("consecutive failures delay the next connection attempt by up to a second until one succeeds")
    func backoff() {
        var state = Machine.either()
        var now = Duration.zero
        var pauses: [Duration] = []
        _ = state.arrive()
        for id in 1...10 {
            _ = state.connectFailed(id, at: now)
            let arrival = state.place(at: now).1
            if arrival == .wait([]) {
                let next = state.nextDeadline ?? .zero
                pauses.append(next - now)
                #expect(state.deadlinePassed(at: next - .milliseconds(1)) == [])
                now = next
                #expect(state.deadlinePassed(at: now) == [.open(id + 1)])
            } else {
                #expect(arrival == .wait([.open(id + 1)]))
                pauses.append(.zero)
            }
        }
        let expected = [0, 50, 100, 200, 400, 800, 1000, 1000, 1000, 1000].map { Duration.milliseconds($0) }
        #expect(pauses == expected)
        _ = state.connectedHTTP1(11, at: now)
        #expect(state.closed(11, at: now) == [])
        #expect(state.arrive(at: now) == [.wait([.open(12)])])
    }

    @Test("a cancelled request ends the oldest connection attempt if more attempts than requests remain")
    func requestCancelled() {
        var state = Machine.http1(limit: 2)
        _ = state.arrive(3)
        #expect(state.requestCancelled(2, timedOut: false, at: .zero) == [])
        #expect(state.requestCancelled(2, timedOut: false, at: .zero) == [], "twice")
        #expect(state.requestCancelled(3, timedOut: false, at: .zero) == [.cancelConnect(1)])
        #expect(state.connectedHTTP1(1, at: .zero) == [.close(1)], "it was given up")
        #expect(state.connectedHTTP1(2, at: .zero) == [.run(1, on: 2)])
        #expect(state.requestCancelled(1, timedOut: false, at: .zero) == [], "it runs")
        #expect(state.arrive() == [.wait([.open(3)])], "the room of what was given up is free")
    }

    @Test("a connection attempt is replaced when a request that waited for it times out")
    func hangingAttempt() {
        var state = Machine.either()
        _ = state.arrive(3)
        #expect(state.requestCancelled(1, timedOut: true, at: .seconds(1)) == [.cancelConnect(1), .open(2)])
        #expect(state.requestCancelled(2, timedOut: false, at: .seconds(1)) == [], "one still waits for it")
        #expect(state.connectedHTTP2(2, streams: 10, at: .seconds(1)) == [.run(3, on: 2)])
    }

    @Test("many requests that time out together replace a connection attempt once")
    func manyTimeouts() {
        for var state in [Machine.either(), .http1(limit: 1)] {
            let requests = (0..<1_000).map { _ in state.place(at: .zero).0 }
            let actions = requests.dropLast().map { request in
                state.requestCancelled(request, timedOut: true, at: .milliseconds(5_000 + request / 10))
            }
            #expect(actions.filter { !$0.isEmpty } == [[.cancelConnect(1), .open(2)]])
            let last = state.requestCancelled(1_000, timedOut: true, at: .seconds(6))
            #expect(last == [.cancelConnect(2)])
        }
    }
}
#endif
