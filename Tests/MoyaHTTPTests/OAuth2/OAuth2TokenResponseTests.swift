import Foundation
import Testing

@testable import MoyaHTTP

@Suite("The response of a token endpoint is a credential or an error")
struct OAuth2TokenResponseTests {
    private static let requested = Date(timeIntervalSince1970: 1_000_000)
    private static let old = OAuth2Credential(accessToken: "oldAccess", refreshToken: "oldRefresh", scope: "a b")

    private func response(_ status: Int, _ body: String) throws(OAuth2Error) -> OAuth2Credential {
        try OAuth2TokenResponse(status: status, body: Data(body.utf8), secrets: ["oldAccess", "oldRefresh", "secret"])
            .credential(renewing: Self.old, requested: Self.requested, leeway: 60)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let body: String
        var refreshToken = "oldRefresh"
        var lifetime: TimeInterval?
        var leeway: TimeInterval = 60
        var scope = "a b"

        var testDescription: String { "\(rule): \(body)" }
    }

    static let successes: [Row] = [
        Row(
            rule: "RFC 6749, section 5.1",
            body: """
                {"access_token":"new","token_type":"bearer","expires_in":3600,"refresh_token":"newRefresh",
                 "example_parameter":"example_value","scope":"a"}
                """,
            refreshToken: "newRefresh",
            lifetime: 3_600,
            scope: "a"
        ),
        Row(
            rule: "RFC 6749, section 6: a missing refresh token keeps the old one",
            body: #"{"access_token":"new","token_type":"Bearer","expires_in":3600}"#,
            lifetime: 3_600
        ),
        Row(
            rule: "an empty refresh token keeps the old one",
            body: #"{"access_token":"new","token_type":"Bearer","refresh_token":""}"#
        ),
        Row(
            rule: "null counts as missing",
            body: #"{"access_token":"new","token_type":null,"refresh_token":null,"expires_in":null}"#
        ),
        Row(
            rule: "RFC 6749, section 5.1: the case of the type is ignored",
            body: #"{"access_token":"new","token_type":"bEaReR"}"#
        ),
        Row(rule: "the type may be missing", body: #"{"access_token":"new"}"#),
        Row(rule: "a lifetime may be a string", body: #"{"access_token":"new","expires_in":"3600"}"#, lifetime: 3_600),
        Row(
            rule: "a lifetime may be a fraction",
            body: #"{"access_token":"new","expires_in":3600.5}"#,
            lifetime: 3_600.5
        ),
        Row(
            rule: "a lifetime shorter than the leeway halves the leeway",
            body: #"{"access_token":"new","expires_in":30}"#,
            lifetime: 30,
            leeway: 15
        ),
        Row(rule: "a lifetime of zero is ignored", body: #"{"access_token":"new","expires_in":0}"#),
        Row(rule: "a negative lifetime is ignored", body: #"{"access_token":"new","expires_in":-1}"#),
        Row(rule: "a huge lifetime is limited", body: #"{"access_token":"new","expires_in":1e300}"#, lifetime: 1e10),
        Row(rule: "an infinite lifetime is ignored", body: #"{"access_token":"new","expires_in":"inf"}"#),
        Row(rule: "a lifetime of NaN is ignored", body: #"{"access_token":"new","expires_in":"nan"}"#),
        Row(rule: "a lifetime that is not a number is ignored", body: #"{"access_token":"new","expires_in":"soon"}"#),
        Row(rule: "a Boolean lifetime is ignored", body: #"{"access_token":"new","expires_in":true}"#),
        Row(rule: "a scope that is not a string is ignored", body: #"{"access_token":"new","scope":["a"]}"#),
        Row(rule: "an error with a token is ignored", body: #"{"access_token":"new","error":""}"#),
    ]

    @Test("the response of a token endpoint becomes a new credential", arguments: successes)
    func success(row: Row) throws {
        let credential = try response(200, row.body)
        let expiration = row.lifetime.map { Self.requested.addingTimeInterval($0) }
        let expected = OAuth2Credential(
            accessToken: "new",
            refreshToken: row.refreshToken,
            expiration: expiration,
            leeway: row.leeway,
            scope: row.scope
        )
        #expect(credential == expected)
    }

    struct Failure: Sendable, CustomTestStringConvertible {
        let rule: String
        let status: Int
        let body: String
        let error: OAuth2Error

        init(_ rule: String, _ status: Int, _ body: String, _ error: OAuth2Error) {
            self.rule = rule
            self.status = status
            self.body = body
            self.error = error
        }

        var testDescription: String { "\(rule): \(status) \(body)" }
    }

    static let failures: [Failure] = [
        Failure("RFC 6749, section 5.2", 400, #"{"error":"invalid_request"}"#, .refused(.invalidRequest)),
        Failure("RFC 6749, section 5.2", 401, #"{"error":"invalid_client"}"#, .refused(.invalidClient)),
        Failure("RFC 6749, section 5.2", 400, #"{"error":"invalid_grant"}"#, .refused(.invalidGrant)),
        Failure("RFC 6749, section 5.2", 400, #"{"error":"unauthorized_client"}"#, .refused(.unauthorizedClient)),
        Failure("RFC 6749, section 5.2", 400, #"{"error":"unsupported_grant_type"}"#, .refused(.unsupportedGrantType)),
        Failure("RFC 6749, section 5.2", 400, #"{"error":"invalid_scope"}"#, .refused(.invalidScope)),
        Failure(
            "RFC 6749, section 5.2",
            400,
            #"{"error":"invalid_grant","error_description":"Revoked","error_uri":"https://example.com/e"}"#,
            .refused(.invalidGrant, description: "Revoked", uri: "https://example.com/e")
        ),
        Failure(
            "a code that the RFC does not define",
            403,
            #"{"error":"slow_down"}"#,
            .refused(.init(rawValue: "slow_down"))
        ),
        Failure("an error with 200", 200, #"{"error":"invalid_grant"}"#, .refused(.invalidGrant)),
        Failure(
            "a secret that the server repeats",
            400,
            #"{"error":"x","error_description":"oldRefresh, oldAccess, secret","error_uri":"a?oldRefresh"}"#,
            .refused(.init(rawValue: "x"), description: "***, ***, ***", uri: "a?***")
        ),
        Failure(
            "control characters",
            400,
            #"{"error":"invalid\ngrant","error_description":"a\r\nb\u0000"}"#,
            .refused(.init(rawValue: "invalid grant"), description: "a  b ")
        ),
        Failure(
            "a long text",
            400,
            #"{"error":"\#(String(repeating: "x", count: 10_000))"}"#,
            .refused(.init(rawValue: String(repeating: "x", count: 500)))
        ),
        Failure("text that is not JSON", 200, "access_token=new&token_type=bearer", .notJSON),
        Failure("a JSON array", 200, #"["access_token"]"#, .notJSON),
        Failure("an empty body", 200, "", .notJSON),
        Failure("deeply nested JSON", 200, String(repeating: #"{"a":"#, count: 100_000), .notJSON),
        Failure("a status without JSON", 503, "<html>", .unexpectedStatus(503)),
        Failure("a status with other JSON", 500, #"{"message":"oops"}"#, .unexpectedStatus(500)),
        Failure("a redirect", 302, #"{"access_token":"new"}"#, .unexpectedStatus(302)),
        Failure("a token with the status of an error", 400, #"{"access_token":"new"}"#, .unexpectedStatus(400)),
        Failure("no token", 200, #"{"token_type":"bearer"}"#, .invalidMember("access_token")),
        Failure("an empty token", 200, #"{"access_token":""}"#, .invalidMember("access_token")),
        Failure("a token that is a number", 200, #"{"access_token":1}"#, .invalidMember("access_token")),
        Failure(
            "RFC 6750, section 2.1: a token that would be another header",
            200,
            #"{"access_token":"a\r\nX: y","token_type":"bearer"}"#,
            .invalidMember("access_token")
        ),
        Failure(
            "RFC 6749, section 7.1",
            200,
            #"{"access_token":"new","token_type":"mac"}"#,
            .unsupportedTokenType("mac")
        ),
    ]

    @Test("a wrong response of a token endpoint becomes an error that names the problem", arguments: failures)
    func failure(row: Failure) {
        let error = #expect(throws: OAuth2Error.self) { try response(row.status, row.body) }
        #expect(error == row.error)
        #expect((error?.localizedDescription.count ?? 0) > 30)
    }

    @Test("the errors of a token endpoint are distinguished by their codes")
    func code() {
        #expect(OAuth2Error.refused(.invalidGrant, description: "a").code == .invalidGrant)
        #expect(OAuth2Error.notJSON.code == nil)
        #expect(OAuth2Error.refused(.invalidGrant).localizedDescription.contains("log in"))
    }
}
