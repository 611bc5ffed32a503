import Foundation

// The end of a request. There are two ways to it:
//
//     callbacks         `receive` calls `didReceive` once, and `finish` calls `complete` for each caller
//     the calling task  `applyPlugins` calls `didReceive` and `process`, and `runInCallingTask` returns the result
//
// They differ because of the steps between `didReceive` and `process`. Callbacks may share a request: it has one `didReceive`, and then
// each caller has its own queue, last progress and `process`. A calling task never shares its request, and gets no progress, so nothing
// is between the two calls. If its request is stubbed or not sent, it gets the result by `finish`, like a callback.
//
// A stub calls `didReceive` itself, and then `finish` (MoyaProvider+Stub.swift). A request that ends before `send`
// because of an error has no `didReceive`.
//
// `receive`, or `finish` without it, is called on this queue:
//
//     sent, or ended before the request closure calls back   `resultQueue`: the caller's queue, or the main queue;
//                                                            with progress, a serial queue of the request that targets it
//     stubbed                                                the caller's queue; without one, the caller's thread, or after a delay
//                                                            the main queue
//     ended unsent after the request closure has called back the caller's queue; without one, the current thread
//
// An awaited request without a queue uses a global queue in place of the main queue. `complete` is called on the same queue, or for each
// caller of a shared request on that caller's `resultQueue`.
extension MoyaProvider {
    /// Passes a raw result to the plugins' `didReceive`, and ends a request for all of its callers.
    ///
    /// - Parameters:
    ///   - result: The raw result.
    ///   - request: The request.
    ///   - reportsProgress: Whether the caller gets a last progress call: true if the request was sent or stubbed.
    func receive(
        _ result: Result<Response, MoyaError>,
        for request: ProviderRequest<Target>,
        reportsProgress: Bool
    ) {
        plugins.didReceive(result, for: request.target, as: request.identity)
        finish(request, with: result, reportsProgress: reportsProgress)
    }

    /// Passes the raw result of a calling task's request through the plugins' `didReceive` and `process`, on the callback queue.
    @inline(__always)
    nonisolated(nonsending) func applyPlugins(
        to result: Result<Response, MoyaError>,
        for request: ProviderRequest<Target>
    ) async -> Result<Response, MoyaError> {
        await onCallbackQueue { [self] in
            plugins.didReceive(result, for: request.target, as: request.identity)
            return plugins.process(result, for: request.target)
        }
    }

    /// Ends a request that can't be sent.
    func failUnsent(_ request: ProviderRequest<Target>, with error: MoyaError) {
        let error = error.replacingCancellation.naming(request.target)
        request.runOnCallerQueue { [self] in finish(request, with: .failure(error), reportsProgress: false) }
    }

    /// Ends a request that was cancelled before it could be sent.
    func cancelUnsent(_ request: ProviderRequest<Target>) {
        receive(.failure(cancellationError.describing(request.endpoint)), for: request, reportsProgress: false)
    }

    /// Ends a request for all of its callers, after `didReceive`, if it is called.
    func finish(_ request: ProviderRequest<Target>, with result: Result<Response, MoyaError>, reportsProgress: Bool) {
        guard let shared = request.shared else {
            return complete(request, with: result, reportsProgress: reportsProgress)
        }
        completeCallers(of: shared, first: request, with: result, reportsProgress: reportsProgress)
    }

    /// Ends a request for one caller, on the current thread: releases the action of its token, reports the last progress, and calls
    /// `process` and the completion.
    func complete(_ request: ProviderRequest<Target>, with result: Result<Response, MoyaError>, reportsProgress: Bool) {
        request.token.requestEnded()
        request.endProgress(result, reportsProgress: reportsProgress)
        request.caller.complete(plugins.process(result, for: request.target))
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

    /// The error of a cancelled request.
    var cancellationError: MoyaError { .underlying(URLError.cancelled(url: nil), nil) }
}
