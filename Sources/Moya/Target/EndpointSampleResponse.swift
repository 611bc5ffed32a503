import Foundation

/// The response or error of a stub.
public enum EndpointSampleResponse: Sendable {
    /// A status code and a body.
    case networkResponse(Int, Data)
    /// A custom response and a body.
    case response(HTTPURLResponse, Data)
    /// An error in place of a response, as the network would produce it.
    ///
    /// An error in `NSURLErrorDomain` arrives as the `URLError` that a live request would fail with.
    case networkError(NSError)
}

extension EndpointSampleResponse {
    /// Returns a stubbed failure with exactly this error, which is not wrapped in another one.
    static func failure(_ error: MoyaError) -> EndpointSampleResponse {
        var userInfo = error.errorUserInfo
        userInfo[failureKey] = error
        return .networkError(NSError(domain: MoyaError.errorDomain, code: error.errorCode, userInfo: userInfo))
    }

    /// Returns the error with which a stub fails.
    static func failure(of error: NSError) -> MoyaError {
        if let failure = error.userInfo[failureKey] as? MoyaError { return failure }
        return .underlying(error.asURLError ?? error, nil)
    }

    private static let failureKey = "Moya.EndpointSampleResponse.failure"
}
