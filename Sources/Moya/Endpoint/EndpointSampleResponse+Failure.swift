import Foundation

extension EndpointSampleResponse {
    /// No response, but a failure of Moya's: the stub fails with just this, where another error is wrapped.
    static func failure(_ error: MoyaError) -> EndpointSampleResponse {
        var userInfo = error.errorUserInfo
        userInfo[failureKey] = error
        return .networkError(NSError(domain: MoyaError.errorDomain, code: error.errorCode, userInfo: userInfo))
    }

    /// What a stub fails with.
    static func failure(of error: NSError) -> MoyaError {
        (error.userInfo[failureKey] as? MoyaError) ?? .underlying(error, nil)
    }

    private static let failureKey = "Moya.EndpointSampleResponse.failure"
}
