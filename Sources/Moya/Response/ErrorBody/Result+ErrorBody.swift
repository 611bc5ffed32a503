import Foundation

extension Result where Success == Response, Failure == MoyaError {
    /// The response if its status code is in 200 to 299; otherwise what its body says went wrong.
    ///
    ///     provider.request(.user) { result in
    ///         switch result.filterSuccessfulStatusCodes(orFailWith: APIFailure.self) {
    ///         case .success(let response): …
    ///         case .failure(.underlying(let failure as APIFailure, _)): …
    ///         case .failure(let error): …
    ///         }
    ///     }
    ///
    /// A response that its target's validation has already refused is looked into as well. Every other failure stays as
    /// it is, and so does that one if its body doesn't decode.
    ///
    /// - Parameters:
    ///   - failure: The type that such a body decodes as.
    ///   - keyPath: Where in the body it is; the whole body if there is none.
    ///   - decoder: Decodes the body.
    public func filterSuccessfulStatusCodes<BodyFailure: Decodable & Error & Sendable>(
        orFailWith failure: BodyFailure.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: any ResponseDecoder = JSONDecoder()
    ) -> Result<Response, MoyaError> {
        switch self {
        case .success(let response):
            Result { () throws(MoyaError) in
                try response.filterSuccessfulStatusCodes(orThrow: failure, atKeyPath: keyPath, using: decoder)
            }
        case .failure(let error):
            .failure(error.withBody(as: failure, atKeyPath: keyPath, using: decoder))
        }
    }
}

extension MoyaError {
    /// What the body of a refused response says, or else this error.
    func withBody<BodyFailure: Decodable & Error & Sendable>(
        as failure: BodyFailure.Type,
        atKeyPath keyPath: String?,
        using decoder: any ResponseDecoder
    ) -> MoyaError {
        // Where the exchange itself failed, a body may be there in part; it is not asked.
        guard let response = refusedResponse, !(200...299).contains(response.statusCode),
            let failure = try? response.map(failure, atKeyPath: keyPath, using: decoder)
        else { return self }
        return .underlying(failure, response)
    }

    /// The response that was refused for its status code, by a filter or by its target's validation.
    private var refusedResponse: Response? {
        switch self {
        case .statusCode(let response), .underlying(MoyaError.statusCode(let response), _): response
        default: nil
        }
    }
}
