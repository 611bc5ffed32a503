import Testing

@testable import MoyaHTTP

@Suite("A rule decides when a request is hedged, and which exchange wins")
struct HedgingRuleTests {
    /// An event of a hedged request.
    enum Event: Sendable {
        case delay, delayWithoutBudget
        case good(Int)
        case bad(Int)
    }

    /// The events of a request, the hedges that the rule sends, and the exchange whose result the request gets.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let maximum: Int
        let events: [Event]
        let sent: [Int]
        let result: Int?

        init(_ name: String, maximum: Int = 1, _ events: [Event], sends sent: [Int] = [], result: Int?) {
            (testDescription, self.maximum, self.events) = (name, maximum, events)
            (self.sent, self.result) = (sent, result)
        }
    }

    static let rows: [Row] = [
        Row("a response before the delay", [.good(0)], result: 0),
        Row("a failure before the delay", [.bad(0)], result: 0),
        Row("the first exchange wins", [.delay, .good(0)], sends: [1], result: 0),
        Row("the hedge wins", [.delay, .good(1)], sends: [1], result: 1),
        Row("a failed hedge does not win", [.delay, .bad(1)], sends: [1], result: nil),
        Row("the first exchange wins after a failed hedge", [.delay, .bad(1), .good(0)], sends: [1], result: 0),
        Row("the hedge wins after the failure of the first", [.delay, .bad(0), .good(1)], sends: [1], result: 1),
        Row("both fail, the first one first", [.delay, .bad(0), .bad(1)], sends: [1], result: 0),
        Row("both fail, the hedge first", [.delay, .bad(1), .bad(0)], sends: [1], result: 0),
        Row("no budget", [.delayWithoutBudget, .good(0)], result: 0),
        Row("no budget, and none later", maximum: 2, [.delayWithoutBudget, .delay, .good(0)], result: 0),
        Row("no more than the maximum", [.delay, .delay, .delay], sends: [1], result: nil),
        Row("three hedges", maximum: 3, [.delay, .delay, .delay, .delay, .good(2)], sends: [1, 2, 3], result: 2),
        Row(
            "no further hedge after a failure",
            maximum: 3,
            [.delay, .bad(0), .delay, .good(1)],
            sends: [1],
            result: 1
        ),
        Row(
            "no further hedge after a failed hedge",
            maximum: 3,
            [.delay, .bad(1), .delay, .bad(0)],
            sends: [1],
            result: 0
        ),
        Row("all of three fail", maximum: 2, [.delay, .delay, .bad(2), .bad(0), .bad(1)], sends: [1, 2], result: 0),
    ]

    @Test("a rule sends the expected hedges, and selects the expected result", arguments: rows)
    func table(_ row: Row) {
        var rule = HedgingRule(maximumHedges: row.maximum)
        var sent: [Int] = []
        var results: [Int] = []
        for event in row.events {
            switch event {
            case .delay: sent += rule.delayEnded(isAllowed: true).map { [$0] } ?? []
            case .delayWithoutBudget: sent += rule.delayEnded(isAllowed: false).map { [$0] } ?? []
            case .good(let number): results += rule.exchangeEnded(number, isGood: true).map { [$0] } ?? []
            case .bad(let number): results += rule.exchangeEnded(number, isGood: false).map { [$0] } ?? []
            }
        }
        #expect(sent == row.sent)
        #expect(results == (row.result.map { [$0] } ?? []))
    }

    @Test("the budget is not asked for a hedge that is not sent")
    func budget() {
        var rule = HedgingRule(maximumHedges: 1)
        var asked = 0
        func isAllowed() -> Bool {
            asked += 1
            return true
        }
        #expect(rule.allowsHedge)
        #expect(rule.delayEnded(isAllowed: isAllowed()) == 1)
        #expect(!rule.allowsHedge)
        #expect(rule.delayEnded(isAllowed: isAllowed()) == nil)
        #expect(asked == 1)
    }

    @Test("a status wins unless it is retryable")
    func statuses() {
        #expect((100...599).filter { !HedgingRule.isGood(status: $0) } == [408, 425, 429, 500, 502, 503, 504])
    }
}
