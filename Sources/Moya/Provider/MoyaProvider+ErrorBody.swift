import Foundation

extension MoyaProvider {
    /// Requests a target and waits for a response with a status code in 200 to 299; otherwise throws what the body says
    /// went wrong.
    ///
    ///     do {
    ///         let user = try await provider.request(.user, orThrow: APIFailure.self).map(User.self)
    ///     } catch MoyaError.underlying(let failure as APIFailure, _) {
    ///         print(failure.message)
    ///     }
    ///
    /// It makes no difference whether the target validates status codes.
    ///
    /// - Parameters:
    ///   - failure: The type that such a body decodes as.
    ///   - keyPath: Where in the body it is; the whole body if there is none.
    ///   - decoder: Decodes the body.
    /// - Throws: ``MoyaError``: ``MoyaError/underlying(_:_:)`` with the decoded failure and the response; if the body
    ///   doesn't decode as one, ``MoyaError/statusCode(_:)``, by itself or, from validation, in
    ///   ``MoyaError/underlying(_:_:)``; everything else as ``request(_:)`` does.
    public func request<Failure: Decodable & Error & Sendable>(
        _ target: Target,
        orThrow failure: Failure.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: any ResponseDecoder & Sendable = JSONDecoder()
    ) async throws(MoyaError) -> Response {
        try await result(of: target)
            .filterSuccessfulStatusCodes(orFailWith: failure, atKeyPath: keyPath, using: decoder).get()
    }
}
