import Foundation
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Fallbacks are used after certain errors and statuses")
struct FallbackRuleTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let rule: String
        let outcome: FallbackRule.Outcome
        /// Whether another base URL, a stale response and a sample are used.
        let uses: (base: Bool, stale: Bool, sample: Bool)
        /// The meaning for the health of the base URL.
        let result: BaseURLHealth.Result

        init(
            _ rule: String,
            _ outcome: FallbackRule.Outcome,
            _ uses: (base: Bool, stale: Bool, sample: Bool),
            _ result: BaseURLHealth.Result
        ) {
            (self.rule, self.outcome, self.uses, self.result) = (rule, outcome, uses, result)
        }

        var testDescription: String { rule }
    }

    private static func failure(_ code: URLError.Code, _ delivery: RequestDelivery? = nil) -> FallbackRule.Outcome {
        let error = URLError(code)
        return .failure(error, delivery ?? RequestDelivery(after: error))
    }

    static let cases: [Case] = [
        Case("a success is returned", .status(200, isRedirected: false), (false, false, false), .reached),
        Case("a client error is returned", .status(404, isRedirected: false), (false, false, false), .reached),
        Case("a status of all", .status(503, isRedirected: false), (true, true, true), .notReached),
        Case("a status of two", .status(500, isRedirected: false), (false, true, true), .reached),
        Case("the status of another server", .status(503, isRedirected: true), (false, true, true), .reached),
        Case("a refused connection", failure(.cannotConnectToHost), (true, true, true), .notReached),
        Case("a missing host", failure(.cannotFindHost), (true, true, true), .notReached),
        Case("a lost connection", failure(.networkConnectionLost), (true, true, true), .notReached),
        Case("a timeout", failure(.timedOut), (true, true, true), .notReached),
        Case("the total time is over", failure(.timedOut, .other), (false, true, true), .unknown),
        Case("a lost body", failure(.networkConnectionLost, .responded), (false, true, true), .reached),
        Case("no network", failure(.notConnectedToInternet), (false, true, true), .unknown),
        Case("an invalid response", failure(.cannotParseResponse), (false, true, true), .unknown),
        Case("an untrusted server", failure(.serverCertificateUntrusted), (false, false, false), .unknown),
        Case("a failed handshake", failure(.secureConnectionFailed), (false, false, false), .unknown),
        Case(
            "an invalid request",
            .failure(RequestValidationError.invalidURL(""), .other),
            (false, false, false),
            .unknown
        ),
        Case("a limit", failure(.resourceUnavailable, .refused), (true, true, true), .unknown),
        Case("only the cache was allowed", failure(.resourceUnavailable), (false, false, false), .unknown),
        Case("an adapter's failure", failure(.cannotConnectToHost, .other), (false, true, true), .unknown),
        Case("an avoided base URL", .avoided(.test("http://a.test"), for: .zero), (true, true, true), .unknown),
        Case("a response of the cache", .final, (false, false, false), .unknown),
    ]

    @Test("the outcome of a request decides about its fallbacks and the health of its base URL", arguments: cases)
    func rule(_ row: Case) {
        let base = Fallback.baseURLs(.test("http://a.test"), .test("http://b.test"), statuses: [502, 503])
        let uses = [base, .staleResponse, .sample { _, _ in nil }].map {
            FallbackRule.cause(for: $0, after: row.outcome) != nil
        }
        #expect(uses == [row.uses.base, row.uses.stale, row.uses.sample])
        #expect(FallbackRule.result(of: row.outcome, statuses: base.statuses) == row.result)
    }

    @Test("by default no status leads to another base URL, and no status below 500 to a response without a server")
    func statuses() {
        #expect(Fallback.baseURLs(.test("http://a.test"), .test("http://b.test")).statuses.isEmpty)
        #expect(Fallback.staleResponse.statuses == [500, 502, 503, 504])
        #expect(Fallback.sample { _, _ in nil }.statuses == [500, 502, 503, 504])
    }

    @Test("the texts of causes and kinds mask secrets")
    func texts() {
        let url = URL.test("https://u:p@a.test/?token=secret")
        let error = URLError.make(.timedOut, url: url, reason: "No response from https://a.test/?token=secret")
        let texts = [
            "\(Fallback.Cause.avoided(url, for: .seconds(3)))", "\(Fallback.Kind.baseURL(url))",
            "\(Fallback.Cause.failure(error))", "\(Fallback.Cause.status(503))",
            "\(RequestEvent.Kind.fallingBack(to: .baseURL(url), because: .failure(error)))",
        ]
        for text in texts { #expect(!text.contains("secret") && !text.contains("u:p"), "\(text)") }
        #expect(texts[0].hasPrefix("avoided(https://a.test/"))
        #expect(texts[3] == "status(503)")
    }
}
