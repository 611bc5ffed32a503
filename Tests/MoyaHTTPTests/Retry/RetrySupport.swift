import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The attempt about which the tests of retry policies decide.
enum AttemptFixture {
    /// 6 November 1994, 08:49:37, the date in RFC 9110.
    static let now = Date(timeIntervalSince1970: 784_111_777)

    static func status(
        _ status: Int,
        _ method: String = "GET",
        retryAfter: String...,
        retryCount: Int = 0,
        elapsed: Duration = .zero,
        timeLeft: Duration? = nil,
        isBodyRepeatable: Bool = true
    ) -> RequestAttempt {
        var headers = HTTPFields()
        for value in retryAfter { headers.append(HTTPField(name: .retryAfter, value: value)) }
        return attempt(
            .response(status: status, headers: headers),
            method,
            retryCount: retryCount,
            elapsed: elapsed,
            timeLeft: timeLeft,
            isBodyRepeatable: isBodyRepeatable
        )
    }

    static func error(
        _ error: any Error,
        _ method: String = "GET",
        retryCount: Int = 0,
        elapsed: Duration = .zero,
        isBodyRepeatable: Bool = true
    ) -> RequestAttempt {
        attempt(
            .failure(error),
            method,
            retryCount: retryCount,
            elapsed: elapsed,
            isBodyRepeatable: isBodyRepeatable
        )
    }

    private static func attempt(
        _ outcome: RequestAttempt.Outcome,
        _ method: String,
        retryCount: Int,
        elapsed: Duration,
        timeLeft: Duration? = nil,
        isBodyRepeatable: Bool
    ) -> RequestAttempt {
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        request.httpMethod = method
        return RequestAttempt(
            request: request,
            outcome: outcome,
            retryCount: retryCount,
            elapsed: elapsed,
            timeLeft: timeLeft,
            isBodyRepeatable: isBodyRepeatable
        )
    }
}

/// A rule in a table.
struct RetryRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let policy: RetryPolicy
    let attempt: RequestAttempt
    let decision: RetryDecision

    init(_ rule: String, _ policy: RetryPolicy, _ attempt: RequestAttempt, _ decision: RetryDecision) {
        testDescription = rule
        self.policy = policy
        self.attempt = attempt
        self.decision = decision
    }
}

extension RetryPolicy {
    /// Returns the decision at ``AttemptFixture/now``, with the maximum delay unless another share is given.
    func decision(for attempt: RequestAttempt, random: Double = 1) -> RetryDecision {
        decision(for: attempt, now: AttemptFixture.now, random: random)
    }
}

/// A clock with a fixed time that can be set.
struct HandClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private let time = Locked(Duration.zero)

    var now: Instant { Instant(offset: time.withLock { $0 }) }
    var minimumResolution: Duration { .nanoseconds(1) }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
    func advance(by duration: Duration) { time.withLock { $0 += duration } }
}
