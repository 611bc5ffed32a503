import Alamofire
import Foundation
import Moya

/// Creates the provider of the application.
final class NetworkManager {
    static let shared = NetworkManager()

    let provider: MoyaProvider<JournalAPI>

    init(
        store: TokenStore = .shared,
        stubClosure: @escaping MoyaProvider<JournalAPI>.StubClosure = MoyaProvider.neverStub,
        sampleResponseClosure: ((JournalAPI) -> EndpointSampleResponse)? = nil,
        plugins: [PluginType] = [NetworkLoggerPlugin(configuration: .init(logOptions: .verbose))]
    ) {
        let endpointClosure = { (target: JournalAPI) -> Endpoint in
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
        let login = MoyaProvider<JournalAPI>(endpointClosure: endpointClosure, stubClosure: stubClosure)
        let interceptor = AuthInterceptor(store: store) { token, completion in
            login.request(.refresh(token: token)) { result in
                completion(
                    Result {
                        try result.get().filterSuccessfulStatusCodes().map(Tokens.self, using: JSONDecoder.journal)
                    }
                )
            }
        }
        let configuration = URLSessionConfiguration.af.default
        configuration.timeoutIntervalForRequest = 20
        let session = Alamofire.Session(
            configuration: configuration,
            startRequestsImmediately: false,
            interceptor: interceptor
        )
        provider = MoyaProvider<JournalAPI>(
            endpointClosure: endpointClosure,
            stubClosure: stubClosure,
            session: session,
            plugins: plugins
        )
    }
}
