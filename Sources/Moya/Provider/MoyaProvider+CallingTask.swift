import Foundation

// The way of an async request, a stream or a WebSocket in the task of its caller, around the steps of all requests
// (MoyaProvider+Steps.swift).
extension MoyaProvider {
    /// Starts a request, and sends it in the task of the caller.
    @inline(__always)
    nonisolated(nonsending) func runInCallingTask(
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

    /// Waits for the next step of a task; its cancellation cancels the request.
    @inline(never)
    private nonisolated(nonsending) func wait(for task: CallingTask, _ token: CancellableToken) async -> CallerStep {
        await withTaskCancellationHandler {
            await task.waitForStep()
        } onCancel: {
            token.cancel()
        }
    }
}
