import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("What URLSession is told when a proxy asks for a user")
struct URLSessionProxyDispositionTests {
    private final class Sender: NSObject, URLAuthenticationChallengeSender {
        func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
        func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
        func cancel(_ challenge: URLAuthenticationChallenge) {}
        func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
        func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
    }

    private func challenge(failures: Int) -> URLAuthenticationChallenge {
        URLAuthenticationChallenge(
            protectionSpace: URLProtectionSpace(
                proxyHost: "proxy",
                port: 3_128,
                type: NSURLProtectionSpaceHTTPProxy,
                realm: "r",
                authenticationMethod: NSURLAuthenticationMethodHTTPBasic
            ),
            proposedCredential: nil,
            previousFailureCount: failures,
            failureResponse: nil,
            error: nil,
            sender: Sender()
        )
    }

    @Test("the configured user, otherwise the session's, each once")
    func answers() {
        let configured = TransportProxy.Credential(user: "c", password: "1")
        let user = UserCredential(user: "s", password: "2")
        func answer(
            _ failures: Int,
            _ configured: TransportProxy.Credential?,
            _ user: UserCredential?
        ) -> URLSessionProxyDisposition {
            URLSessionProxyDisposition(to: challenge(failures: failures), configured: configured, user: user)
        }
        #expect(answer(0, nil, nil) == .performDefaultHandling)
        #expect(answer(0, nil, user) == .use(user))
        #expect(answer(1, nil, user) == .performDefaultHandling)
        #expect(answer(0, configured, user) == .use(UserCredential(user: "c", password: "1")))
        #expect(answer(1, configured, user) == .refuse)
    }

    /// A proxy that asks for a user, and passes on what URLSession would be given for its challenge.
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

    @Test("the session's answer to a 407 names the user to the transport")
    func sessionNamesUser() async throws {
        let transport = AskingTransport()
        let session = Session(transport: transport)
        let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1/")))
        let response = try await session.data(for: request, options: .user("u", "p"))
        #expect(response.statusCode == 200)
        #expect(transport.users.withLock { $0 } == [nil, UserCredential(user: "u", password: "p")])
    }
}
