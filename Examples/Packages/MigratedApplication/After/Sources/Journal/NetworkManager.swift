import Foundation
import Moya

/// Creates the providers of the application.
final class NetworkManager: Sendable {
    static let shared = NetworkManager()

    let provider: MoyaProvider<JournalAPI>
    /// Sends the requests that need no token.
    let login: MoyaProvider<JournalAPI>
    /// Holds the tokens of the signed-in user.
    let authentication: AuthenticationInterceptor<JournalAuthenticator>

    init(
        session: Session = NetworkManager.makeSession(),
        stubClosure: @escaping MoyaProvider<JournalAPI>.StubClosure = MoyaProvider.neverStub,
        sampleResponseClosure: (@Sendable (JournalAPI) -> EndpointSampleResponse)? = nil,
        plugins: [PluginType] = [NetworkLoggerPlugin(configuration: .init(logOptions: .verbose))]
    ) {
        let endpointClosure = { @Sendable (target: JournalAPI) -> Endpoint in
            let endpoint = Endpoint(
                url: URL(target: target).absoluteString,
                sampleResponseClosure: {
                    return sampleResponseClosure?(target) ?? .networkResponse(200, target.sampleData)
                },
                method: target.method,
                task: target.task,
                httpHeaderFields: target.headers
            )
            return endpoint.adding(newHTTPHeaderFields: ["X-App-Version": "3.2"])
        }
        login = MoyaProvider<JournalAPI>(endpointClosure: endpointClosure, stubClosure: stubClosure, session: session)
        authentication = AuthenticationInterceptor(authenticator: JournalAuthenticator(login: login))
        provider = MoyaProvider<JournalAPI>(
            endpointClosure: endpointClosure,
            stubClosure: stubClosure,
            session: session,
            plugins: plugins,
            interceptor: authentication
        )
    }

    private static func makeSession() -> Session {
        let configuration = URLSessionConfiguration.af.default
        configuration.timeoutIntervalForRequest = 20
        return Session(configuration: configuration)
    }
}
