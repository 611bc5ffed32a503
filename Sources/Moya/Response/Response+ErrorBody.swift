import Foundation

extension Response {
    /// Returns this response if its status code is in 200 to 299; otherwise throws the error that its body describes.
    ///
    ///     struct APIFailure: Decodable, Error {
    ///         var code: Int
    ///         var message: String
    ///     }
    ///
    ///     do {
    ///         let user = try response.filterSuccessfulStatusCodes(orThrow: APIFailure.self).map(User.self)
    ///     } catch MoyaError.underlying(let failure as APIFailure, _) {
    ///         print(failure.message)
    ///     }
    ///
    /// - Parameters:
    ///   - failure: The type that error bodies decode as.
    ///   - keyPath: The location of the error in the body; `nil` for the whole body.
    ///   - decoder: Decodes the body.
    /// - Returns: This response.
    /// - Throws: ``MoyaError/underlying(_:_:)`` with the decoded failure and this response;
    ///   ``MoyaError/statusCode(_:)`` if the body, such as a proxy's page, cannot be decoded. Its text has the reason.
    @discardableResult
    public func filterSuccessfulStatusCodes<Failure: Decodable & Error & Sendable>(
        orThrow failure: Failure.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: any ResponseDecoder = JSONDecoder()
    ) throws(MoyaError) -> Response {
        try filter(statusCodes: 200...299, orThrow: failure, atKeyPath: keyPath, using: decoder)
    }

    /// Returns this response if its status code is in the range; otherwise throws the error that its body describes.
    ///
    /// See ``filterSuccessfulStatusCodes(orThrow:atKeyPath:using:)``.
    ///
    /// - Throws: ``MoyaError/underlying(_:_:)`` with the decoded failure and this response;
    ///   ``MoyaError/statusCode(_:)`` if the body cannot be decoded.
    @discardableResult
    public func filter<R: RangeExpression, Failure: Decodable & Error & Sendable>(
        statusCodes: R,
        orThrow failure: Failure.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: any ResponseDecoder = JSONDecoder()
    ) throws(MoyaError) -> Response where R.Bound == Int {
        guard !statusCodes.contains(statusCode) else { return self }
        throw bodyError(as: failure, atKeyPath: keyPath, using: decoder)
    }

    /// Returns the error that the body describes, or ``MoyaError/statusCode(_:)`` with the reason why the body does not decode.
    fileprivate func bodyError<Failure: Decodable & Error & Sendable>(
        as failure: Failure.Type,
        atKeyPath keyPath: String?,
        using decoder: any ResponseDecoder
    ) -> MoyaError {
        do throws(MoyaError) {
            let body = try map(failure, atKeyPath: keyPath, using: decoder)
            if let checked = body as? any ResponseErrorBody, !checked.describes(self) { return .statusCode(self) }
            return .underlying(body, self)
        } catch {
            return .statusCode(Response(self, mappingProblem: error.problem(decoding: failure)))
        }
    }
}

/// An error body that decodes from JSON of many kinds, and so needs another proof that a body means it.
protocol ResponseErrorBody {
    /// Returns whether the response, whose body was decoded as this error, describes the error.
    func describes(_ response: Response) -> Bool
}

extension Result where Success == Response, Failure == MoyaError {
    /// Returns the response if its status code is in 200 to 299; otherwise fails with the error that its body
    /// describes.
    ///
    ///     provider.request(.user) { result in
    ///         switch result.filterSuccessfulStatusCodes(orFailWith: APIFailure.self) {
    ///         case .success(let response): …
    ///         case .failure(.underlying(let failure as APIFailure, _)): …
    ///         case .failure(let error): …
    ///         }
    ///     }
    ///
    /// The body of a response that its target's validation has rejected is decoded as well. Every other failure is
    /// unchanged. If the body cannot be decoded, the error of the status remains, with the reason in its text.
    ///
    /// - Parameters:
    ///   - failure: The type that error bodies decode as.
    ///   - keyPath: The location of the error in the body; `nil` for the whole body.
    ///   - decoder: Decodes the body.
    /// - Returns: The response or the failure.
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
    /// Returns the error that a rejected response's body describes, or this error with the reason why the body does not decode.
    func withBody<BodyFailure: Decodable & Error & Sendable>(
        as failure: BodyFailure.Type,
        atKeyPath keyPath: String?,
        using decoder: any ResponseDecoder
    ) -> MoyaError {
        // If the exchange itself failed, the body may be incomplete and is not decoded.
        guard failure != NoErrorBody.self, let response = refusedResponse, !(200...299).contains(response.statusCode)
        else { return self }
        let error = response.bodyError(as: failure, atKeyPath: keyPath, using: decoder)
        // The status that a target's validation has rejected stays in `.underlying`.
        if case .underlying = self, case .statusCode(let response) = error { return .underlying(error, response) }
        return error
    }

    /// The response whose status code was rejected by a filter or by its target's validation.
    private var refusedResponse: Response? {
        switch self {
        case .statusCode(let response), .underlying(MoyaError.statusCode(let response), _): response
        default: nil
        }
    }
}
