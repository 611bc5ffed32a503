extension TypedTargetType {
    /// What a request for this target came to: its answer, or what a refused response's body says.
    ///
    /// It is the one step that typed targets have more than others, after all others.
    func answer(from result: Result<Response, MoyaError>) -> Result<Answer, MoyaError> {
        switch result {
        case .success(let response):
            do {
                return .success(try answer(from: response))
            } catch {
                return .failure(((error as? MoyaError) ?? .objectMapping(error, response)).asCancellation)
            }
        case .failure(let error):
            return .failure(error.withBody(as: ErrorBody.self, atKeyPath: errorBodyKeyPath, using: decoder))
        }
    }
}
