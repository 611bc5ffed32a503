import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The timeouts of an exchange are checked by a state machine")
struct TimeoutStateTests {
    /// Times in seconds from the start: activities, each with whether the reader must read first, and verdicts.
    struct Row: Sendable, CustomTestStringConvertible {
        let idle: Int
        let total: Int
        let activities: [(at: Int, waitsForReader: Bool)]
        let verdicts: [(at: Int, verdict: TimeoutState.Verdict)]

        init(
            idle: Int,
            total: Int,
            after activities: [(at: Int, waitsForReader: Bool)] = [],
            _ verdicts: [(at: Int, verdict: TimeoutState.Verdict)]
        ) {
            self.idle = idle
            self.total = total
            self.activities = activities
            self.verdicts = verdicts
        }

        var testDescription: String { "idle \(idle), total \(total), activities \(activities)" }
    }

    private static func again(_ seconds: Int) -> TimeoutState.Verdict { .checkAgain(after: .seconds(seconds)) }

    static let table: [Row] = [
        // Nothing happens, so idle time counts from the start.
        Row(idle: 10, total: 100, [(0, again(10)), (9, again(1)), (10, .expired(.idle)), (50, .expired(.idle))]),
        // The exchange timeout wins if both have passed or if it is earlier.
        Row(idle: 10, total: 100, [(100, .expired(.attempt)), (1_000, .expired(.attempt))]),
        Row(idle: 10, total: 5, [(0, again(5)), (4, again(1)), (5, .expired(.attempt))]),
        Row(idle: 10, total: 10, [(9, again(1)), (10, .expired(.attempt))]),
        // Activity restarts the idle time and not the total time.
        Row(idle: 10, total: 100, after: [(7, false)], [(10, again(7)), (16, again(1)), (17, .expired(.idle))]),
        Row(idle: 10, total: 100, after: [(7, false), (15, false)], [(24, again(1)), (25, .expired(.idle))]),
        Row(idle: 10, total: 100, after: [(95, false)], [(96, again(4)), (99, again(1)), (100, .expired(.attempt))]),
        // Two threads may report in the wrong order: the later time is used.
        Row(idle: 10, total: 100, after: [(7, false), (5, false)], [(16, again(1)), (17, .expired(.idle))]),
        // While the reader has not taken the available data the idle time does not count, but the total time does.
        Row(
            idle: 10,
            total: 100,
            after: [(5, true)],
            [(15, again(10)), (50, again(10)), (95, again(5)), (100, .expired(.attempt))]
        ),
        Row(idle: 10, total: 100, after: [(5, false), (6, true)], [(50, again(10))]),
        // The idle time counts again after the data was taken.
        Row(idle: 10, total: 100, after: [(5, true), (50, false)], [(59, again(1)), (60, .expired(.idle))]),
        Row(idle: 10, total: 100, after: [(5, true), (50, false), (55, true)], [(80, again(10))]),
        // A timeout of zero has passed immediately.
        Row(idle: 0, total: 100, [(0, .expired(.idle))]),
        Row(idle: 10, total: 0, [(0, .expired(.attempt))]),
    ]

    @Test("the decision about a timeout follows from idle time, total time, activity and the reader", arguments: table)
    func verdict(_ row: Row) {
        var state = TimeoutState(idleTimeout: .seconds(row.idle), exchangeTimeout: .seconds(row.total))
        for (time, waits) in row.activities { state.recordActivity(at: .seconds(time), isPaused: waits) }
        for (time, verdict) in row.verdicts { #expect(state.verdict(at: .seconds(time)) == verdict, "at \(time)") }
    }

    @Test(
        "the first check is at the shorter timeout, and never after the exchange timeout",
        arguments: [
            (10, 100, 0, 10), (100, 10, 0, 10), (10, 10, 0, 10), (0, 5, 0, 0), (10, 100, 95, 5), (10, 100, 200, 0),
        ]
    )
    func firstLook(_ idle: Int, total: Int, start: Int, look: Int) {
        var state = TimeoutState(idleTimeout: .seconds(idle), exchangeTimeout: .seconds(total))
        #expect(state.began(at: .seconds(start)) == .seconds(look))
    }

    // MARK: The wait for a connection

    struct WaitRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The limit of the wait.
        var limit: Int?
        /// The time without a connection; `nil` if there is one.
        let disconnected: Int?
        let verdicts: [(at: Int, verdict: TimeoutState.Verdict)]

        init(
            _ description: String,
            limit: Int? = nil,
            disconnected: Int? = nil,
            _ verdicts: [(at: Int, verdict: TimeoutState.Verdict)]
        ) {
            (testDescription, self.limit) = (description, limit)
            (self.disconnected, self.verdicts) = (disconnected, verdicts)
        }
    }

    static let waits: [WaitRow] = [
        // The exchange waits from 5 on, with an idle time of 10 and a total time of 100.
        WaitRow(
            "all connections are in use",
            [(5, again(10)), (16, again(10)), (95, again(5)), (100, .expired(.attempt))]
        ),
        WaitRow(
            "with a limit",
            limit: 30,
            [(5, again(10)), (34, again(1)), (35, .expired(.pool)), (99, .expired(.pool)), (100, .expired(.attempt))]
        ),
        WaitRow("a limit that is longer than the total time", limit: 200, [(99, again(1)), (100, .expired(.attempt))]),
        WaitRow(
            "no connection since long ago",
            disconnected: 1_000,
            [(5, again(10)), (14, again(1)), (15, .expired(.idle))]
        ),
        WaitRow("no connection since now", disconnected: 0, [(50, again(10))]),
        WaitRow("no connection for a part of the wait", disconnected: 4, [(50, again(6)), (8, again(7))]),
        WaitRow("no connection for the idle time", disconnected: 10, [(50, .expired(.idle)), (14, again(1))]),
        WaitRow("no connection, and a limit", limit: 8, disconnected: 1_000, [(12, again(1)), (13, .expired(.pool))]),
    ]

    @Test("the wait for a connection is not idle time unless the origin has no connection", arguments: waits)
    func wait(_ row: WaitRow) {
        var state = TimeoutState(idleTimeout: .seconds(10), exchangeTimeout: .seconds(100))
        let limit = row.limit.map { Duration.seconds($0) }
        #expect(state.beganWaiting(at: .seconds(5), timeout: limit) == min(limit ?? .seconds(10), .seconds(10)))
        let pool = PoolStatus(
            timeout: limit,
            isConnectLimited: true,
            disconnected: row.disconnected.map { .seconds($0) },
            capacity: 6,
            isForStreams: false,
            server: "http://h"
        )
        for (time, verdict) in row.verdicts {
            #expect(state.verdict(at: .seconds(time), pool) == verdict, "at \(time)")
        }
        #expect(state.waited(at: .seconds(50)) == .seconds(45))
        // Idle time counts from the connection on.
        #expect(state.began(at: .seconds(50)) == .seconds(10))
        #expect(state.waited(at: .seconds(50)) == nil)
        #expect(state.verdict(at: .seconds(59), pool) == Self.again(1))
        #expect(state.verdict(at: .seconds(60), pool) == .expired(.idle))
    }

    @Test("the request's limits replace the limit of the pool, and end a wait without a connection")
    func waitLimits() {
        func pool(_ limit: Int?, disconnected: Int?) -> PoolStatus {
            PoolStatus(
                timeout: limit.map { .seconds($0) },
                isConnectLimited: true,
                disconnected: disconnected.map { .seconds($0) },
                capacity: 6,
                isForStreams: false,
                server: "http://h"
            )
        }
        typealias WaitVerdict = (at: Int, verdict: TimeoutState.Verdict)
        // The exchange waits from 5 on, with an idle time of 10 and a total time of 100.
        let rows: [(phases: PhaseTimeouts, pool: PoolStatus, first: Int, verdicts: [WaitVerdict])] = [
            (.init(pool: .seconds(3)), pool(nil, disconnected: nil), 3, [(7, Self.again(1)), (8, .expired(.pool))]),
            (.init(pool: .seconds(3)), pool(2, disconnected: nil), 3, [(7, Self.again(1)), (8, .expired(.pool))]),
            (.init(pool: .seconds(30)), pool(2, disconnected: nil), 10, [(8, Self.again(10)), (35, .expired(.pool))]),
            (
                .init(connect: .seconds(4)), pool(nil, disconnected: 1_000), 4,
                [(8, Self.again(1)), (9, .expired(.connect))]
            ),
            // The pool may lose its connections at any time.
            (.init(connect: .seconds(4)), pool(nil, disconnected: nil), 4, [(50, Self.again(4))]),
            (.init(connect: .seconds(4)), pool(nil, disconnected: 3), 4, [(50, Self.again(1))]),
            (.init(connect: .seconds(4)), pool(nil, disconnected: 4), 4, [(50, .expired(.connect))]),
            (.init(connect: .seconds(20)), pool(nil, disconnected: 1_000), 10, [(15, .expired(.idle))]),
            (.init(connect: .seconds(10)), pool(nil, disconnected: 1_000), 10, [(15, .expired(.idle))]),
            (
                .init(connect: .seconds(4), pool: .seconds(4)), pool(nil, disconnected: 1_000), 4,
                [(8, Self.again(1)), (9, .expired(.pool))]
            ),
        ]
        for (phases, pool, first, verdicts) in rows {
            var state = TimeoutState(idleTimeout: .seconds(10), exchangeTimeout: .seconds(100), phases: phases)
            #expect(state.beganWaiting(at: .seconds(5), timeout: pool.timeout) == .seconds(first), "\(phases)")
            for (time, verdict) in verdicts {
                #expect(state.verdict(at: .seconds(time), pool) == verdict, "\(phases) at \(time)")
            }
            // They do not apply to an exchange with a connection.
            _ = state.began(at: .seconds(50))
            #expect(state.verdict(at: .seconds(59), pool) == Self.again(1), "\(phases)")
        }
    }

    // MARK: The time until the head of the response

    @Test("the time until the response begins when the request has been sent, and ends with the head")
    func firstByte() {
        let phases = PhaseTimeouts(firstByte: .seconds(4))
        var state = TimeoutState(idleTimeout: .seconds(10), exchangeTimeout: .seconds(100), phases: phases)
        #expect(state.began(at: .seconds(1)) == .seconds(4), "the request may be sent immediately")
        #expect(state.verdict(at: .seconds(6)) == Self.again(5), "the body is not sent")
        #expect(state.check(due: .seconds(5), lastTransfer: .seconds(5), at: .seconds(5)) == Self.again(4))
        state.recordSent(at: .seconds(7))
        state.recordSent(at: .seconds(9))
        #expect(state.check(due: .seconds(9), lastTransfer: .seconds(7), at: .seconds(9)) == Self.again(2))
        #expect(state.verdict(at: .seconds(11)) == .expired(.firstByte))
        state.recordActivity(at: .seconds(10))
        #expect(state.verdict(at: .seconds(11)) == .expired(.firstByte), "an interim response is not the head")
        state.recordResponse()
        #expect(state.verdict(at: .seconds(11)) == Self.again(9))
        #expect(state.began(at: .seconds(11)) == .seconds(10))
    }

    @Test("no time until the response ends the exchange when the request is sent", arguments: [0, -5])
    func noTimeUntilResponse(limit: Int) {
        let phases = PhaseTimeouts(firstByte: .seconds(limit))
        var state = TimeoutState(idleTimeout: .seconds(10), exchangeTimeout: .seconds(100), phases: phases)
        #expect(state.began(at: .zero) == TimeoutState.readTime)
        #expect(state.check(due: .seconds(1), at: .seconds(1)) == .checkAgain(after: TimeoutState.readTime))
        state.recordSent(at: .seconds(2))
        #expect(state.verdict(at: .seconds(2)) == .expired(.firstByte))
    }

    @Test("the time until the response does not end while the carrier waits for a network")
    func firstByteWithoutNetwork() {
        let phases = PhaseTimeouts(firstByte: .seconds(4))
        var state = TimeoutState(idleTimeout: .seconds(10), exchangeTimeout: .seconds(100), phases: phases)
        _ = state.began(at: .zero)
        state.recordSent(at: .zero)
        state.pauseForConnectivity(at: .seconds(1))
        #expect(state.verdict(at: .seconds(50)) == Self.again(10))
        #expect(state.verdict(at: .seconds(100)) == .expired(.attempt))
    }

    @Test("a request that was sent before its exchange begins is checked at the end of the time until the response")
    func sentBefore() {
        let phases = PhaseTimeouts(firstByte: .seconds(4))
        var state = TimeoutState(idleTimeout: .seconds(10), exchangeTimeout: .seconds(100), phases: phases)
        state.recordSent(at: .seconds(1))
        #expect(state.began(at: .seconds(2)) == .seconds(3))
        #expect(state.began(at: .seconds(7)) == .zero)
    }

    @Test(
        "of the idle time and the time until the response, the one that ends first is reported",
        arguments: [
            (4, RequestTimeoutError.Kind.firstByte), (9, .firstByte), (10, .idle), (11, .idle), (1_000, .idle),
        ]
    )
    func firstOfTwo(limit: Int, kind: RequestTimeoutError.Kind) {
        let phases = PhaseTimeouts(firstByte: .seconds(limit))
        var state = TimeoutState(idleTimeout: .seconds(10), exchangeTimeout: .seconds(100), phases: phases)
        _ = state.began(at: .zero)
        state.recordSent(at: .zero)
        // A late timer.
        #expect(state.verdict(at: .seconds(50)) == .expired(kind))
        #expect(state.verdict(at: .seconds(100)) == .expired(.attempt))
    }

    @Test("an expired time until the response is checked again while the carrier has pending input")
    func pendingHead() {
        let phases = PhaseTimeouts(firstByte: .seconds(4))
        var state = TimeoutState(idleTimeout: .seconds(10), exchangeTimeout: .seconds(100), phases: phases)
        _ = state.began(at: .zero)
        state.recordSent(at: .zero)
        #expect(state.check(due: .seconds(4), hasPendingInput: true, at: .seconds(4)) == Self.recheck)
        #expect(state.check(due: .seconds(4), hasPendingInput: false, at: .seconds(4)) == .expired(.firstByte))
        state.recordResponse()
        #expect(state.check(due: .seconds(4), hasPendingInput: false, at: .seconds(4)) == Self.again(6))
    }

    @Test("time in which the process was suspended does not count as time until the response")
    func suspendedBeforeResponse() {
        let phases = PhaseTimeouts(firstByte: .seconds(4))
        var state = TimeoutState(idleTimeout: .seconds(10), exchangeTimeout: .seconds(100), phases: phases)
        _ = state.began(at: .zero)
        state.recordSent(at: .seconds(2))
        #expect(state.check(due: .seconds(4), at: .seconds(3_604)) == Self.again(2))
        #expect(state.verdict(at: .seconds(3_606)) == .expired(.firstByte))
    }

    @Test("the error of a timeout has the limit, with the time that earlier exchanges of the attempt have taken")
    func errors() {
        let phases = PhaseTimeouts(connect: .seconds(1), pool: .seconds(2), firstByte: .seconds(3))
        let state = TimeoutState(
            idleTimeout: .seconds(4),
            exchangeTimeout: .seconds(5),
            earlierTime: .seconds(6),
            phases: phases
        )
        let limits: [(RequestTimeoutError.Kind, Int)] = [
            (.connect, 1), (.pool, 2), (.firstByte, 3), (.idle, 4), (.attempt, 11),
        ]
        for (kind, limit) in limits {
            #expect(state.error(of: kind) == RequestTimeoutError(kind: kind, limit: .seconds(limit)))
        }
        let pool = PoolStatus(
            timeout: .seconds(7),
            isConnectLimited: true,
            disconnected: nil,
            capacity: 6,
            isForStreams: false,
            server: "http://h"
        )
        let plain = TimeoutState(idleTimeout: .seconds(4), exchangeTimeout: .seconds(5))
        #expect(plain.error(of: .pool, pool).limit == .seconds(7))
        #expect(state.error(of: .pool, pool).limit == .seconds(2))
    }

    @Test("idle time before the exchange counts until the response")
    func idleBefore() {
        var state = TimeoutState(idleTimeout: .seconds(10), exchangeTimeout: .seconds(100), idleBefore: .seconds(7))
        #expect(state.began(at: .seconds(1)) == .seconds(3))
        #expect(state.verdict(at: .seconds(4)) == .expired(.idle))
        state.recordActivity(at: .seconds(2))
        #expect(state.verdict(at: .seconds(4)) == Self.again(1), "sending is activity")
        state.recordResponse()
        #expect(state.verdict(at: .seconds(4)) == Self.again(8))
    }

    @Test(
        "the error of a timeout names the resource that the exchange waited for",
        arguments: [
            (Duration.seconds(60), ConnectionWaitError.Resource.connection(of: 6), "60 s for one of 6 connections"),
            (.milliseconds(1_500), .connection(of: 1), "1.5 s for the only connection"),
            (.milliseconds(50), .stream(of: 100), "50 ms for one of 100 streams"),
            (.seconds(7), .stream(of: 1), "7 s for the only stream"),
            (.milliseconds(10_004), .attempt, "10 s for a first connection"),
        ]
    )
    func waitError(time: Duration, resource: ConnectionWaitError.Resource, text: String) {
        let error = ConnectionWaitError(waited: time, server: "https://api.example.com", resource: resource)
        #expect(error.description == "The request waited \(text) to https://api.example.com, and was not sent.")
    }

    @Test("the error of a timeout says that the server allows no stream")
    func waitErrorWithoutStreams() {
        let error = ConnectionWaitError(waited: .seconds(3), server: "https://h.test", resource: .stream(of: 0))
        #expect(
            error.description == "The request waited 3 s for a stream of the HTTP/2 connection to https://h.test, "
                + "whose server allows 0 at once, and was not sent."
        )
    }

    @Test("repeated checks end an idle exchange at the idle timeout, and a busy exchange at the exchange timeout")
    func looking() {
        for isBusy in [false, true] {
            var state = TimeoutState(idleTimeout: .seconds(10), exchangeTimeout: .seconds(95))
            var now = state.began(at: .zero)
            var looks = 1
            while looks < 1_000 {
                // Activity happens shortly before each check.
                if isBusy { state.recordActivity(at: now - .seconds(1)) }
                guard case .checkAgain(let time) = state.verdict(at: now) else { break }
                #expect(time > .zero)
                now += time
                looks += 1
            }
            #expect(now == .seconds(isBusy ? 95 : 10))
            #expect(state.verdict(at: now) == (isBusy ? .expired(.attempt) : .expired(.idle)))
        }
    }

    @Test("an exchange that waits for a network is not idle until its first activity")
    func connectivity() {
        var state = TimeoutState(idleTimeout: .seconds(60), exchangeTimeout: .seconds(1_000))
        state.pauseForConnectivity(at: .seconds(1))
        #expect(state.verdict(at: .seconds(500)) == .checkAgain(after: .seconds(60)))
        state.recordActivity(at: .seconds(500))
        #expect(state.verdict(at: .seconds(559)) == .checkAgain(after: .seconds(1)))
        #expect(state.verdict(at: .seconds(560)) == .expired(.idle))
        // The total time continues.
        state.pauseForConnectivity(at: .seconds(560))
        #expect(state.verdict(at: .seconds(1_000)) == .expired(.attempt))
    }

    @Test("received bytes restart the idle time even if nothing is delivered, unless they are older than the activity")
    func received() {
        var state = TimeoutState(idleTimeout: .seconds(10), exchangeTimeout: .seconds(100))
        state.recordBytes(at: .seconds(-5))
        #expect(state.verdict(at: .seconds(9)) == .checkAgain(after: .seconds(1)))
        state.recordBytes(at: .seconds(8))
        #expect(state.verdict(at: .seconds(10)) == .checkAgain(after: .seconds(8)))
        state.recordActivity(at: .seconds(12))
        state.recordBytes(at: .seconds(9))
        #expect(state.verdict(at: .seconds(21)) == .checkAgain(after: .seconds(1)))
        #expect(state.verdict(at: .seconds(22)) == .expired(.idle))
        // The idle time stays paused while the reader is not ready.
        state.recordActivity(at: .seconds(22), isPaused: true)
        state.recordBytes(at: .seconds(23))
        #expect(state.verdict(at: .seconds(60)) == .checkAgain(after: .seconds(10)))
        // The total time continues.
        for second in 60..<100 { state.recordBytes(at: .seconds(second)) }
        #expect(state.verdict(at: .seconds(100)) == .expired(.attempt))
    }

    // MARK: Checks

    /// A timer that fires, with times in seconds.
    typealias Check = (due: Int, at: Int, lastTransfer: Int?, verdict: TimeoutState.Verdict)

    private static let recheck = TimeoutState.Verdict.checkAgain(after: TimeoutState.readTime)

    static let checks: [(name: String, checks: [Check])] = [
        ("an idle exchange is checked twice", [(10, 10, nil, recheck), (10, 10, nil, .expired(.idle))]),
        ("the carrier has read bytes after the first check", [(10, 11, 0, recheck), (11, 11, 11, again(10))]),
        (
            "a later expiry is checked twice again",
            [(10, 10, nil, recheck), (10, 10, 10, again(10)), (20, 20, 10, recheck), (20, 20, 10, .expired(.idle))]
        ),
        ("old bytes do not count", [(10, 10, 0, recheck), (10, 10, 0, .expired(.idle))]),
        ("the exchange timeout is not checked twice", [(100, 100, 95, .expired(.attempt))]),
        (
            "the time of a suspension does not count as idle time",
            [(10, 3_610, 5, again(5)), (3_615, 3_615, 5, recheck), (3_615, 3_615, 5, .expired(.idle))]
        ),
        ("bytes that arrive after a suspension count", [(10, 3_610, 3_610, again(10))]),
    ]

    @Test("an idle timeout ends an exchange only if a second check finds no new bytes", arguments: checks)
    func check(_ row: (name: String, checks: [Check])) {
        var state = TimeoutState(idleTimeout: .seconds(10), exchangeTimeout: .seconds(100))
        for (due, now, lastTransfer, verdict) in row.checks {
            let result = state.check(
                due: .seconds(due),
                lastTransfer: lastTransfer.map { .seconds($0) },
                at: .seconds(now)
            )
            #expect(result == verdict, "\(row.name), at \(now)")
        }
    }

    @Test(
        "an expired idle timeout is checked again while the carrier has pending input, with growing delays up to a limit"
    )
    func pendingInput() {
        var state = TimeoutState(idleTimeout: .seconds(10), exchangeTimeout: .seconds(100))
        func check(_ second: Int, lastTransfer: Int? = nil, _ hasPendingInput: Bool) -> TimeoutState.Verdict {
            state.check(
                due: .seconds(second),
                lastTransfer: lastTransfer.map { .seconds($0) },
                hasPendingInput: hasPendingInput,
                at: .seconds(second)
            )
        }
        for milliseconds in [1, 2, 4, 8, 16, 32, 64] {
            #expect(check(10, true) == .checkAgain(after: .milliseconds(milliseconds)))
        }
        #expect(check(11, lastTransfer: 11, false) == .checkAgain(after: .seconds(10)))
        #expect(check(21, true) == .checkAgain(after: .milliseconds(1)))
        #expect(check(21, false) == .expired(.idle))
        // Other exchanges of the connection may receive bytes all the time.
        state = TimeoutState(idleTimeout: .seconds(10), exchangeTimeout: .seconds(100))
        for _ in 0..<TimeoutState.maximumExpiries { #expect(check(10, true) != .expired(.idle)) }
        #expect(check(10, true) == .expired(.idle))
        // Without pending input, one check is enough.
        state = TimeoutState(idleTimeout: .seconds(10), exchangeTimeout: .seconds(100))
        #expect(check(10, false) == .expired(.idle))
    }

    @Test("an exchange that waits for a connection ends at the second check, or at the limit of the wait")
    func checkOfWait() {
        func pool(_ limit: Int?) -> PoolStatus {
            PoolStatus(
                timeout: limit.map { .seconds($0) },
                isConnectLimited: true,
                disconnected: .seconds(1_000),
                capacity: 6,
                isForStreams: false,
                server: "http://h"
            )
        }
        var state = TimeoutState(idleTimeout: .seconds(10), exchangeTimeout: .seconds(100))
        _ = state.beganWaiting(at: .seconds(5), timeout: nil)
        #expect(state.check(due: .seconds(15), pool(nil), at: .seconds(15)) == Self.recheck)
        #expect(state.check(due: .seconds(15), pool(nil), at: .seconds(15)) == .expired(.idle))
        #expect(state.check(due: .seconds(15), pool(8), at: .seconds(15)) == .expired(.pool))
    }

    @Test("time in which the process was suspended does not count as idle time")
    func suspended() {
        var state = TimeoutState(idleTimeout: .seconds(60), exchangeTimeout: .seconds(100))
        state.recordActivity(at: .seconds(10))
        // The timer was set to 60 seconds and fired an hour later.
        state.excludeSuspension(at: .seconds(3_660), due: .seconds(60))
        #expect(state.verdict(at: .seconds(3_660)) == .checkAgain(after: .seconds(10)))
        #expect(state.verdict(at: .seconds(3_670)) == .expired(.idle))
        #expect(state.verdict(at: .seconds(3_700)) == .expired(.attempt))
    }

    @Test("activity between the end of a suspension and the timer counts as if the timer had fired first")
    func activityAfterSuspension() {
        var state = TimeoutState(idleTimeout: .seconds(60), exchangeTimeout: .seconds(10_000))
        state.recordActivity(at: .seconds(3_659))
        state.excludeSuspension(at: .seconds(3_660), due: .seconds(60))
        #expect(state.verdict(at: .seconds(3_660)) == .checkAgain(after: .seconds(60)))
        state.recordActivity(at: .seconds(3_670))
        #expect(state.verdict(at: .seconds(3_729)) == .checkAgain(after: .seconds(1)))
        #expect(state.verdict(at: .seconds(3_730)) == .expired(.idle))
    }

    @Test("a timer that fires slightly late does not change the decision about a timeout")
    func punctual() {
        var state = TimeoutState(idleTimeout: .seconds(60), exchangeTimeout: .seconds(100))
        state.excludeSuspension(at: .seconds(61), due: .seconds(60))
        #expect(state.verdict(at: .seconds(61)) == .expired(.idle))
    }

    @Test("timeouts of any length do not overflow")
    func longTimes() {
        let forever = Duration.seconds(Int64.max)
        var state = TimeoutState(idleTimeout: forever, exchangeTimeout: forever)
        #expect(state.began(at: .zero) == forever)
        state.recordActivity(at: .seconds(1_000_000))
        #expect(state.verdict(at: .seconds(1_000_000)) == .checkAgain(after: forever - .seconds(1_000_000)))
        state.recordActivity(at: .seconds(1_000_000), isPaused: true)
        #expect(state.verdict(at: .seconds(2_000_000)) == .checkAgain(after: forever - .seconds(2_000_000)))
    }

    @Test("an exchange that ends with the whole request has the timeout of that in its error, also while it waits")
    func wholeRequest() {
        var request = TransportRequest(method: .get, url: .test("http://h.test/"), exchangeTimeout: .seconds(60))
        request.setTimeLeft(.seconds(3), ofTotal: .seconds(30))
        let total = RequestTimeoutError(kind: .total, limit: .seconds(30))
        #expect(request.exchangeTimeoutError == total)
        var state = TimeoutState(request)
        #expect(state.verdict(at: .seconds(2)) == .checkAgain(after: .seconds(1)))
        #expect(state.verdict(at: .seconds(3)) == .expired(.total))
        #expect(state.error(of: .total) == total)
        _ = state.beganWaiting(at: .zero, timeout: nil)
        let pool = PoolStatus(
            timeout: nil,
            isConnectLimited: true,
            disconnected: nil,
            capacity: 6,
            isForStreams: false,
            server: "http://h"
        )
        #expect(state.verdict(at: .seconds(3), pool) == .expired(.total))
        // The proxy or an alternative service may use a part of the rest.
        request.setTimeLeft(.seconds(1))
        #expect(TimeoutState(request).error(of: .total) == total)
        request.setTimeLeft(.zero)
        let error = #expect(throws: URLError.self) { try request.throwIfOverdue() }
        #expect(error?.timeout == total)
    }
}
