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
        send sendMapped: nonisolated(nonsending) (MappedRequest, ProviderRequest<Target>) async -> SentResult
    ) async -> SentResult {
        let task = CallingTask()
        let request = ProviderRequest(
            target,
            endpoint: endpoint ?? self.endpoint(target),
            plugins: plugins,
            stubBehavior: stubClosure(target),
            queue: callbackQueue,
            adjust: adjust,
            findMisuse: findMisuse,
            caller: .task(task)
        )
        // A later cancellation of the task cancels the request in `wait`, or the exchange.
        if _Concurrency.Task.isCancelled { request.token.cancel() }
        start(request)
        let step = if let step = task.takeStep() { step } else { await wait(for: task, request.token) }
        switch step {
        case .end(let result): return SentResult(result: result)
        case .send(let mapped):
            var sent = await sendMapped(mapped, request)
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

    /// Waits for the next step of a task; its cancellation cancels the request.
    @inline(never)
    private nonisolated(nonsending) func wait(for task: CallingTask, _ token: CancellableToken) async -> CallerStep {
        await withTaskCancellationHandler {
            await task.waitForStep()
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
