import Foundation
import Moya

/// The errors that the user interface distinguishes.
enum JournalError: Error, Equatable {
    case cancelled
    case offline
    case signedOut
    case server(message: String)
    case unexpected

    init(_ error: MoyaError) {
        if error.response?.statusCode == 401 {
            self = .signedOut
        } else if let response = error.response, response.statusCode >= 400 {
            let body = try? response.map(ErrorBody.self)
            self = body.map { .server(message: $0.message) } ?? .unexpected
        } else if case .underlying(AuthenticationError.missingCredential, _) = error {
            self = .signedOut
        } else if error.isCancelled {
            self = .cancelled
        } else if error.urlError?.code == .notConnectedToInternet {
            self = .offline
        } else {
            self = .unexpected
        }
    }
}
