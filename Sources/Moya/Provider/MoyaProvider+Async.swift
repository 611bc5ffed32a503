import Foundation

// The async API: requests that run in the task of the caller.
extension MoyaProvider {
    /// Requests a target and waits for the response.
    ///
    ///     let user = try await provider.request(.userProfile("ashfurrow")).map(User.self)
    ///
    /// Cancelling the task cancels the exchange down to the socket. Plugins see the result on the provider's callback
    /// queue, if it has one, and otherwise in the caller's task or on a global queue; the main queue is not used. In a
    /// subclass that overrides ``request(_:callbackQueue:progress:completion:)`` the request goes through the override.
    ///
    /// - Parameter target: The target to request.
    /// - Returns: The response.
    /// - Throws: ``MoyaError``; for a cancelled task ``MoyaError/underlying(_:_:)`` with `URLError.cancelled`.
    @_disfavoredOverload  // Many applications declare an async `request` in an extension of the provider.
    public func request(_ target: Target) async throws(MoyaError) -> Response {
        try await result(of: target).get()
    }

    /// Requests a target and returns the result.
    @inline(__always)
    nonisolated(nonsending) func result(of target: Target) async -> Result<Response, MoyaError> {
        // A shared request can't run in the task of one of its callers.
        guard !isSubclass, !trackInflights else { return await requestByCallback(target) }
        return await runInCallingTask(target) { [self] in await send($0, for: $1) }.result
    }

    private nonisolated(nonsending) func requestByCallback(_ target: Target) async -> Result<Response, MoyaError> {
        let result = Promise<Result<Response, MoyaError>>()
        let request = request(target, callbackQueue: callbackQueue ?? .global(), progress: nil) { result.fulfill($0) }
        return await withTaskCancellationHandler {
            await result.wait()
        } onCancel: {
            request.cancel()
        }
    }
}
