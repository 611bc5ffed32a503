import Foundation

// The steps of a request, in their order. Callbacks, async functions, streams, typed targets and the reactive bindings are
// entry points: they get the endpoint and the stub behavior of the target, and call `start`.
//
//     start          the request closure maps the endpoint to a `URLRequest`; `continueAfterMapping` ends a request without one
//     stubOrSend     a stub (MoyaProvider+Stub.swift), or the execution of the endpoint; then `sendInNewTask` or the calling task
//     sendInNewTask  callbacks only: `send` in a new task, then the end on the queue of the result
//     send           the session, whose pipeline calls `prepare` and `willSend` in each attempt; then validation
//     the end        `didReceive`, the last progress, `process`, and the completion or the return (MoyaProvider+End.swift)
//
// A stream is sent in the task of its caller (`runInCallingTask` in MoyaProvider+CallingTask.swift). So is an async request, unless
// equal requests are shared or the provider is a subclass.
extension MoyaProvider {
    /// Starts a request: calls the request closure, whose result is dropped if the request is cancelled before.
    ///
    /// A stub without a delay and without a queue ends before the function returns.
    func start(_ request: ProviderRequest<Target>) {
        #if DEBUG
        if let headers = request.endpoint.uniqueHeaders {
            FieldNameWarning.standard.check(headers, of: TargetName(request.target).description)
        }
        #endif
        let callback = callRequestClosure(for: request)
        endOnCancellation(of: request, untilCallOf: callback)
    }

    /// Calls the request closure, and continues with its result, unless the request is cancelled before.
    private func callRequestClosure(for request: ProviderRequest<Target>) -> RequestClosureCallback {
        let callback = RequestClosureCallback { [self] result in
            if request.sendingToken.claim() { continueAfterMapping(result, request) }
        }
        requestClosure(request.endpoint) { callback.call($0) }
        return callback
    }

    /// Ends a request as soon as it is cancelled, until the request closure calls back.
    ///
    /// A request closure may take long, or never call back.
    private func endOnCancellation(
        of request: ProviderRequest<Target>,
        untilCallOf callback: RequestClosureCallback
    ) {
        let token = request.sendingToken
        guard !token.isClaimed else { return }
        token.attachUntilClaimed { [self, weak callback] in
            guard token.claim() else { return }
            callback?.drop()
            request.resultQueue.async { [self] in cancelUnsent(request) }
        }
    }

    /// Continues a request with the result of the request closure, or ends it if there is no mapped request.
    ///
    /// The result is `nil` if the closure has released its callback without a call.
    private func continueAfterMapping(
        _ result: Result<URLRequest, MoyaError>?,
        _ request: ProviderRequest<Target>
    ) {
        guard let result else {
            let error = MoyaError.underlying(TargetMisuse.requestClosureIsSilent.naming(request.target), nil)
            return request.resultQueue.async { [self] in
                finish(request, with: .failure(error), reportsProgress: false)
            }
        }
        guard !request.sendingToken.isCancelled else {
            return request.runOnCallerQueue { [self] in cancelUnsent(request) }
        }
        switch result {
        case .failure(let error): failUnsent(request, with: error)
        case .success(let urlRequest): stubOrSend(urlRequest, for: request)
        }
    }

    /// Stubs a request that the request closure has mapped, or sends it.
    private func stubOrSend(_ urlRequest: URLRequest, for request: ProviderRequest<Target>) {
        var urlRequest = urlRequest
        // The request closure may have added headers.
        urlRequest.removeSupersededHeaders(after: { (try? request.endpoint.urlRequest())?.allHTTPHeaderFields })
        if let adjust = request.adjust, urlRequest.url != nil { adjust(&urlRequest) }
        guard case .never = request.stubBehavior else {
            // `stubRequest` has no parameter for the identity, because applications override it.
            let stub = RequestIdentity.run(as: request.identity, for: plugins) {
                stubRequest(
                    request.target,
                    request: urlRequest,
                    callbackQueue: request.stubQueue,
                    completion: { [self] in finish(request, with: $0, reportsProgress: true) },
                    endpoint: request.endpoint,
                    stubBehavior: request.stubBehavior
                )
            }
            return request.sendingToken.attach { stub.cancel() }
        }
        switch makeExecution(of: request) {
        case .failure(let error): failUnsent(request, with: error)
        case .success(let execution):
            let mapped = MappedRequest(request: urlRequest, execution: execution)
            switch request.caller {
            case .task(let task): task.continue(with: .send(mapped))
            case .completion: sendInNewTask(mapped, for: request)
            }
        }
    }

    /// Sends a request in a task that is created for it, and ends the request on the queue of its caller.
    private func sendInNewTask(_ mapped: MappedRequest, for request: ProviderRequest<Target>) {
        let token = request.sendingToken
        let progress: ProgressHandler? =
            if request.hasProgressHandler || trackInflights {
                { [self] in report($0, to: request) }
            } else {
                nil
            }
        let task = _Concurrency.Task { [self] in
            let sent = await send(mapped, for: request, onPrepared: { token.setRequest($0) }, progress: progress)
            #if DEBUG
            if request.queue == nil { MainQueueWarning.main.check() }
            #endif
            request.resultQueue.async { [self] in
                // A transport may ignore the cancellation.
                let result = token.isCancelled ? .failure(cancellationError.describing(mapped.request)) : sent.result
                receive(result, for: request, reportsProgress: true)
            }
        }
        token.attach { task.cancel() }
    }

    /// Passes a mapped request to the session, with the plugins as the preparation of each attempt, and validates the response.
    ///
    /// - Parameters:
    ///   - mapped: The mapped request.
    ///   - request: The request that was mapped.
    ///   - onPrepared: Called with the request of each attempt, after plugins have prepared it; `nil` if only plugins need it.
    ///   - asStream: Whether the body of a response whose status is accepted is returned as a stream, and not read into the response.
    ///   - progress: Called as the body of the response arrives, or as the body of an upload is read to be sent.
    /// - Returns: The raw result, with the stream.
    nonisolated(nonsending) func send(
        _ mapped: MappedRequest,
        for request: ProviderRequest<Target>,
        onPrepared: (@Sendable (PluginRequest) -> Void)? = nil,
        asStream: Bool = false,
        progress: ProgressHandler? = nil
    ) async -> SentResult {
        let (target, record, body) = (request.target, RequestRecord(), mapped.execution.uploadBody)
        // The progress is that of the upload, if there is one.
        let (uploadProgress, downloadProgress) = body == nil ? (nil, progress) : (progress, nil)
        let settings = makeSettings(for: mapped, request, onPrepared: onPrepared, uploadProgress: uploadProgress)
        var urlRequest = mapped.request
        urlRequest.setContentType(of: mapped.execution)
        do {
            let sent = try await callSession(
                urlRequest,
                mapped.execution,
                body: body,
                asStream: asStream,
                record: record,
                settings: settings,
                progress: downloadProgress
            )
            let isAccepted = settings.isAccepted(sent.response.statusCode)
            return SentResult(
                result: validate(Response(sent.response), isAccepted: isAccepted),
                // The body of another response has been read into its data.
                body: isAccepted ? sent.body : nil
            )
        } catch {
            let error = error as? MoyaError ?? .underlying(error, record.failedResponse.map { Response($0) })
            return SentResult(
                result: .failure(
                    error.replacingCancellation.naming(target).describing(record.currentRequest ?? urlRequest)
                )
            )
        }
    }

    /// Passes a mapped request to the session that opens a WebSocket, with the plugins as the preparation of each attempt.
    nonisolated(nonsending) func openWebSocket(
        _ mapped: MappedRequest,
        for request: ProviderRequest<Target>,
        _ upgrade: WebSocketUpgrade
    ) async -> SentResult {
        let (target, record) = (request.target, RequestRecord())
        var settings = makeSettings(for: mapped, request, onPrepared: nil, uploadProgress: nil)
        settings.isAccepted = upgrade.isAccepted
        do {
            let socket = try await session.webSocket(for: mapped.request, upgrade, record: record, settings: settings)
            return SentResult(result: .success(Response(socket.response)), socket: socket)
        } catch {
            let error: MoyaError =
                switch error {
                case let error as MoyaError: error
                case let refusal as WebSocketUpgradeError: .underlying(refusal.error, Response(refusal.response))
                default: .underlying(error, record.failedResponse.map { Response($0) })
                }
            let sentRequest = record.currentRequest ?? mapped.request
            return SentResult(result: .failure(error.replacingCancellation.naming(target).describing(sentRequest)))
        }
    }

    /// Calls the function of the session for the execution of a task, and returns the response, with its body if that is a stream.
    @inline(__always)
    private nonisolated(nonsending) func callSession(
        _ urlRequest: URLRequest,
        _ execution: TaskExecution,
        body: HTTPBody?,
        asStream: Bool,
        record: RequestRecord,
        settings: RequestSettings,
        progress: ProgressHandler?
    ) async throws -> (response: SessionResponse, body: TransportBodyStream?) {
        if asStream { return try await session.stream(for: urlRequest, body: body, record: record, settings: settings) }
        if case .download(let destination) = execution {
            let response = try await session.download(
                urlRequest,
                to: destination,
                record: record,
                settings: settings,
                progress: progress
            )
            return (response, nil)
        }
        let response = try await session.data(
            for: urlRequest,
            body: body,
            record: record,
            settings: settings,
            progress: progress
        )
        return (response, nil)
    }

    // MARK: Parts of the steps

    /// Reports progress to the caller of a request, and to the callers that share it.
    private func report(_ progress: Progress, to request: ProviderRequest<Target>) {
        guard let shared = request.shared else { return request.report(progress) }
        for caller in inflight.callers(of: shared) { caller.report(progress) }
    }

    /// Returns the session's settings for a request, with the plugins as its preparation.
    private func makeSettings(
        for mapped: MappedRequest,
        _ request: ProviderRequest<Target>,
        onPrepared: (@Sendable (PluginRequest) -> Void)?,
        uploadProgress: ProgressHandler?
    ) -> RequestSettings {
        let validation = request.target.validationType
        return RequestSettings(
            target: request.target,
            interceptor: interceptor,
            preparation: makePreparation(of: mapped, request, onPrepared: onPrepared),
            isAccepted: { validation.isAccepted($0) },
            timeouts: timeouts(of: request.target).unlessInherited,
            retryChoice: retryChoice(of: request.target),
            idempotencyKeys: idempotencyKeys(of: request.target),
            uploadProgress: uploadProgress
        )
    }

    /// Returns the times of a target, with those of the provider in place of the ones that it inherits.
    private func timeouts(of target: Target) -> RequestTimeouts {
        guard hasTimeLimitedTargets, let target = target as? any TimeLimitedTargetType else { return timeouts }
        return target.timeouts.inheriting(from: timeouts)
    }

    private func retryChoice(of target: Target) -> RetryChoice {
        guard hasRetryingTargets, let target = target as? any RetryingTargetType else { return .inherited }
        return target.retryChoice
    }

    private func idempotencyKeys(of target: Target) -> IdempotencyKeys? {
        guard hasIdempotentTargets, let target = target as? any IdempotentTargetType else { return nil }
        return target.idempotencyKeys
    }

    /// Returns the preparation of each attempt; `nil` if there is nothing to prepare or to report.
    private func makePreparation(
        of mapped: MappedRequest,
        _ request: ProviderRequest<Target>,
        onPrepared: (@Sendable (PluginRequest) -> Void)?
    ) -> PluginPreparation? {
        guard !plugins.isEmpty || onPrepared != nil || mapped.execution.isFailure else { return nil }
        return PluginPreparation(
            plugins: plugins,
            target: request.target,
            identity: request.identity,
            execution: mapped.execution,
            session: session,
            onPrepared: onPrepared
        )
    }

    /// Returns the execution that a request needs, or the error if it is not possible.
    private func makeExecution(of request: ProviderRequest<Target>) -> Result<TaskExecution, MoyaError> {
        Result { () throws(MoyaError) in
            let execution = try request.endpoint.execution()
            if let misuse = request.findMisuse?(execution) { throw .parameterEncoding(misuse) }
            return execution
        }
    }

    /// Returns a failure, with the response, for a status that the target does not accept.
    func validate(_ response: Response, isAccepted: Bool) -> Result<Response, MoyaError> {
        isAccepted ? .success(response) : .failure(.underlying(MoyaError.statusCode(response), response))
    }
}

// Not nested in the generic class: metadata that depends on a type of the application is slow.

/// The result of a request that the session has sent.
struct SentResult: Sendable {
    /// The raw result: a response is a success if the target accepts its status.
    var result: Result<Response, MoyaError>
    /// The body of the response, if it is read as a stream.
    var body: TransportBodyStream?
    /// The WebSocket that the request has opened.
    var socket: WebSocket?
}
