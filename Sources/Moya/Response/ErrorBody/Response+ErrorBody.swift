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
    ///   ``MoyaError/statusCode(_:)`` if the body, such as a proxy's page, cannot be decoded.
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
        guard let failure = try? map(failure, atKeyPath: keyPath, using: decoder) else { throw .statusCode(self) }
        throw .underlying(failure, self)
    }
}
