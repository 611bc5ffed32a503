import Foundation
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("OAuth 2 tokens are requested with a form")
struct OAuth2TokenRequestTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let section: String
        var client = OAuth2Client.public(id: "app")
        var grant = OAuth2Authenticator.Grant.refreshToken
        var scope: String?
        var token = "tGzv3JOkF0XG5Qx2TlKWIA"
        let body: String
        var authorization: String?

        var testDescription: String { "\(section): \(body)" }
    }

    static let table: [Row] = [
        Row(
            section: "RFC 6749, section 6, and 3.2.1 for the client_id",
            body: "grant_type=refresh_token&refresh_token=tGzv3JOkF0XG5Qx2TlKWIA&client_id=app"
        ),
        Row(
            section: "RFC 6749, section 6, its example",
            client: .basic(id: "s6BhdRkqt3", secret: "gX1fBat3bV"),
            body: "grant_type=refresh_token&refresh_token=tGzv3JOkF0XG5Qx2TlKWIA",
            authorization: "Basic czZCaGRSa3F0MzpnWDFmQmF0M2JW"
        ),
        Row(
            section: "RFC 6749, section 3.3",
            scope: "read write",
            body: "grant_type=refresh_token&refresh_token=tGzv3JOkF0XG5Qx2TlKWIA&scope=read+write&client_id=app"
        ),
        Row(
            section: "RFC 6749, section 2.3.1, in the body",
            client: .body(id: "app", secret: "a&b=c"),
            body: "grant_type=refresh_token&refresh_token=tGzv3JOkF0XG5Qx2TlKWIA&client_id=app&client_secret=a%26b%3Dc"
        ),
        Row(
            section: "RFC 6749, section 2.3.1: encoded before it is joined",
            client: .basic(id: "a:b", secret: "c d/é"),
            body: "grant_type=refresh_token&refresh_token=tGzv3JOkF0XG5Qx2TlKWIA",
            authorization: "Basic " + Data("a%3Ab:c+d%2F%C3%A9".utf8).base64EncodedString()
        ),
        Row(
            section: "RFC 6749, appendix B",
            token: " %&+é",
            body: "grant_type=refresh_token&refresh_token=+%25%26%2B%C3%A9&client_id=app"
        ),
        Row(
            section: "RFC 6749, section 4.4.2",
            client: .basic(id: "s6BhdRkqt3", secret: "gX1fBat3bV"),
            grant: .clientCredentials,
            scope: "read",
            body: "grant_type=client_credentials&scope=read",
            authorization: "Basic czZCaGRSa3F0MzpnWDFmQmF0M2JW"
        ),
    ]

    @Test("a token request is a POST with a form that names the client", arguments: table)
    func request(row: Row) throws {
        let url = try #require(URL(string: "https://auth.example.com/token?tenant=1"))
        let request = try OAuth2TokenRequest(url: url, client: row.client, grant: row.grant, scope: row.scope)
            .urlRequest(renewing: OAuth2Credential(accessToken: "old", refreshToken: row.token))
        #expect(request.url == url)
        #expect(request.httpMethod == "POST")
        #expect(request.httpBody.map { String(decoding: $0, as: UTF8.self) } == row.body)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
        #expect(request.value(forHTTPHeaderField: "Accept") == "application/json")
        #expect(request.value(forHTTPHeaderField: "Authorization") == row.authorization)
    }

    @Test("a request for a token refresh is not created without a refresh token", arguments: [nil, ""])
    func missing(token: String?) throws {
        let url = try #require(URL(string: "https://auth.example.com/token"))
        let request = OAuth2TokenRequest(url: url, client: .public(id: "app"), grant: .refreshToken, scope: nil)
        #expect(throws: OAuth2Error.missingRefreshToken) {
            try request.urlRequest(renewing: OAuth2Credential(accessToken: "old", refreshToken: token))
        }
    }
}
