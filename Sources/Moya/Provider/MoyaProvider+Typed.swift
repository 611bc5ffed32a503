import Foundation

// The API for typed targets. Their requests pass the same steps as all others, and then the target converts the response
// into its output.

extension MoyaProvider where Target: TypedTargetType {
    /// Requests a target and returns its output.
    ///
    ///     let user = try await provider.request(GetUser(name: "ashfurrow"))
    ///
    /// If the result is used as a ``Response``, and the target's output has another type, the compiler selects the overload
    /// for untyped targets.
    ///
    /// - Throws: ``MoyaError``: the error of the request; for a refused response whose body decodes as the target's
    ///   ``TypedTargetType/ErrorBody``, the decoded value in ``MoyaError/underlying(_:_:)``; or the error of
    ///   ``TypedTargetType/output(from:)``.
    public func request(_ target: Target) async throws(MoyaError) -> Target.Output {
        try target.output(from: await result(of: target)).get()
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Requests a typed target and waits for its output.
    ///
    /// Plugins see the ``MultiTarget`` around it.
    ///
    ///     let provider = MoyaProvider<MultiTarget>()
    ///     let user = try await provider.request(GetUser(name: "ashfurrow"))
    ///
    /// - Throws: ``MoyaError``, as for a provider of the target's own type.
    public func request<Typed: TypedTargetType>(_ target: Typed) async throws(MoyaError) -> Typed.Output {
        try target.output(from: await result(of: MultiTarget(target))).get()
    }
}

// Not named `request`: a closure that fits both results, such as `{ _ in }`, would be ambiguous.

extension MoyaProviderType where Target: TypedTargetType {
    /// Requests a target and passes its output to a completion.
    ///
    ///     provider.requestOutput(GetUser(name: "ashfurrow")) { result in
    ///         switch result {
    ///         case .success(let user): …
    ///         case .failure(let error): …
    ///         }
    ///     }
    ///
    /// - Parameters:
    ///   - target: The target to request.
    ///   - callbackQueue: The queue on which progress and the output arrive, and on which the output is decoded; replaces the
    ///     provider's.
    ///   - progress: Called as for ``MoyaProvider/request(_:callbackQueue:progress:completion:)``.
    ///   - completion: Called exactly once, with the output or the error.
    /// - Returns: A token that cancels the request.
    @preconcurrency
    @discardableResult
    public func requestOutput(
        _ target: Target,
        callbackQueue: DispatchQueue? = nil,
        progress: ProgressBlock? = nil,
        completion: @escaping OutputCompletion<Target.Output>
    ) -> any Cancellable {
        request(target, callbackQueue: callbackQueue, progress: progress) { completion(target.output(from: $0)) }
    }
}

extension MoyaProviderType where Target == MultiTarget {
    /// Requests a typed target and passes its output to a completion.
    ///
    /// Plugins see the ``MultiTarget`` around it.
    ///
    /// - Parameters:
    ///   - target: The target to request.
    ///   - callbackQueue: The queue on which progress and the output arrive, and on which the output is decoded; replaces the
    ///     provider's.
    ///   - progress: Called as for ``MoyaProvider/request(_:callbackQueue:progress:completion:)``.
    ///   - completion: Called exactly once, with the output or the error.
    /// - Returns: A token that cancels the request.
    @preconcurrency
    @discardableResult
    public func requestOutput<Typed: TypedTargetType>(
        _ target: Typed,
        callbackQueue: DispatchQueue? = nil,
        progress: ProgressBlock? = nil,
        completion: @escaping OutputCompletion<Typed.Output>
    ) -> any Cancellable {
        request(MultiTarget(target), callbackQueue: callbackQueue, progress: progress) {
            completion(target.output(from: $0))
        }
    }
}

extension MoyaProvider {
    /// Requests a target and waits for a response with a status code in 200 to 299; otherwise throws the error that the body
    /// describes.
    ///
    ///     do {
    ///         let user = try await provider.request(.user, orThrow: APIFailure.self).map(User.self)
    ///     } catch MoyaError.underlying(let failure as APIFailure, _) {
    ///         print(failure.message)
    ///     }
    ///
    /// The result is the same whether or not the target validates status codes.
    ///
    /// - Parameters:
    ///   - target: The target to request.
    ///   - failure: The type of the error that the body of any other response is decoded as.
    ///   - keyPath: The path to the error in the body; `nil` for the whole body.
    ///   - decoder: Decodes the body; `nil` for the ``TypedTargetType/decoder`` of a typed target, and otherwise a
    ///     `JSONDecoder` with default settings.
    /// - Returns: The response.
    /// - Throws: ``MoyaError``: ``MoyaError/underlying(_:_:)`` with the decoded failure and the response; if the body
    ///   is not such an error, ``MoyaError/statusCode(_:)``, alone or, from validation, in
    ///   ``MoyaError/underlying(_:_:)``, with a text that says why the body does not decode; or any other error of
    ///   ``request(_:)->Response``.
    public func request<Failure: Decodable & Error & Sendable>(
        _ target: Target,
        orThrow failure: Failure.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: (any ResponseDecoder & Sendable)? = nil
    ) async throws(MoyaError) -> Response {
        let result = await result(of: target)
        let declared: (any ResponseDecoder)? = (target.innermost as? any TypedTargetType)?.decoder
        let decoder: any ResponseDecoder = if let decoder { decoder } else { declared ?? JSONDecoder() }
        return try result.filterSuccessfulStatusCodes(orFailWith: failure, atKeyPath: keyPath, using: decoder).get()
    }
}
