import Foundation

extension MoyaError {
    /// This error, with a `CancellationError` replaced by `URLError.cancelled`, whose cause it becomes.
    var asCancellation: MoyaError {
        switch self {
        case .underlying(let error as CancellationError, let response):
            .cancelled(by: error, response)
        case .objectMapping(let error as CancellationError, let response):
            .cancelled(by: error, response)
        default: self
        }
    }

    private static func cancelled(by error: CancellationError, _ response: Response?) -> MoyaError {
        .underlying(URLError.make(.cancelled, url: response?.request?.url, cause: error), response)
    }
}
