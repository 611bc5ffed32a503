import Foundation

extension Response {
    /// This response if its status code is in 200 to 299; otherwise throws what its body says went wrong.
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
    ///   - failure: The type that such a body decodes as.
    ///   - keyPath: Where in the body it is; the whole body if there is none.
    ///   - decoder: Decodes the body.
    /// - Throws: ``MoyaError/underlying(_:_:)`` with the decoded failure and this response;
    ///   ``MoyaError/statusCode(_:)`` if the body, such as a proxy's page, doesn't decode as one.
    @discardableResult
    public func filterSuccessfulStatusCodes<Failure: Decodable & Error & Sendable>(
        orThrow failure: Failure.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: any ResponseDecoder = JSONDecoder()
    ) throws(MoyaError) -> Response {
        try filter(statusCodes: 200...299, orThrow: failure, atKeyPath: keyPath, using: decoder)
    }

    /// This response if its status code is in the range; otherwise throws what its body says went wrong.
    ///
    /// It is ``filterSuccessfulStatusCodes(orThrow:atKeyPath:using:)`` for other codes than those of success.
    ///
    /// - Throws: ``MoyaError/underlying(_:_:)`` with the decoded failure and this response;
    ///   ``MoyaError/statusCode(_:)`` if the body doesn't decode as one.
    @discardableResult
    public func filter<R: RangeExpression, Failure: Decodable & Error & Sendable>(
        statusCodes: R,
        orThrow failure: Failure.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: any ResponseDecoder = JSONDecoder()
    ) throws(MoyaError) -> Response where R.Bound == Int {
        guard !statusCodes.contains(statusCode) else { return self }
        guard let failure = try? map(failure, atKeyPath: keyPath, using: decoder) else { throw .statusCode(self) }
        throw .underlying(failure, self)
    }
}
