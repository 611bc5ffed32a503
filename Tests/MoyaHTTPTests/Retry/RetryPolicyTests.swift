import Foundation
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A retry policy determines the retries of a session")
struct RetryPolicyTests {
    private static func policy(scale: Double = 1, random: Double = 0.5) -> RetryPolicy {
        RetryPolicy(exponentialBackoffScale: scale, random: { random }, now: { AttemptFixture.now })
    }

    @Test("the injected random numbers and time determine the delay of a retry")
    func delay() async {
        let session = Session()
        guard case .retryWithDelay(0.5) = await Self.policy().retry(AttemptFixture.status(503), for: session) else {
            Issue.record("half of a second")
            return
        }
        let dated = AttemptFixture.status(503, retryAfter: "Sun, 06 Nov 1994 08:49:57 GMT")
        guard case .retryWithDelay(20) = await Self.policy().retry(dated, for: session) else {
            Issue.record("20 seconds from the injected time")
            return
        }
    }

    @Test("a retry without a delay is immediate")
    func noDelay() async {
        guard case .retry = await Self.policy(scale: 0).retry(AttemptFixture.status(503), for: Session()) else {
            Issue.record("a delay")
            return
        }
    }

    @Test("outcomes that the retry policy does not name are not retried")
    func none() async {
        guard case .doNotRetry = await Self.policy().retry(AttemptFixture.status(200), for: Session()) else {
            Issue.record("a retry")
            return
        }
    }

    @Test("a request without a method counts as GET for retries")
    func noMethod() {
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        request.httpMethod = nil
        let attempt = RequestAttempt(request: request, outcome: .response(status: 503, headers: [:]))
        #expect(RetryPolicy().decision(for: attempt) == .retry(after: .milliseconds(500)))
    }

    @Test("a retry policy does not change requests")
    func adapts() async throws {
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        request.setValue("1", forHTTPHeaderField: "X-One")
        let adapted = try await RetryPolicy().adapt(request, using: RequestAdapterState(session: Session()))
        #expect(adapted == request)
    }
}
