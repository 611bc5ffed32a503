import Foundation
import Moya
import Testing

@Suite("Contract, appendix: Session")
struct SessionTests {
    final class OwnSession: Session, @unchecked Sendable {
        override func request(_ convertible: URLRequestConvertible) -> Request {
            return super.request(Shop.request)
        }
    }

    @Test("It is made with defaults, or as the original's documents do")
    func inits() {
        let configuration = URLSessionConfiguration.default
        configuration.headers = .default
        let session = Session(configuration: configuration, startRequestsImmediately: false)
        let same: URLSessionConfiguration = session.sessionConfiguration
        #expect(same.headers["User-Agent"] != nil && session.startRequestsImmediately == false)
        #expect(Session().startRequestsImmediately && Session.default === Session.default)
        #expect(URLSessionConfiguration.af.default.headers == HTTPHeaders.default)
        #expect(URLSessionConfiguration.af.ephemeral.headers == HTTPHeaders.default)
    }

    @Test("What an engine can honour is given in the original's order")
    func options() {
        let manager = ServerTrustManager(
            allHostsMustBeEvaluated: false,
            evaluators: ["shop.test": DefaultTrustEvaluator()]
        )
        let session = Session(
            configuration: .af.default,
            startRequestsImmediately: false,
            interceptor: RequestInterceptorTests.Nothing(),
            serverTrustManager: manager,
            redirectHandler: Redirector(behavior: .doNotFollow),
            eventMonitors: []
        )
        let interceptor: RequestInterceptor? = session.interceptor
        let redirects: RedirectHandler? = session.redirectHandler
        let trust: ServerTrustManager? = session.serverTrustManager
        #expect(interceptor is RequestInterceptorTests.Nothing && redirects is Redirector)
        #expect(trust?.allHostsMustBeEvaluated == false && trust?.evaluators.count == 1)
        #expect(MoyaProvider<Shop>(session: session).session === session)
    }

    @Test("A request has what a plugin or a retrier looks at")
    func request() {
        let session: Session = OwnSession()
        let request = session.request(URLRequest(url: URL(string: "https://other.test")!))
        let sent: URLRequest? = request.request
        #expect(sent == Shop.request && request.retryCount == 0 && !request.isCancelled && request.response == nil)
        let id: UUID = request.id
        #expect(id == request.id)
        let same: Request = request.cURLDescription { _ in }
        same.cancel()
        #expect(request.isCancelled)
    }
}
