import Foundation
import Testing

@testable import MoyaHTTP

@Suite("Some statuses are worth a retry")
struct RetryStatusTests {
    static let retried: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    @Test(
        "the statuses of 100 to 599 that are retried are the statuses of the table, for each idempotent method",
        arguments: 100...599
    )
    func idempotent(_ status: Int) {
        for method in ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY"] {
            let expected: RetryDecision =
                Self.retried.contains(status) ? .retry(after: .milliseconds(500)) : .doNotRetry(.status(status))
            #expect(RetryPolicy().decision(for: AttemptFixture.status(status, method)) == expected, "\(method)")
        }
    }

    @Test(
        "no status of 100 to 599 is retried for a method that is not idempotent (RFC 9110, 9.2.2)",
        arguments: 100...599
    )
    func other(_ status: Int) {
        let reason: RetryDecision.Reason = Self.retried.contains(status) ? .method : .status(status)
        for method in ["POST", "PATCH", "CONNECT", "PURGE"] {
            #expect(
                RetryPolicy().decision(for: AttemptFixture.status(status, method)) == .doNotRetry(reason),
                "\(method)"
            )
            // A server that responded has received the request.
            let policy = RetryPolicy(retriesUnsentRequests: true)
            #expect(policy.decision(for: AttemptFixture.status(status, method)) == .doNotRetry(reason), "\(method)")
        }
    }

    @Test("the retry policy's methods are used")
    func methods() {
        let policy = RetryPolicy(retryableHTTPMethods: [.post, HTTPMethod(rawValue: "PURGE")])
        #expect(policy.decision(for: AttemptFixture.status(503, "POST")) == .retry(after: .milliseconds(500)))
        #expect(policy.decision(for: AttemptFixture.status(503, "PURGE")) == .retry(after: .milliseconds(500)))
        #expect(policy.decision(for: AttemptFixture.status(503, "GET")) == .doNotRetry(.method))
    }

    @Test("the retry policy's statuses are used", arguments: 100...599)
    func statuses(_ status: Int) {
        let policy = RetryPolicy(retryableHTTPStatusCodes: [200, 404])
        let expected: RetryDecision =
            [200, 404].contains(status) ? .retry(after: .milliseconds(500)) : .doNotRetry(.status(status))
        #expect(policy.decision(for: AttemptFixture.status(status)) == expected)
    }

    @Test("a retry does not depend on the statuses that the request accepts")
    func accepted() {
        let accepted = AttemptFixture.status(503)
        #expect(accepted.error == nil)
        let refused = RequestAttempt(
            request: accepted.request,
            outcome: .response(status: 404, headers: [:]),
            error: UnacceptableStatusError(status: 404)
        )
        #expect(RetryPolicy().decision(for: accepted) == .retry(after: .milliseconds(500)))
        #expect(RetryPolicy().decision(for: refused) == .doNotRetry(.status(404)))
    }

    @Test("each retryable status, and each similar status that is not retryable, has a reason")
    func reasons() {
        #expect(Set(RetryableStatus.reasons.keys) == Self.retried)
        #expect(Set(RetryableStatus.exceptions.keys).isDisjoint(with: Self.retried))
        for reason in RetryableStatus.reasons.merging(RetryableStatus.exceptions, uniquingKeysWith: { $1 }).values {
            #expect(reason.contains("(RFC "), "\(reason)")
        }
    }
}
