import Foundation
import FoundationNetworking
import Security
import Testing

@testable import MoyaHTTP
@testable import MoyaURLSessionTransport

@Suite("The settings decide the response to challenges for a client certificate and for a login", .serialized)
struct URLSessionChallengeTests {
    private static let url = URL(string: "https://api.example.com/")
    private static let basic = NSURLAuthenticationMethodHTTPBasic

    private static func settings(_ change: (inout TransportConfiguration) -> Void = { _ in }) throws
        -> URLSessionSettings
    {
        var connection = TransportConfiguration()
        change(&connection)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCredentialStorage = nil
        return try URLSessionSettings(connection, of: configuration, writingTo: .ephemeral)
    }

    private static func server(_ method: String) -> URLProtectionSpace {
        URLProtectionSpace(host: "h", port: 443, protocol: "https", realm: "r", authenticationMethod: method)
    }

    private static func proxy(_ method: String) -> URLProtectionSpace {
        URLProtectionSpace(
            proxyHost: "proxy",
            port: 3_128,
            type: NSURLProtectionSpaceHTTPProxy,
            realm: "r",
            authenticationMethod: method
        )
    }

    @Test("a challenge for a client certificate gets the identity of the settings, or the default handling without one")
    func clientCertificate() async throws {
        let space = Self.server(NSURLAuthenticationMethodClientCertificate)
        guard
            case .performDefaultHandling = await Challenges.disposition(space, try Self.settings(), url: Self.url)
        else {
            Issue.record("there is no identity to use")
            return
        }
        let certificate = SecCertificate(der: try ChainFixtures.certificate(ChainFixtures.server).der)
        let identity = SecIdentity(certificate)
        FakeSecurity.importStatus = errSecSuccess
        FakeSecurity.importedItems = [["identity": identity, "chain": [certificate]]]
        let settings = try Self.settings { $0.clientIdentity = ClientIdentity(pkcs12: Data([1]), passphrase: "p") }
        guard case .use(let credential) = await Challenges.disposition(space, settings, url: Self.url) else {
            Issue.record("the identity is not used")
            return
        }
        #expect(AssociatedValues.identities[credential]?.identity === identity)
    }

    @Test(
        "URLSession handles a server's Basic challenge, and NTLM and Negotiate are rejected unless system credentials are allowed"
    )
    func serverLogin() async throws {
        let (plain, system) = (try Self.settings(), try Self.settings { $0.usesSystemCredentials = true })
        guard
            case .performDefaultHandling = await Challenges.disposition(
                Self.server(Self.basic),
                plain,
                url: Self.url
            )
        else {
            Issue.record("Basic")
            return
        }
        for method in ["NSURLAuthenticationMethodNTLM", "NSURLAuthenticationMethodNegotiate"] {
            guard
                case .rejectProtectionSpace = await Challenges.disposition(
                    Self.server(method),
                    plain,
                    url: Self.url
                ),
                case .performDefaultHandling = await Challenges.disposition(
                    Self.server(method),
                    system,
                    url: Self.url
                )
            else {
                Issue.record("\(method)")
                continue
            }
        }
    }

    @Test("a proxy gets the configured credential once, and a second challenge fails the request")
    func proxyLogin() async throws {
        let settings = try Self.settings {
            $0.proxy = .http(host: "proxy", port: 3_128, credential: .init(user: "ash", password: "secret"))
        }
        let space = Self.proxy(Self.basic)
        guard case .use(let credential) = await Challenges.disposition(space, settings, url: Self.url) else {
            Issue.record("the credential is not used")
            return
        }
        #expect((credential.user, credential.password) == ("ash", "secret"))
        #expect(credential.persistence == .forSession)
        guard
            case .refuse(let error) = await Challenges.disposition(space, settings, failures: 1, url: Self.url)
        else {
            Issue.record("a wrong password is used again")
            return
        }
        #expect(error?.code == .userAuthenticationRequired)
        #expect(error?.failingURL == Self.url)
    }

    @Test("a proxy's challenge gets the credential of the request")
    func tunnel() async throws {
        let users = ProxyUsers(own: UserCredential(user: "o", password: "p"))
        let disposition = await Challenges.disposition(
            Self.proxy(Self.basic),
            try Self.settings(),
            users: users,
            url: Self.url
        )
        guard case .use(let credential) = disposition else {
            Issue.record("the credential is not used")
            return
        }
        #expect(credential.user == "o")
    }
}
