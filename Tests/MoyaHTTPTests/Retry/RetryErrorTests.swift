import Foundation
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Some errors are worth a retry")
struct RetryErrorTests {
    /// The codes after which no server has received the request.
    static let notSent: Set<URLError.Code> = [
        .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .notConnectedToInternet, .internationalRoamingOff,
        .callIsActive, .dataNotAllowed,
    ]
    /// The codes after which a server may have received the request.
    static let mayHaveArrived: Set<URLError.Code> = [
        .timedOut, .networkConnectionLost, .badServerResponse, .resourceUnavailable, .downloadDecodingFailedMidStream,
        .downloadDecodingFailedToComplete, .backgroundSessionWasDisconnected,
    ]
    /// Every raw value for which Foundation has a name.
    static let all: [URLError.Code] = [
        -1, -995, -996, -997, -999, -1000, -1001, -1002, -1003, -1004, -1005, -1006, -1007, -1008, -1009, -1010, -1011,
        -1012, -1013, -1014, -1015, -1016, -1017, -1018, -1019, -1020, -1021, -1022, -1100, -1101, -1102, -1103, -1200,
        -1201, -1202, -1203, -1204, -1205, -1206, -2000, -3000, -3001, -3002, -3003, -3004, -3005, -3006, -3007,
    ].compactMap { URLError.Code(rawValue: $0) as URLError.Code? }

    @Test(
        "the URLError codes that are retried are the codes of the table, for idempotent methods and for other methods",
        arguments: all
    )
    func code(_ code: URLError.Code) {
        let attempt = AttemptFixture.error(URLError(code))
        let post = AttemptFixture.error(URLError(code), "POST")
        let careful = RetryPolicy()
        let bold = RetryPolicy(retriesUnsentRequests: true)
        let again = RetryDecision.retry(after: .milliseconds(500))
        switch code {
        case _ where Self.notSent.contains(code):
            #expect(careful.decision(for: attempt) == again)
            #expect(careful.decision(for: post) == .doNotRetry(.method))
            #expect(bold.decision(for: post) == again)
        case _ where Self.mayHaveArrived.contains(code):
            #expect(careful.decision(for: attempt) == again)
            #expect(careful.decision(for: post) == .doNotRetry(.method))
            #expect(bold.decision(for: post) == .doNotRetry(.method))
        default:
            let no = RetryDecision.doNotRetry(code == .cancelled ? .cancelled : .error)
            #expect(careful.decision(for: attempt) == no)
            #expect(careful.decision(for: post) == no)
            #expect(bold.decision(for: post) == no)
        }
    }

    @Test("every URLError code has one row of the table and a reason")
    func table() {
        #expect(Self.all.count == 48)
        #expect(RetryableError.all.map(\.code.rawValue).sorted() == Self.all.map(\.rawValue).sorted())
        for row in RetryableError.all { #expect(!row.reason.isEmpty, "\(row.code)") }
    }

    @Test("the retry policy's URLError codes are used, except for cancelled", arguments: all)
    func choice(_ code: URLError.Code) {
        let own: Set<URLError.Code> = [.cancelled, .cannotParseResponse]
        let expected: RetryDecision =
            switch code {
            case .cancelled: .doNotRetry(.cancelled)
            case .cannotParseResponse: .retry(after: .milliseconds(500))
            default: .doNotRetry(.error)
            }
        #expect(
            RetryPolicy(retryableURLErrorCodes: own).decision(for: AttemptFixture.error(URLError(code))) == expected
        )
    }

    @Test("an error that is not a URLError is not retried")
    func others() {
        #expect(RetryPolicy().decision(for: AttemptFixture.error(CancellationError())) == .doNotRetry(.cancelled))
        #expect(RetryPolicy().decision(for: AttemptFixture.error(RequestBodyError(.missing))) == .doNotRetry(.error))
        let invalid = RequestValidationError.invalidURL("")
        #expect(RetryPolicy().decision(for: AttemptFixture.error(invalid)) == .doNotRetry(.error))
        let foreign = NSError(domain: "another", code: URLError.Code.timedOut.rawValue)
        #expect(RetryPolicy().decision(for: AttemptFixture.error(foreign)) == .doNotRetry(.error))
    }

    @Test("ConnectionLostRetryPolicy retries only lost connections", arguments: all)
    func connectionLost(_ code: URLError.Code) async {
        let policy = ConnectionLostRetryPolicy(exponentialBackoffScale: 0)
        let session = Session()
        let get = await policy.retry(AttemptFixture.error(URLError(code)), for: session)
        let post = await policy.retry(AttemptFixture.error(URLError(code), "POST"), for: session)
        if case .retry = get {
            #expect(code == .networkConnectionLost)
        } else {
            #expect(code != .networkConnectionLost)
        }
        guard case .doNotRetry = post else {
            Issue.record("a POST is repeated after \(code)")
            return
        }
        #expect(policy.policy.decision(for: AttemptFixture.status(503)) == .doNotRetry(.status(503)))
    }
}
