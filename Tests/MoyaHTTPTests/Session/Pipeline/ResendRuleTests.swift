import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ResendRule {
    /// Creates the rule for a request with a method, and with a body if that can be read once.
    init(
        method: HTTPMethod,
        hasIdempotencyKey: Bool = false,
        isBodyRepeatable: Bool,
        idleTimeout: Duration = .seconds(60)
    ) {
        let body = isBodyRepeatable ? nil : HTTPBody.stream(InputStream(data: Data()))
        var request = TransportRequest(method: method, url: URL(fileURLWithPath: "/"), body: body)
        request.idleTimeout = idleTimeout
        if hasIdempotencyKey, let name = HTTPField.Name(IdempotencyKeys.fieldName) { request.headers[name] = "key" }
        self.init(for: request, usesIdempotencyKeys: true)
    }
}

@Suite("Lost or refused requests are resent without a retry")
struct ResendRuleTests {
    /// The loss of a connection, as a transport reports it.
    struct Lost: ConnectionLoss {
        let allowsResend: Bool
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let error: any Error & Sendable
        var method = HTTPMethod.get
        var isBodyRepeatable = true
        let reason: ResendReason?

        init(
            _ name: String,
            _ cause: (any Error & Sendable)?,
            _ reason: ResendReason?,
            _ method: HTTPMethod = .get,
            isBodyRepeatable: Bool = true
        ) {
            testDescription = name
            error = URLError.make(.networkConnectionLost, url: nil, cause: cause)
            (self.method, self.isBodyRepeatable, self.reason) = (method, isBodyRepeatable, reason)
        }
    }

    static let rows = [
        // RFC 9112, section 9.3.1.
        Row("a reused connection is lost", Lost(allowsResend: true), .connectionLost),
        Row("a reused connection is lost by PUT", Lost(allowsResend: true), .connectionLost, .put),
        Row("a reused connection is lost by POST", Lost(allowsResend: true), nil, .post),
        Row("a reused connection is lost by PATCH", Lost(allowsResend: true), nil, .patch),
        Row("a new connection is lost", Lost(allowsResend: false), nil),
        Row("the body can be read once", Lost(allowsResend: true), nil, .put, isBodyRepeatable: false),
        // RFC 9113, section 8.7.
        Row("a request is not processed", RequestNotProcessedError(), .notProcessed),
        Row("a POST is not processed", RequestNotProcessedError(), .notProcessed, .post),
        Row(
            "a request with a body that can be read once is not processed",
            RequestNotProcessedError(),
            nil,
            .post,
            isBodyRepeatable: false
        ),
        Row("the error has another cause", URLError(.badURL), nil),
        Row("the error has no cause", nil, nil),
    ]

    @Test("a request is resent if its method, its body and the error allow a resend", arguments: rows)
    func rule(_ row: Row) {
        var rule = ResendRule(method: row.method, isBodyRepeatable: row.isBodyRepeatable)
        #expect(rule.decide(row.error, elapsed: .zero)?.reason == row.reason)
    }

    @Test(
        "a request is resent once after a lost connection and up to a hundred times after refusals, within a minute and its timeout"
    )
    func limits() {
        let lost = URLError.make(.networkConnectionLost, url: nil, cause: Lost(allowsResend: true))
        let refused = URLError.make(.networkConnectionLost, url: nil, cause: RequestNotProcessedError())
        var rule = ResendRule(method: .get, isBodyRepeatable: true)
        #expect(rule.decide(lost, elapsed: .zero) != nil)
        #expect(rule.decide(lost, elapsed: .zero) == nil)
        var total = Duration.zero
        for count in 0..<100 {
            guard let (_, delay) = rule.decide(refused, elapsed: .zero) else {
                Issue.record("Not the \(count)th time.")
                return
            }
            #expect(count >= 4 || delay == .zero)
            #expect(delay <= .milliseconds(250))
            total += delay
        }
        #expect(rule.decide(refused, elapsed: .zero) == nil)
        #expect(total < ResendRule.maximumTime)
        var late = ResendRule(method: .get, isBodyRepeatable: true)
        #expect(late.decide(refused, elapsed: ResendRule.maximumTime) == nil)
        var impatient = ResendRule(method: .get, isBodyRepeatable: true, idleTimeout: .seconds(2))
        #expect(impatient.decide(refused, elapsed: .seconds(1)) != nil)
        #expect(impatient.decide(refused, elapsed: .seconds(2)) == nil)
    }
}
