import Foundation

// The steps of a request that runs in the task of its caller.
extension MoyaProvider {
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

    /// Waits for the next step of the task; its cancellation cancels the request.
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
