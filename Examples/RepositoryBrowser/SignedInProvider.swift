import Foundation
import Moya

/// Obtains a token before it sends a request that needs one.
final class SignedInProvider: MoyaProvider<GitHub> {
    private let tokens: TokenStore
    private let login: MoyaProvider<Login>

    init(tokens: TokenStore, login: MoyaProvider<Login>, stubClosure: @escaping StubClosure, plugins: [PluginType]) {
        self.tokens = tokens
        self.login = login
        super.init(
            endpointClosure: { target in
                let endpoint = MoyaProvider.defaultEndpointMapping(for: target)
                return endpoint.adding(newHTTPHeaderFields: ["X-Application": "Repository Browser"])
            },
            requestClosure: { endpoint, done in
                do {
                    var request = try endpoint.urlRequest()
                    request.timeoutInterval = 20
                    done(.success(request))
                } catch {
                    done(.failure(MoyaError.underlying(error, nil)))
                }
            },
            stubClosure: stubClosure,
            plugins: plugins + [AccessTokenPlugin { _ in tokens.current }]
        )
    }

    @discardableResult
    override func request(
        _ target: GitHub,
        callbackQueue: DispatchQueue? = .none,
        progress: ProgressBlock? = .none,
        completion: @escaping Completion
    ) -> Cancellable {
        guard target.authorizationType != nil, tokens.isExpired else {
            return super.request(target, callbackQueue: callbackQueue, progress: progress, completion: completion)
        }
        return login.request(.refresh(device: "browser"), callbackQueue: callbackQueue) { result in
            do {
                let token = try result.get().filterSuccessfulStatusCodes().map(Login.Token.self)
                self.tokens.save(token.token, lifetime: token.lifetime)
                super.request(target, callbackQueue: callbackQueue, progress: progress, completion: completion)
            } catch {
                completion(.failure(error as? MoyaError ?? .underlying(error, nil)))
            }
        }
    }
}
