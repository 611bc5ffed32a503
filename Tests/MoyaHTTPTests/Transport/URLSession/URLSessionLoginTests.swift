import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP
@testable import MoyaURLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("URLSession gets credentials for challenges")
struct URLSessionLoginTests {
    private final class Sender: NSObject, URLAuthenticationChallengeSender {
        func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
        func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
        func cancel(_ challenge: URLAuthenticationChallenge) {}
        func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
        func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
    }

    private static func challenge(_ space: URLProtectionSpace, failures: Int) -> URLAuthenticationChallenge {
        URLAuthenticationChallenge(
            protectionSpace: space,
            proposedCredential: nil,
            previousFailureCount: failures,
            failureResponse: nil,
            error: nil,
            sender: Sender()
        )
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

    private static func server(_ method: String) -> URLProtectionSpace {
        URLProtectionSpace(host: "h", port: 443, protocol: "https", realm: "r", authenticationMethod: method)
    }

    @Test("a challenge of URLSession is read with its method, its side and the number of failures")
    func reading() {
        typealias Challenge = URLSessionLoginChallenge
        let (http, https) = (URL(string: "http://h/"), URL(string: "HTTPS://h/"))
        func read(_ space: URLProtectionSpace, _ url: URL?, _ failures: Int = 0) -> Challenge {
            Challenge(Self.challenge(space, failures: failures), url: url)
        }
        let basic = NSURLAuthenticationMethodHTTPBasic
        #expect(read(Self.server(basic), https) == Challenge(method: .password, isProxy: false))
        #expect(
            read(Self.proxy(basic), http, 2) == Challenge(method: .password, isProxy: true, failureCount: 2)
        )
        #expect(read(Self.proxy(basic), https) == Challenge(method: .password, isProxy: true, isTunnel: true))
        for name in ["NSURLAuthenticationMethodNTLM", "NSURLAuthenticationMethodNegotiate"] {
            #expect(read(Self.server(name), http) == Challenge(method: .ticket, isProxy: false))
        }
        for name in [NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodDefault, "other"] {
            #expect(read(Self.server(name), http) == Challenge(method: .password, isProxy: false))
        }
    }

    private static func user(_ name: String) -> UserCredential { UserCredential(user: name, password: "p") }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let challenge: URLSessionLoginChallenge
        let users: ProxyUsers
        /// The dispositions for the first, the second, … challenge to a request.
        let dispositions: [URLSessionLoginDisposition]
        let usesSystemCredentials: Bool

        init(
            _ description: String,
            _ method: URLSessionLoginChallenge.Method,
            isProxy: Bool = true,
            isTunnel: Bool = false,
            users: ProxyUsers = ProxyUsers(),
            system: Bool = false,
            _ dispositions: URLSessionLoginDisposition...
        ) {
            testDescription = description
            challenge = URLSessionLoginChallenge(method: method, isProxy: isProxy, isTunnel: isTunnel)
            (self.users, self.dispositions, usesSystemCredentials) = (users, dispositions, system)
        }
    }

    private static let all = ProxyUsers(
        configured: user("c"),
        afterResponse: user("r"),
        stored: user("s"),
        own: user("o")
    )

    static let servers: [Row] = [
        Row("the session answers a server", .password, isProxy: false, users: all, .performDefaultHandling),
        Row(
            "no ticket for a server",
            .ticket,
            isProxy: false,
            users: all,
            .rejectProtectionSpace,
            .rejectProtectionSpace
        ),
        Row("the ticket on request", .ticket, isProxy: false, users: all, system: true, .performDefaultHandling),
    ]

    static let proxies: [Row] = [
        Row("nothing known: the session gets the 407", .password, .performDefaultHandling),
        Row("nothing known for a tunnel", .password, isTunnel: true, .refuse),
        Row("the configured one, once", .password, users: all, .use(user("c")), .refuse, .refuse),
        Row("the configured one in a tunnel", .password, isTunnel: true, users: all, .use(user("c")), .refuse),
        Row(
            "the session's after a 407",
            .password,
            users: ProxyUsers(afterResponse: user("r"), stored: user("s"), own: user("o")),
            .use(user("r")),
            .performDefaultHandling
        ),
        Row(
            "the stored one; the request's is left to the session",
            .password,
            users: ProxyUsers(stored: user("s"), own: user("o")),
            .use(user("s")),
            .performDefaultHandling
        ),
        Row(
            "the stored one, then the request's in a tunnel",
            .password,
            isTunnel: true,
            users: ProxyUsers(stored: user("s"), own: user("o")),
            .use(user("s")),
            .use(user("o")),
            .refuse
        ),
        Row(
            "the same one once",
            .password,
            isTunnel: true,
            users: ProxyUsers(stored: user("s"), own: user("s")),
            .use(user("s")),
            .refuse
        ),
    ]

    static let tickets: [Row] = [
        Row("no ticket", .ticket, .rejectProtectionSpace),
        Row(
            "no ticket in a tunnel",
            .ticket,
            isTunnel: true,
            users: ProxyUsers(own: user("o")),
            .rejectProtectionSpace
        ),
        Row("the ticket on request", .ticket, isTunnel: true, system: true, .performDefaultHandling),
        Row("the configured one", .ticket, users: all, system: true, .use(user("c")), .refuse),
        Row("the stored one", .ticket, users: ProxyUsers(stored: user("s")), .use(user("s")), .rejectProtectionSpace),
    ]

    @Test("each challenge of URLSession has the expected disposition", arguments: servers + proxies + tickets)
    func dispositions(_ row: Row) {
        for (count, expected) in row.dispositions.enumerated() {
            let challenge = URLSessionLoginChallenge(
                method: row.challenge.method,
                isProxy: row.challenge.isProxy,
                isTunnel: row.challenge.isTunnel,
                failureCount: count
            )
            let disposition = URLSessionLoginDisposition(
                to: challenge,
                users: row.users,
                usesSystemCredentials: row.usesSystemCredentials
            )
            #expect(disposition == expected, "\(count)")
        }
    }

    /// A proxy that sends a challenge, and passes on the credential that URLSession would get for it.
    private final class AskingTransport: HTTPTransport {
        let users = Locked<[UserCredential?]>([])

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            users.withLock { $0.append(request.proxyUser) }
            guard request.proxyUser == nil else { return TransportResponse(status: 200) }
            var headers = HTTPFields()
            headers[.proxyAuthenticate] = "Basic realm=\"r\""
            return TransportResponse(status: 407, headers: headers)
        }

        func shutdown() async {}
    }

    @Test("the session's response to a 407 passes the user to the transport")
    func sessionNamesUser() async throws {
        let transport = AskingTransport()
        let session = Session(transport: transport)
        let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1/")))
        let response = try await session.data(for: request, record: .user("u", "p"))
        #expect(response.statusCode == 200)
        #expect(transport.users.withLock { $0 } == [nil, UserCredential(user: "u", password: "p")])
    }

    /// Records the credential for a tunnel.
    private final class TunnelTransport: HTTPTransport {
        let users = Locked<[UserCredential?]>([])

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            users.withLock { $0.append(request.tunnelUser) }
            guard request.url.path == "/redirect" else { return TransportResponse(status: 200) }
            return TransportResponse(status: 302, headers: [.location: "https://other.test/"])
        }

        func shutdown() async {}
    }

    @Test(
        "the transport has the request's credential for a tunnel, but not after a redirect to another origin",
        arguments: [
            ("https://h.test/", [UserCredential(user: "u", password: "p")]), ("http://h.test/", [nil]),
            ("https://h.test/redirect", [UserCredential(user: "u", password: "p"), nil]),
        ] as [(String, [UserCredential?])]
    )
    func tunnel(_ url: String, users: [UserCredential?]) async throws {
        let transport = TunnelTransport()
        let request = URLRequest(url: try #require(URL(string: url)))
        _ = try await Session(transport: transport).data(for: request, record: .user("u", "p"))
        #expect(transport.users.withLock { $0 } == users)
    }
}
