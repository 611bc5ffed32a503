import Alamofire
import Foundation
import Moya

/// The application: a provider whose session refreshes the token.
final class Mailbox {
    let provider: MoyaProvider<Messages>

    init(token: String, refreshToken: String) {
        let login = MoyaProvider<Login>()
        let interceptor = TokenInterceptor(token: token) { done in
            login.request(Login(refreshToken: refreshToken)) { result in
                done(Result { try result.get().map(Login.Token.self).token })
            }
        }
        let configuration = URLSessionConfiguration.default
        configuration.headers = HTTPHeaders.default
        configuration.timeoutIntervalForRequest = 20
        let session = Alamofire.Session(
            configuration: configuration,
            startRequestsImmediately: false,
            interceptor: interceptor
        )
        provider = MoyaProvider<Messages>(session: session)
    }

    /// Requests the inbox, and calls `show` with the text for the user.
    func open(show: @escaping (String) -> Void) {
        provider.request(.inbox, callbackQueue: .global()) { result in
            switch result {
            case .success(let response): show((try? response.mapString()) ?? "The inbox is not text.")
            case .failure(let error) where error.response?.statusCode == 401: show("Log in again.")
            case .failure(let error): show(error.localizedDescription)
            }
        }
    }
}
