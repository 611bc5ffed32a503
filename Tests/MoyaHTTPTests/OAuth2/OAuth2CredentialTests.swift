import Foundation
import Testing

@testable import MoyaHTTP

@Suite("An OAuth 2 credential contains tokens and their lifetime")
struct OAuth2CredentialTests {
    private static let expiration = Date(timeIntervalSince1970: 1_000_000)

    @Test(
        "an OAuth 2 credential must be refreshed if it has expired or expires within the leeway",
        arguments: [
            (60, -1_000, false), (60, -61, false), (60, -60, true), (60, 0, true), (60, 10, true), (0, -1, false),
            (0, 0, true), (-10, 5, false), (-10, 10, true),
        ] as [(TimeInterval, TimeInterval, Bool)]
    )
    func expires(leeway: TimeInterval, time: TimeInterval, isExpired: Bool) {
        let credential = OAuth2Credential(accessToken: "a", expiration: Self.expiration, leeway: leeway)
        #expect(credential.requiresRefresh(at: Self.expiration.addingTimeInterval(time)) == isExpired)
    }

    @Test(
        "a credential with an unknown lifetime is used until it is rejected, and a credential without a token is not used"
    )
    func unknown() {
        #expect(!OAuth2Credential(accessToken: "a").requiresRefresh)
        #expect(OAuth2Credential.toBeRequested.requiresRefresh)
        #expect(!OAuth2Credential(accessToken: "a", expiration: .distantFuture).requiresRefresh)
    }

    @Test("an OAuth 2 credential can be encoded and decoded")
    func coding() throws {
        let credential = OAuth2Credential(accessToken: "a", refreshToken: "b", expiration: Self.expiration, scope: "c")
        let read = try JSONDecoder().decode(OAuth2Credential.self, from: JSONEncoder().encode(credential))
        #expect(read == credential)
    }

    @Test("an OAuth 2 credential is printed without its tokens, as are its containers and the secret of a client")
    func printing() throws {
        let credential = OAuth2Credential(accessToken: "hush1", refreshToken: "hush2", expiration: Self.expiration)
        let url = try #require(URL(string: "https://auth.example.com/token"))
        let basic = OAuth2Client.basic(id: "app", secret: "hush3")
        let body = OAuth2Client.body(id: "app", secret: "hush4")
        let authenticator = OAuth2Authenticator(tokenURL: url, client: basic, origins: [url])
        let interceptor = AuthenticationInterceptor(authenticator: authenticator, credential: credential)
        for value in [credential, [credential], basic, body, authenticator, interceptor] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] { #expect(!text.contains("hush")) }
        }
        #expect("\(credential)".contains("***"))
        #expect("\(basic)".contains("app"))
    }
}
