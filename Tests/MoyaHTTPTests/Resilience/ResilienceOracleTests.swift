import Foundation
import Testing

@testable import MoyaHTTP

/// `scripts/check/resilience-oracles` compares a million steps, and tells the folder with them by an environment variable.
@Suite("Retry budgets and the adaptive rate decide as other implementations do")
struct ResilienceOracleTests {
    /// A source of decisions.
    enum Source: String, CaseIterable, Sendable {
        case quota
        case quotaOfVersion143 = "quota-1.43"
        case throttling
        case adaptive

        var vectors: String {
            switch self {
            case .quota: ResilienceVectors.quota
            case .quotaOfVersion143: ResilienceVectors.quotaOfVersion143
            case .throttling: ResilienceVectors.throttling
            case .adaptive: ResilienceVectors.adaptive
            }
        }

        /// Compares the steps in a text.
        func replay(_ text: String) throws -> ResilienceReplay {
            var replay = ResilienceReplay()
            switch self {
            case .quota, .quotaOfVersion143:
                try replay.replayBudget(text) { numbers in
                    let costs = numbers.map { Int($0) }
                    return .quota(
                        RetryQuota(
                            capacity: costs[0],
                            costs: RetryQuota.Costs(retry: costs[1], timeout: costs[2], throttling: costs[3])
                        )
                    )
                } balance: { rule in
                    if case .quota(let quota) = rule { quota.available } else { nil }
                }
            case .throttling:
                try replay.replayBudget(text) { numbers in
                    .throttling(RetryThrottling(maximumTokens: Int(numbers[0]), tokenRatio: numbers[1]))
                } balance: { rule in
                    if case .throttling(let throttling) = rule { throttling.tokens } else { nil }
                }
            case .adaptive:
                try replay.replayAdaptiveRate(text)
            }
            return replay
        }
    }

    @Test("the rules decide as in the committed steps of other implementations", arguments: Source.allCases)
    func vectors(source: Source) throws {
        let replay = try source.replay(source.vectors)
        #expect(replay.steps == 150)
        #expect(replay.differences == [])
    }

    @Test("a rule with another number differs from the committed steps")
    func sensitivity() throws {
        let cheaper = ResilienceVectors.quota.replacing("14 14 5", with: "13 14 5")
        #expect(try !Source.quota.replay(cheaper).differences.isEmpty)
        let slower = ResilienceVectors.throttling.replacing("new 10 0.1\n", with: "new 10 0.099\n")
        #expect(try !Source.throttling.replay(slower).differences.isEmpty)
        let later = ResilienceVectors.adaptive.replacing("new 0\n", with: "new 1000000\n")
        #expect(try !Source.adaptive.replay(later).differences.isEmpty)
    }

    static let folder = ProcessInfo.processInfo.environment["MOYA_RESILIENCE_STEPS"]

    @Test(
        "the rules decide as in many new steps of other implementations",
        .enabled(if: folder != nil),
        arguments: Source.allCases
    )
    func steps(source: Source) throws {
        let folder = URL(fileURLWithPath: try #require(Self.folder))
        let text = try String(contentsOf: folder.appendingPathComponent(source.rawValue), encoding: .utf8)
        let replay = try source.replay(text)
        #expect(replay.steps >= 1)
        #expect(replay.differences == [])
        print("\(source.rawValue): \(replay.steps) steps compared")
    }
}
