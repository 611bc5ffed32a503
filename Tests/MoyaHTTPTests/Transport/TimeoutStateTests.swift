import Testing

@testable import MoyaHTTP

@Suite("When an exchange has taken too long")
struct TimeoutStateTests {
    /// A row with times in seconds from the start, and activities with whether the reader has to read first.
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
        // Nothing ever happens: idle time counts from the start.
        Row(idle: 10, total: 100, [(0, again(10)), (9, again(1)), (10, .idleTooLong), (50, .idleTooLong)]),
        // The total time wins where both have passed, and where it comes first.
        Row(idle: 10, total: 100, [(100, .tookTooLong), (1_000, .tookTooLong)]),
        Row(idle: 10, total: 5, [(0, again(5)), (4, again(1)), (5, .tookTooLong)]),
        Row(idle: 10, total: 10, [(9, again(1)), (10, .tookTooLong)]),
        // Activity starts the idle time anew, not the total time.
        Row(idle: 10, total: 100, after: [(7, false)], [(10, again(7)), (16, again(1)), (17, .idleTooLong)]),
        Row(idle: 10, total: 100, after: [(7, false), (15, false)], [(24, again(1)), (25, .idleTooLong)]),
        Row(idle: 10, total: 100, after: [(95, false)], [(96, again(4)), (99, again(1)), (100, .tookTooLong)]),
        // Two threads may report in the wrong order: the later time counts.
        Row(idle: 10, total: 100, after: [(7, false), (5, false)], [(16, again(1)), (17, .idleTooLong)]),
        // While the reader has not taken what is there the server owes nothing, but the total time runs.
        Row(
            idle: 10,
            total: 100,
            after: [(5, true)],
            [(15, again(10)), (50, again(10)), (95, again(5)), (100, .tookTooLong)]
        ),
        Row(idle: 10, total: 100, after: [(5, false), (6, true)], [(50, again(10))]),
        // From when it was taken the idle time counts again.
        Row(idle: 10, total: 100, after: [(5, true), (50, false)], [(59, again(1)), (60, .idleTooLong)]),
        Row(idle: 10, total: 100, after: [(5, true), (50, false), (55, true)], [(80, again(10))]),
        // No time at all is over at once.
        Row(idle: 0, total: 100, [(0, .idleTooLong)]),
        Row(idle: 10, total: 0, [(0, .tookTooLong)]),
    ]

    @Test("the verdict follows from idle time, total time, activity and the reader", arguments: table)
    func verdict(_ row: Row) {
        var state = TimeoutState(idleTimeout: .seconds(row.idle), totalTimeout: .seconds(row.total))
        for (time, waits) in row.activities { state.activity(at: .seconds(time), isWaitingForReader: waits) }
        for (time, verdict) in row.verdicts { #expect(state.verdict(at: .seconds(time)) == verdict, "at \(time)") }
    }

    @Test(
        "the first look is when the shorter time is up",
        arguments: [(10, 100, 10), (100, 10, 10), (10, 10, 10), (0, 5, 0)]
    )
    func firstLook(_ idle: Int, total: Int, look: Int) {
        let state = TimeoutState(idleTimeout: .seconds(idle), totalTimeout: .seconds(total))
        #expect(state.firstLook == .seconds(look))
    }

    @Test("who looks again when told to comes to an end: idle exchanges at the idle time, busy ones at the total time")
    func looking() {
        for isBusy in [false, true] {
            var state = TimeoutState(idleTimeout: .seconds(10), totalTimeout: .seconds(95))
            var now = state.firstLook
            var looks = 1
            while looks < 1_000 {
                // Something happens shortly before each look.
                if isBusy { state.activity(at: now - .seconds(1)) }
                guard case .checkAgain(let time) = state.verdict(at: now) else { break }
                #expect(time > .zero)
                now += time
                looks += 1
            }
            #expect(now == .seconds(isBusy ? 95 : 10))
            #expect(state.verdict(at: now) == (isBusy ? .tookTooLong : .idleTooLong))
        }
    }

    @Test("an exchange that waits for a network is not idle until something happens")
    func connectivity() {
        var state = TimeoutState(idleTimeout: .seconds(60), totalTimeout: .seconds(1_000))
        state.waitsForConnectivity(at: .seconds(1))
        #expect(state.verdict(at: .seconds(500)) == .checkAgain(after: .seconds(60)))
        state.activity(at: .seconds(500))
        #expect(state.verdict(at: .seconds(559)) == .checkAgain(after: .seconds(1)))
        #expect(state.verdict(at: .seconds(560)) == .idleTooLong)
        // The total time goes on.
        state.waitsForConnectivity(at: .seconds(560))
        #expect(state.verdict(at: .seconds(1_000)) == .tookTooLong)
    }

    @Test("the time in which the process was suspended does not count")
    func suspended() {
        var state = TimeoutState(idleTimeout: .seconds(60), totalTimeout: .seconds(100))
        state.activity(at: .seconds(10))
        // The timer was to fire after 60 seconds, and did so an hour later.
        state.timerFired(at: .seconds(3_660), due: .seconds(60))
        #expect(state.verdict(at: .seconds(3_660)) == .checkAgain(after: .seconds(10)))
        #expect(state.verdict(at: .seconds(3_670)) == .idleTooLong)
        #expect(state.verdict(at: .seconds(3_700)) == .tookTooLong)
    }

    @Test("what happens between the end of a suspension and the timer counts as if the timer had fired first")
    func activityAfterSuspension() {
        var state = TimeoutState(idleTimeout: .seconds(60), totalTimeout: .seconds(10_000))
        state.activity(at: .seconds(3_659))
        state.timerFired(at: .seconds(3_660), due: .seconds(60))
        #expect(state.verdict(at: .seconds(3_660)) == .checkAgain(after: .seconds(60)))
        state.activity(at: .seconds(3_670))
        #expect(state.verdict(at: .seconds(3_729)) == .checkAgain(after: .seconds(1)))
        #expect(state.verdict(at: .seconds(3_730)) == .idleTooLong)
    }

    @Test("a timer that is hardly late changes nothing")
    func punctual() {
        var state = TimeoutState(idleTimeout: .seconds(60), totalTimeout: .seconds(100))
        state.timerFired(at: .seconds(61), due: .seconds(60))
        #expect(state.verdict(at: .seconds(61)) == .idleTooLong)
    }

    @Test("times of any length do not overflow")
    func longTimes() {
        let forever = Duration.seconds(Int64.max)
        var state = TimeoutState(idleTimeout: forever, totalTimeout: forever)
        state.activity(at: .seconds(1_000_000))
        #expect(state.firstLook == forever)
        #expect(state.verdict(at: .seconds(1_000_000)) == .checkAgain(after: forever - .seconds(1_000_000)))
        state.activity(at: .seconds(1_000_000), isWaitingForReader: true)
        #expect(state.verdict(at: .seconds(2_000_000)) == .checkAgain(after: forever - .seconds(2_000_000)))
    }
}
