extension TypedTargetType {
    /// Returns the output of a response, or the error with the decoded body of a rejected response.
    ///
    /// It is the only additional step of typed targets, and the last one.
    func output(from result: Result<Response, MoyaError>) -> Result<Output, MoyaError> {
        switch result {
        case .success(let response):
            do {
                return .success(try output(from: response))
            } catch {
                return .failure(((error as? MoyaError) ?? .objectMapping(error, response)).asCancellation)
            }
        case .failure(let error):
            return .failure(error.withBody(as: ErrorBody.self, atKeyPath: errorBodyKeyPath, using: decoder))
        }
    }
}
