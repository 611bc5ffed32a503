import Alamofire
import Foundation
import Moya

/// The errors that the user interface distinguishes.
enum JournalError: Error, Equatable {
    case cancelled
    case offline
    case signedOut
    case server(message: String)
    case unexpected

    init(_ error: Error) {
        guard let error = error as? MoyaError else {
            self = .unexpected
            return
        }
        if error.response?.statusCode == 401 {
            self = .signedOut
        } else if let response = error.response, response.statusCode >= 400 {
            let body = try? response.map(ErrorBody.self)
            self = body.map { .server(message: $0.message) } ?? .unexpected
        } else if case .underlying(let underlying, _) = error, let afError = underlying.asAFError {
            if afError.isExplicitlyCancelledError {
                self = .cancelled
            } else if let urlError = afError.underlyingError as? URLError, urlError.code == .notConnectedToInternet {
                self = .offline
            } else {
                self = .unexpected
            }
        } else {
            self = .unexpected
        }
    }
}
