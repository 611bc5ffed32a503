import Foundation
import Moya
import Testing

@Suite(
    "RetryPolicy, AuthenticationInterceptor, EventMonitor and ServerTrustManager have the interface of the contract's appendix"
)
struct PoliciesTests {
    struct Token: AuthenticationCredential {
        var text: String
        var requiresRefresh: Bool { return text.isEmpty }
    }

    final class TokenAuthenticator: Authenticator {
        func apply(_ credential: Token, to urlRequest: inout URLRequest) {
            urlRequest.headers.add(.authorization(bearerToken: credential.text))
        }

        func refresh(
            _ credential: Token,
            for session: Session,
            completion: @escaping (Result<Token, Error>) -> Void
        ) {
            completion(.success(Token(text: "new")))
        }

        func didRequest(
            _ urlRequest: URLRequest,
            with response: HTTPURLResponse,
            failDueToAuthenticationError error: Error
        ) -> Bool {
            return response.statusCode == 401
        }

        func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Token) -> Bool {
            return urlRequest.headers["Authorization"] == "Bearer \(credential.text)"
        }
    }

    @Test("RetryPolicy has Alamofire's defaults")
    func retryPolicy() {
        let policy = RetryPolicy()
        let limit: UInt = policy.retryLimit
        let base: UInt = policy.exponentialBackoffBase
        let scale: Double = policy.exponentialBackoffScale
        #expect(limit == 2 && base == 2 && scale == 0.5)
        #expect(policy.retryableHTTPMethods == RetryPolicy.defaultRetryableHTTPMethods)
        #expect(policy.retryableHTTPStatusCodes == RetryPolicy.defaultRetryableHTTPStatusCodes)
        #expect(policy.retryableURLErrorCodes == RetryPolicy.defaultRetryableURLErrorCodes)
        let own: RequestInterceptor = RetryPolicy(
            retryLimit: 1,
            exponentialBackoffBase: 3,
            exponentialBackoffScale: 1,
            retryableHTTPMethods: [.get],
            retryableHTTPStatusCodes: [503],
            retryableURLErrorCodes: [.timedOut]
        )
        #expect((own as? RetryPolicy)?.retryableHTTPStatusCodes == [503])
        #expect(ConnectionLostRetryPolicy(retryLimit: 1).policy.retryLimit == 1)
    }

    @Test("AuthenticationInterceptor has an authenticator, a credential and a refresh window")
    func authentication() throws {
        let interceptor = AuthenticationInterceptor(authenticator: TokenAuthenticator(), credential: Token(text: "t"))
        let other = AuthenticationInterceptor(
            authenticator: TokenAuthenticator(),
            refreshWindow: .init(interval: 10, maximumAttempts: 1)
        )
        #expect(interceptor.credential?.text == "t" && other.credential == nil)
        other.credential = Token(text: "u")
        #expect(other.credential?.text == "u")
        let window = AuthenticationInterceptor<TokenAuthenticator>.RefreshWindow()
        #expect(window.interval == 30 && window.maximumAttempts == 5)
        var request = Shop.request
        interceptor.authenticator.apply(Token(text: "t"), to: &request)
        #expect(interceptor.authenticator.isRequest(request, authenticatedWith: Token(text: "t")))
        #expect(AuthenticationError.missingCredential != .excessiveRefresh)
    }

    @Test("adapters, retriers and interceptors can be combined")
    func interceptor() {
        let all = Interceptor(
            adapters: [RequestInterceptorTests.StateAdapter()],
            retriers: [RetryPolicy()],
            interceptors: [RequestInterceptorTests.Signer()]
        )
        #expect(all.adapters.count == 2 && all.retriers.count == 2)
    }

    @Test("a trust manager returns the evaluator of a host")
    func trust() throws {
        let evaluators: [String: ServerTrustEvaluating] = [
            "a.test": PinnedCertificatesTrustEvaluator(
                certificates: [],
                acceptSelfSignedCertificates: false,
                performDefaultValidation: true,
                validateHost: true
            ),
            "b.test": PublicKeysTrustEvaluator(keys: [], performDefaultValidation: true, validateHost: true),
            "c.test": DefaultTrustEvaluator(validateHost: true),
            "d.test": DisabledTrustEvaluator(),
            "e.test": CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator()]),
        ]
        let manager = ServerTrustManager(evaluators: evaluators)
        #expect(manager.allHostsMustBeEvaluated)
        #expect(try manager.serverTrustEvaluator(forHost: "d.test") is DisabledTrustEvaluator)
    }

    @Test("a session can be created with event monitors")
    func monitors() {
        struct Monitor: EventMonitor {
            func record(_ event: RequestEvent) {}
        }
        let monitors: [EventMonitor] = Session(eventMonitors: [Monitor()]).eventMonitors
        #expect(monitors.count == 1)
    }
}
