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
        return await run(target) { [self] in await send($0, for: $1) }.result
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

    /// Starts a request, and sends it in the task of the caller.
    @inline(__always)
    nonisolated(nonsending) func run(
        _ target: Target,
        endpoint: Endpoint? = nil,
        adjust: (@Sendable (inout URLRequest) -> Void)? = nil,
        findMisuse: (@Sendable (TaskExecution) -> TargetMisuse?)? = nil,
        send: nonisolated(nonsending) (MappedRequest, ProviderRequest<Target>) async -> SentResult
    ) async -> SentResult {
        let nextStep = Promise<CallerStep>()
        let request = ProviderRequest(
            target,
            endpoint: endpoint ?? self.endpoint(target),
            plugins: plugins,
            stubBehavior: stubClosure(target),
            queue: callbackQueue,
            adjust: adjust,
            findMisuse: findMisuse,
            passToCaller: { nextStep.fulfill(.send($0)) },
            completion: { nextStep.fulfill(.end($0)) }
        )
        // A later cancellation of the task cancels the request in `wait`, or the exchange.
        if _Concurrency.Task.isCancelled { request.token.cancel() }
        start(request)
        let step = if let step = nextStep.value { step } else { await wait(for: nextStep, request.token) }
        switch step {
        case .end(let result): return SentResult(result: result)
        case .send(let mapped):
            var sent = await send(mapped, request)
            sent.result = await applyPlugins(to: sent.result, for: request)
            return sent
        }
    }

    /// Passes a result through the plugins' `didReceive` and `process`, on the callback queue.
    @inline(__always)
    private nonisolated(nonsending) func applyPlugins(
        to result: Result<Response, MoyaError>,
        for request: ProviderRequest<Target>
    ) async -> Result<Response, MoyaError> {
        await onCallbackQueue { [self] in
            plugins.didReceive(result, for: request.target, as: request.identity)
            return plugins.process(result, for: request.target)
        }
    }

    private nonisolated(nonsending) func wait(
        for nextStep: Promise<CallerStep>,
        _ token: CancellableToken
    ) async -> CallerStep {
        await withTaskCancellationHandler {
            await nextStep.wait()
        } onCancel: {
            token.cancel()
        }
    }

    @inline(__always)
    private nonisolated(nonsending) func onCallbackQueue(
        _ body: @escaping @Sendable () -> Result<Response, MoyaError>
    ) async -> Result<Response, MoyaError> {
        guard let callbackQueue else { return body() }
        let result = Promise<Result<Response, MoyaError>>()
        callbackQueue.async { result.fulfill(body()) }
        return await result.wait()
    }
}

// Not nested in the generic class: metadata that depends on a type of the application is slow.

/// The next step of the task that has made a request and waits.
private enum CallerStep: Sendable {
    /// It sends the request.
    indirect case send(MappedRequest)
    /// It returns the result.
    case end(Result<Response, MoyaError>)
}
