#if NIO && !canImport(Darwin)
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("A pool opens further HTTP/2 connections while all streams are in use")
struct FurtherConnectionTests {
    private typealias Machine = ConnectionPoolStateMachine

    /// Returns a pool with HTTP/2 connections whose streams are all in use, and with one waiting request.
    ///
    /// The connections have the numbers from 1, and the next one has been ordered unless there are as many as allowed.
    private static func full(connections: Int = 1, streams: Int = 1, limit: Int = 6) -> Machine {
        var state = Machine.either(limit: limit)
        _ = state.arrive(connections * streams + 1)
        for id in 1...connections {
            _ = state.connectedHTTP2(id, streams: 1, at: .zero)
            _ = state.streamLimitChanged(to: streams, on: id, at: .zero)
        }
        #expect(state.waitingCount == 1)
        return state
    }

    /// The number of requests that the actions run on each connection.
    private static func runs(_ actions: [Machine.Action]) -> [Machine.ConnectionID: Int] {
        actions.reduce(into: [:]) { runs, action in
            if case .run(_, let id) = action { runs[id, default: 0] += 1 }
        }
    }

    private static func opened(_ actions: [Machine.Action]) -> [Machine.ConnectionID] {
        actions.compactMap { if case .open(let id) = $0 { id } else { nil } }
    }

    // MARK: Growth

    @Test(
        "a burst of 1,000 requests before the first SETTINGS opens one connection if the server then allows 1,000 streams"
    )
    func burst() {
        var state = Machine.either(limit: 100)
        #expect(state.arrive(1_000).filter { $0 != .wait([]) } == [.wait([.open(1)])])
        #expect(state.connectedHTTP2(1, streams: 1, at: .zero) == [.run(1, on: 1)])
        #expect(state.nextDeadline == nil)
        let actions = state.streamLimitChanged(to: 1_000, on: 1, at: .zero)
        #expect(actions == (2...1_000).map { .run($0, on: 1) })
        #expect(state.nextDeadline == nil)
    }

    @Test("1,000 requests to a server with 100 streams each run on ten connections, opened one after another")
    func tenConnections() {
        var state = Machine.either(limit: 10)
        _ = state.arrive(1_000)
        for id in 1...10 {
            let connected = state.connectedHTTP2(id, streams: 1, at: .zero)
            // Before its SETTINGS, the server may still refuse a further connection.
            #expect(connected == (id == 1 ? [.run(1, on: 1)] : []))
            let actions = state.streamLimitChanged(to: 100, on: id, at: .zero)
            #expect(Self.runs(actions) == [id: id == 1 ? 99 : 100])
            #expect(Self.opened(actions) == (id < 10 ? [id + 1] : []))
        }
        #expect(state.waitingCount == 0)
        #expect(state.capacity == (1_000, true))
        #expect(state.arrive() == [.wait([])], "there are as many connections as allowed")
        #expect(state.nextDeadline == nil)
    }

    @Test(
        "a request that waits for one stream opens a connection, which stays idle if the stream becomes free first"
    )
    func lateConnection() {
        var state = Self.full()
        #expect(state.streamCompleted(on: 1, number: 1, at: .zero) == [.run(2, on: 1)])
        #expect(state.arrive() == [.wait([])], "there is one connect attempt at a time")
        #expect(state.streamCompleted(on: 1, number: 2, at: .zero) == [.run(3, on: 1)])
        #expect(state.connectedHTTP2(2, streams: 1, at: .seconds(1)) == [])
        #expect(state.streamLimitChanged(to: 1, on: 2, at: .seconds(1)) == [])
        #expect(state.nextDeadline == .seconds(61))
        #expect(state.deadlinePassed(at: .seconds(61)) == [.close(2)])
        #expect(state.streamCompleted(on: 1, number: 3, at: .seconds(61)) == [])
    }

    @Test("a limit of one connection per host allows no further HTTP/2 connection")
    func oneConnection() {
        var state = Self.full(limit: 1)
        #expect(state.arrive(100) == Array(repeating: .wait([]), count: 100))
        #expect(state.nextDeadline == nil)
        // The successor of a connection that the server ends is no further connection.
        #expect(state.beganGoingAway(1, .init(processed: 1), at: .zero) == [.open(2)])
    }

    @Test(
        "the limit of streams may change at any time, and a server that allows none gets no further connection",
        arguments: [
            // The limit, the number of requests that it runs, and whether a further connection is opened.
            (0, 0, false), (1, 0, true), (2, 0, true), (3, 1, true), (100, 4, false), (.max, 4, false),
        ]
    )
    func changedLimit(limit: Int, runs: Int, opens: Bool) {
        var state = Machine.either()
        _ = state.arrive(2)
        _ = state.connectedHTTP2(1, streams: 1, at: .zero)
        _ = state.streamLimitChanged(to: 100, on: 1, at: .zero)
        #expect(state.streamLimitChanged(to: 0, on: 1, at: .zero) == [])
        #expect(state.arrive(4) == Array(repeating: .wait([]), count: 4))
        let actions = state.streamLimitChanged(to: limit, on: 1, at: .zero)
        #expect(Self.runs(actions)[1, default: 0] == runs)
        #expect(Self.opened(actions) == (opens ? [2] : []))
    }

    @Test("a connection that is not full, or whose limit is unknown, prevents further connections")
    func notFull() {
        var state = Self.full()
        _ = state.arrive(5)
        #expect(state.connectedHTTP2(2, streams: 1, at: .zero) == [])
        #expect(state.arrive() == [.wait([])], "the limit of the second one is unknown")
        #expect(Self.runs(state.streamLimitChanged(to: 2, on: 2, at: .zero)) == [2: 2])
        #expect(state.streamLimitChanged(to: 0, on: 1, at: .zero) == [])
        #expect(state.connectedHTTP2(3, streams: 1, at: .zero) == [])
        #expect(Self.opened(state.streamLimitChanged(to: 1, on: 3, at: .zero)) == [], "the first one allows none")
        #expect(Self.opened(state.streamLimitChanged(to: 1, on: 1, at: .zero)) == [4])
    }

    @Test("a connection without SETTINGS gets its one request when no other connection is usable any more")
    func onlyUnknown() {
        for event in ["closed", "in doubt", "going away"] {
            var state = Self.full()
            #expect(state.connectedHTTP2(2, streams: 1, at: .zero) == [])
            let actions =
                switch event {
                case "closed": state.closed(1, at: .zero)
                case "in doubt": state.responsivenessChanged(to: false, of: 1, at: .zero)
                default: state.beganGoingAway(1, .init(processed: 1), at: .zero)
                }
            #expect(actions == [.run(2, on: 2)], "\(event)")
        }
    }

    // MARK: Choice

    @Test(
        "requests share the oldest connections that allow twice the needed streams, and the least loaded one is next",
        arguments: [
            // The numbers of running streams with a limit of 10 each, and the connection of the next request.
            (streams: [0, 0, 0], next: 1), ([4, 0, 0], 1), ([5, 0, 0], 2), ([5, 4, 0], 2), ([5, 5, 0], 3),
            ([10, 0, 0], 2), ([10, 10, 0], 3), ([9, 10, 10], 1), ([3, 0, 1], 1), ([7, 2, 0], 2), ([7, 3, 0], 3),
            ([6, 2, 1], 2),
            ([10, 10, 10], nil),
        ] as [(streams: [Int], next: Int?)]
    )
    func choice(streams: [Int], next: Int?) {
        var state = Self.full(connections: 3, streams: 10, limit: 3)
        _ = state.streamEnded(on: 3, at: .zero)
        for (id, count) in zip(1..., streams) {
            for _ in count..<10 { _ = state.streamEnded(on: id, at: .zero) }
        }
        #expect(state.arrive() == [next.map { .run(on: $0) } ?? .wait([])])
    }

    @Test("connections that a smaller load does not need become idle, and are closed after the idle time")
    func idle() {
        var state = Self.full(connections: 3, streams: 10, limit: 3)
        _ = state.streamCompleted(on: 1, number: 1, at: .zero)
        for id in 2...3 { for _ in 0..<10 { _ = state.streamEnded(on: id, at: .seconds(id)) } }
        for _ in 0..<8 { _ = state.streamEnded(on: 1, at: .seconds(4)) }
        // Two streams of the first connection are always in use.
        for second in 5...61 {
            #expect(state.arrive(at: .seconds(second)) == [.run(on: 1)])
            #expect(state.streamCompleted(on: 1, number: second, at: .seconds(second)) == [])
        }
        #expect(state.nextDeadline == .seconds(62))
        #expect(state.deadlinePassed(at: .seconds(62)) == [.close(2)])
        #expect(state.deadlinePassed(at: .seconds(63)) == [.close(3)])
        #expect(state.nextDeadline == nil)
        #expect(!state.isIdle(1))
    }

    // MARK: Refusal

    /// The ways in which a server refuses a further connection.
    enum Refusal: CaseIterable {
        case failedAttempt, closedBeforeSettings, closedAfterSettings, goAwayBeforeSettings, goAwayWithError, goAway
        case refusedStream
    }

    /// Refuses the next connection of a pool in one way, and returns the actions; the refused requests wait again.
    private static func refuse(
        _ id: Machine.ConnectionID,
        _ refusal: Refusal,
        in state: inout Machine,
        at now: Duration
    ) -> [Machine.Action] {
        if refusal == .failedAttempt { return state.connectFailed(id, at: now) }
        var actions = state.connectedHTTP2(id, streams: 1, at: now)
        if refusal == .closedBeforeSettings { return actions + state.closed(id, at: now) }
        let calm = Machine.Departure(processed: 0, isError: true)
        if refusal == .goAwayBeforeSettings { return actions + state.beganGoingAway(id, calm, at: now) }
        let runs = Self.runs(state.streamLimitChanged(to: 1, on: id, at: now))[id, default: 0]
        #expect(runs == 1)
        switch refusal {
        case .closedAfterSettings: actions += state.closed(id, at: now)
        case .refusedStream: actions += state.streamRefused(on: id, at: now) + state.streamEnded(on: id, at: now)
        default:
            let isError = refusal == .goAwayWithError
            let departure = Machine.Departure(processed: 0, refused: 1, isError: isError)
            actions += state.beganGoingAway(id, departure, at: now) + state.streamEnded(on: id, at: now)
        }
        #expect(state.arrive(isResent: true, at: now) == [.wait([])])
        return actions
    }

    @Test(
        "a refused further connection delays the next one, the usable ones keep running, and no request fails",
        arguments: Refusal.allCases
    )
    func refused(_ refusal: Refusal) {
        var state = Self.full()
        var now = Duration.seconds(1)
        var pauses: [Duration] = []
        for id in 2...9 {
            let actions = Self.refuse(id, refusal, in: &state, at: now)
            #expect(actions.allSatisfy { $0 == .close(id) }, "\(actions)")
            #expect(!state.isRefusingAll)
            #expect(state.waitingCount == 1)
            #expect(state.arrive(at: now) == [.wait([])])
            #expect(state.streamCompleted(on: 1, number: id, at: now).count == 1, "the first connection goes on")
            let next = state.nextDeadline ?? .zero
            pauses.append(next - now)
            #expect(state.deadlinePassed(at: next - .milliseconds(1)) == [])
            now = next
            #expect(state.deadlinePassed(at: now) == [.open(id + 1)])
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        // A further connection that serves requests ends the delays.
        _ = state.connectedHTTP2(10, streams: 1, at: now)
        #expect(Self.runs(state.streamLimitChanged(to: 1, on: 10, at: now)) == [10: 1])
        #expect(state.streamCompleted(on: 10, number: 1, at: now) == [])
        #expect(state.arrive(2, at: now) == [.run(on: 10), .wait([.open(11)])])
    }

    @Test("a connection that is lost after a response is replaced immediately, and after an error with a pause")
    func lost() {
        var state = Self.full(connections: 2, limit: 2)
        #expect(state.streamCompleted(on: 2, number: 1, at: .seconds(1)) == [.run(3, on: 2)])
        #expect(state.arrive(at: .seconds(1)) == [.wait([])])
        #expect(state.closed(2, at: .seconds(1)) == [.open(3)])
        #expect(state.connectedHTTP2(3, streams: 1, at: .seconds(1)) == [])
        #expect(state.streamLimitChanged(to: 1, on: 3, at: .seconds(1)) == [.run(4, on: 3)])
        #expect(state.arrive(at: .seconds(1)) == [.wait([])])
        #expect(state.beganGoingAway(3, .init(processed: 1, isError: true), at: .seconds(1)) == [])
        #expect(state.nextDeadline == .seconds(2))
    }

    @Test("a server that has refused all requests gets no further connection before it processes one")
    func refusingAll() {
        var state = Machine.either()
        _ = state.arrive(3)
        #expect(state.connectedHTTP2(1, streams: 1, at: .zero) == [.run(1, on: 1)])
        #expect(state.beganGoingAway(1, .init(processed: 0, isError: true), at: .zero) == [])
        #expect(state.deadlinePassed(at: .seconds(1)) == [.open(2)])
        #expect(state.connectedHTTP2(2, streams: 1, at: .seconds(1)) == [.run(2, on: 2)])
        #expect(state.streamLimitChanged(to: 1, on: 2, at: .seconds(1)) == [])
        #expect(state.streamCompleted(on: 2, number: 1, at: .seconds(1)) == [.run(3, on: 2)])
        #expect(state.arrive(at: .seconds(1)) == [.wait([.open(3)])])
    }

    @Test("a refused further connection does not delay the successor of the last usable connection")
    func successor() {
        var state = Self.full()
        _ = Self.refuse(2, .goAwayWithError, in: &state, at: .zero)
        #expect(state.nextDeadline == .seconds(1))
        #expect(state.closed(1, at: .zero) == [.open(3)])
        #expect(state.connectedHTTP2(3, streams: 1, at: .zero) == [.run(3, on: 3)])
        #expect(state.streamLimitChanged(to: 9, on: 3, at: .zero) == [])
    }

    @Test("a pool without connections forgets failed attempts for further connections with its other failures")
    func forgotten() {
        var state = Self.full()
        _ = state.connectFailed(2, at: .zero)
        #expect(state.deadlinePassed(at: .seconds(1)) == [.open(3)])
        _ = state.connectFailed(3, at: .seconds(1))
        #expect(state.nextDeadline == .seconds(3), "the pause before a further connection")
        #expect(state.requestCancelled(2, timedOut: false, at: .seconds(1)) == [])
        #expect(state.closed(1, at: .seconds(1)) == [])
        let now = Duration.milliseconds(2_050)
        #expect(state.nextDeadline == now)
        #expect(state.deadlinePassed(at: now) == [])
        #expect(state.isUnused)
        #expect(state.arrive(2, at: now) == [.wait([.open(4)]), .wait([])])
        #expect(state.connectedHTTP2(4, streams: 1, at: now) == [.run(3, on: 4)])
        #expect(state.streamLimitChanged(to: 1, on: 4, at: now) == [.open(5)])
    }

    @Test(
        "after GOAWAY on one of three connections, the others go on, and the refused requests go first to its successor"
    )
    func goAwayOfThree() {
        var state = Self.full(connections: 3, streams: 4, limit: 3)
        // The server has processed three of the requests on the second connection, and refuses one.
        #expect(state.beganGoingAway(2, .init(processed: 3, refused: 1), at: .zero) == [.open(4)])
        #expect(state.streamEnded(on: 2, at: .zero) == [])
        #expect(state.arrive(isResent: true) == [.wait([])])
        #expect(state.streamCompleted(on: 3, number: 1, at: .zero) == [.run(14, on: 3)], "the resent one")
        #expect(state.connectedHTTP2(4, streams: 1, at: .zero) == [])
        #expect(state.streamLimitChanged(to: 4, on: 4, at: .zero) == [.run(13, on: 4)])
        for number in 1...3 {
            #expect(state.streamCompleted(on: 2, number: number, at: .zero) == (number == 3 ? [.close(2)] : []))
        }
    }

    @Test(
        "a served connection whose server refuses a stream gets fewer requests, and one more after each response"
    )
    func refusedStream() {
        var state = Self.full(connections: 2, streams: 10, limit: 3)
        #expect(state.requestCancelled(21, timedOut: false, at: .zero) == [.cancelConnect(3)])
        #expect(state.streamCompleted(on: 2, number: 1, at: .zero) == [])
        for _ in 0..<3 {
            #expect(state.streamRefused(on: 2, at: .zero) == [])
            #expect(state.streamEnded(on: 2, at: .zero) == [])
        }
        // Six streams run. The server is overloaded, so no further connection is opened.
        #expect(state.arrive(3, isResent: true) == Array(repeating: .wait([]), count: 3))
        #expect(state.nextDeadline == .seconds(1), "if no response is complete until then")
        #expect(Self.runs(state.streamCompleted(on: 2, number: 2, at: .zero)) == [2: 2], "seven are accepted")
        #expect(Self.runs(state.streamCompleted(on: 2, number: 3, at: .zero)) == [2: 1])
        for number in 4...5 { #expect(state.streamCompleted(on: 2, number: number, at: .zero) == []) }
        #expect(state.arrive(5, at: .zero).filter { $0 == .run(on: 2) }.count == 5, "as many as the server allows")
    }

    @Test("a refused stream of a connection whose response never ends does not retire the connection")
    func refusedStreamBesideEndlessResponse() {
        var state = Self.full(connections: 2, streams: 10, limit: 2)
        #expect(state.beganResponding(2, at: .zero) == [])
        #expect(state.streamRefused(on: 2, at: .zero) == [])
        #expect(state.streamEnded(on: 2, at: .zero) == [])
        #expect(state.arrive(isResent: true) == [.wait([])], "nine are accepted")
        #expect(state.streamEnded(on: 2, at: .zero) == [.run(22, on: 2)], "the connection still gets requests")
    }

    @Test("the loss of a connection whose response never ends delays no further connection")
    func lossBesideEndlessResponse() {
        var state = Self.full(connections: 2, limit: 2)
        #expect(state.beganResponding(2, at: .zero) == [])
        #expect(state.closed(2, at: .zero) == [.open(3)])
    }

    @Test("a response that begins on a further connection ends the pause before the next one")
    func beganResponding() {
        var state = Self.full()
        #expect(state.connectFailed(2, at: .zero) == [])
        #expect(state.deadlinePassed(at: .seconds(1)) == [.open(3)])
        _ = state.connectedHTTP2(3, streams: 1, at: .seconds(1))
        #expect(state.streamLimitChanged(to: 1, on: 3, at: .seconds(1)) == [.run(2, on: 3)])
        #expect(state.arrive(at: .seconds(1)) == [.wait([.open(4)])])
        #expect(state.connectFailed(4, at: .seconds(1)) == [])
        #expect(state.beganResponding(3, at: .seconds(1)) == [], "the refused connection is a later one")
        #expect(state.deadlinePassed(at: .seconds(3)) == [.open(5)])
        _ = state.connectedHTTP2(5, streams: 1, at: .seconds(3))
        #expect(state.streamLimitChanged(to: 1, on: 5, at: .seconds(3)) == [.run(3, on: 5)])
        #expect(state.beganResponding(5, at: .seconds(3)) == [])
        #expect(state.arrive(at: .seconds(3)) == [.wait([.open(6)])])
        #expect(state.connectFailed(6, at: .seconds(3)) == [])
        #expect(state.nextDeadline == .seconds(4), "the first pause again")
    }

    @Test("a served connection whose server refuses its only stream still gets one request at a time")
    func refusedOnlyStream() {
        var state = Self.full(connections: 2, streams: 10, limit: 2)
        for number in 1...10 { _ = state.streamCompleted(on: 2, number: number, at: .zero) }
        #expect(state.streamRefused(on: 2, at: .zero) == [])
        #expect(state.streamEnded(on: 2, at: .zero) == [])
        #expect(state.arrive(2, isResent: true) == [.run(on: 2), .wait([])])
    }

    @Test(
        "the only connection gets as many requests at once as the server has accepted, and one more after each response",
        arguments: [false, true]
    )
    func refusedStreamOfOnlyConnection(hasServed: Bool) {
        var state = Machine.either()
        _ = state.arrive()
        _ = state.connectedHTTP2(1, streams: 1, at: .zero)
        _ = state.streamLimitChanged(to: 10, on: 1, at: .zero)
        if hasServed { _ = state.beganResponding(1, at: .zero) }
        #expect(state.arrive(9) == Array(repeating: .run(on: 1), count: 9))
        for _ in 0..<7 {
            #expect(state.streamRefused(on: 1, at: .zero) == [])
            #expect(state.streamEnded(on: 1, at: .zero) == [])
        }
        #expect(state.arrive(7, isResent: true) == Array(repeating: .wait([]), count: 7), "three run")
        #expect(Self.runs(state.streamCompleted(on: 1, number: 1, at: .zero)) == [1: 2], "four are accepted")
        #expect(state.streamRefused(on: 1, at: .zero) == [])
        #expect(state.streamEnded(on: 1, at: .zero) == [], "only three are")
        #expect(Self.runs(state.streamEnded(on: 1, at: .zero)) == [1: 1])
    }

    @Test("a server that refuses all requests on the only connection gets one at a time")
    func refusesEachStream() {
        var state = Machine.either()
        _ = state.arrive(10)
        _ = state.connectedHTTP2(1, streams: 1, at: .zero)
        _ = state.streamLimitChanged(to: 100, on: 1, at: .zero)
        for _ in 0..<10 {
            _ = state.streamRefused(on: 1, at: .zero)
            #expect(state.streamEnded(on: 1, at: .zero) == [])
        }
        #expect(state.arrive(2, isResent: true) == [.run(on: 1), .wait([])])
        #expect(state.streamRefused(on: 1, at: .zero) == [])
        #expect(state.streamEnded(on: 1, at: .zero) == [.run(12, on: 1)])
    }

    @Test("a server that has refused requests, and completes no response, gets one more request each second")
    func refusedBesideEndlessResponses() {
        var state = Machine.either()
        _ = state.arrive(3)
        _ = state.connectedHTTP2(1, streams: 1, at: .zero)
        _ = state.streamLimitChanged(to: 4, on: 1, at: .zero)
        for _ in 0..<2 { _ = state.streamRefused(on: 1, at: .zero) + state.streamEnded(on: 1, at: .zero) }
        // The response to the running request never ends.
        #expect(state.arrive(4, isResent: true) == Array(repeating: .wait([]), count: 4))
        #expect(state.deadlinePassed(at: .milliseconds(999)) == [])
        for second in 1...3 {
            #expect(state.nextDeadline == .seconds(second))
            let actions = state.deadlinePassed(at: .seconds(second))
            #expect(Self.runs(actions) == [1: 1])
            #expect(Self.opened(actions) == (second == 3 ? [2] : []), "the server accepts as many as it allows")
        }
        #expect(state.nextDeadline == nil)
    }

    // MARK: HTTP/1.1

    @Test("further connections over HTTP/1.1 count together with those over HTTP/2")
    func fallback() {
        var state = Self.full(limit: 3)
        _ = state.arrive(3)
        #expect(state.connectedHTTP1(2, at: .zero) == [.run(2, on: 2), .open(3)])
        #expect(state.connectedHTTP1(3, at: .zero) == [.run(3, on: 3)], "there are three connections")
        #expect(state.freed(2, at: .zero) == [.run(4, on: 2)])
        #expect(state.streamCompleted(on: 1, number: 1, at: .zero) == [.run(5, on: 1)])
        #expect(state.streamCompleted(on: 1, number: 2, at: .zero) == [])
        for id in 2...3 { #expect(state.freed(id, at: .zero) == []) }
        #expect(state.arrive(4) == [.run(on: 3), .run(on: 2), .run(on: 1), .wait([])])
    }

    // MARK: Cancellation

    @Test(
        "the attempt for a further connection is cancelled with the last waiting request, and not after a timeout of another"
    )
    func cancellation() {
        var state = Self.full()
        _ = state.arrive(2)
        #expect(state.requestCancelled(2, timedOut: true, at: .seconds(5)) == [], "it has waited for a stream, too")
        #expect(state.requestCancelled(3, timedOut: false, at: .seconds(5)) == [])
        #expect(state.requestCancelled(4, timedOut: true, at: .seconds(5)) == [.cancelConnect(2)])
        #expect(state.connectedHTTP2(2, streams: 1, at: .zero) == [.close(2)], "it has just been opened")
        #expect(state.arrive() == [.wait([.open(3)])])
    }

    // MARK: Invariants

    /// A server and a pool with random events.
    private struct Simulation {
        var state: Machine
        var now = Duration.zero
        var generator: SeededGenerator
        var attempts: [Machine.ConnectionID] = []
        /// The running requests of the open connections.
        var running: [Machine.ConnectionID: [Machine.RequestID]] = [:]
        var waiting: Set<Machine.RequestID> = []
        /// The connections whose server is in doubt, and that may have been closed.
        var inDoubt: Set<Machine.ConnectionID> = []
        var opened = 0
        let limit: Int

        init(seed: UInt64, limit: Int) {
            state = .either(limit: limit)
            generator = SeededGenerator(seed: seed)
            self.limit = limit
        }

        mutating func perform(_ actions: [Machine.Action]) {
            for action in actions {
                switch action {
                case .run(let request, let id):
                    #expect(waiting.remove(request) != nil)
                    #expect(running[id] != nil)
                    running[id]?.append(request)
                case .open(let id):
                    attempts.append(id)
                    opened += 1
                case .close(let id):
                    #expect(running.removeValue(forKey: id)?.isEmpty == true)
                case .cancelConnect(let id): attempts.removeAll { $0 == id }
                case .fail(let request): #expect(waiting.remove(request) != nil)
                }
            }
        }

        mutating func place(_ history: WaitingRequests.History = .new) {
            let (request, placement) = state.place(history, at: now)
            waiting.insert(request)
            switch placement {
            case .run(let id): perform([.run(request, on: id)])
            case .wait(let actions): perform(actions)
            case .refuseUpgrade: Issue.record("The request asks for no upgrade.")
            }
        }

        mutating func step() {
            let connection = running.keys.sorted().randomElement(using: &generator)
            switch Int.random(in: 0..<22, using: &generator) {
            case 0..<6: for _ in 0..<Int.random(in: 1...4, using: &generator) { place() }
            case 6..<8:
                guard let id = attempts.randomElement(using: &generator) else { return }
                attempts.removeAll { $0 == id }
                if Int.random(in: 0..<4, using: &generator) == 0 {
                    perform(state.connectFailed(id, at: now))
                } else {
                    running[id] = []
                    perform(state.connectedHTTP2(id, streams: 1, at: now))
                }
            case 8..<14:
                guard let id = connection, let request = running[id]?.popLast() else { return }
                perform(state.streamCompleted(on: id, number: request, at: now))
            case 14:
                guard let id = connection, running[id]?.popLast() != nil else { return }
                perform(state.streamRefused(on: id, at: now) + state.streamEnded(on: id, at: now))
                place(.resent(age: .zero))
            case 15:
                guard let id = connection else { return }
                let limit = [0, 1, 2, 5, 100].randomElement(using: &generator) ?? 1
                perform(state.streamLimitChanged(to: limit, on: id, at: now))
            case 16:
                guard let id = connection else { return }
                running[id] = nil
                perform(state.closed(id, at: now))
            case 17:
                guard let request = waiting.sorted().randomElement(using: &generator) else { return }
                waiting.remove(request)
                let timedOut = Bool.random(using: &generator)
                perform(state.requestCancelled(request, timedOut: timedOut, at: now))
            case 18:
                guard let id = connection else { return }
                inDoubt.insert(id)
                perform(state.responsivenessChanged(to: false, of: id, at: now))
            case 19:
                guard let id = inDoubt.sorted().randomElement(using: &generator) else { return }
                inDoubt.remove(id)
                perform(state.responsivenessChanged(to: true, of: id, at: now))
            case 20: now += .milliseconds(Int.random(in: 0..<2_000, using: &generator))
            default:
                guard let time = state.nextDeadline else { return }
                now = max(now, time)
                perform(state.deadlinePassed(at: now))
                // A deadline that has passed and remains would fire its timer forever.
                if let next = state.nextDeadline { #expect(next > now) }
            }
        }
    }

    @Test(
        "random events lose no request, exceed no limit, and leave no deadline in the past",
        arguments: [1, 2, 6]
    )
    func simulation(limit: Int) {
        for seed in 0..<50 {
            var simulation = Simulation(seed: UInt64(seed), limit: limit)
            for _ in 0..<300 {
                simulation.step()
                #expect(simulation.state.waitingCount == simulation.waiting.count)
                #expect(simulation.state.connectionCount <= limit)
                #expect(simulation.attempts.count <= 1)
                #expect(Set(simulation.attempts) == Set(simulation.state.connectAttempts.attempts.map(\.id)))
            }
        }
    }
}
#endif
