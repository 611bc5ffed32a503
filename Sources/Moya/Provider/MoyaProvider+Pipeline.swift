import Foundation

// The steps of a request, each once, in their order. Callbacks, async functions, streams, typed targets and the
// reactive bindings are entry points to `start`:
//
//     target → endpoint → request closure → stub, or transfer → plugins prepare → willSend → session → validation
//            → didReceive → process → completion
extension MoyaProvider {
    /// Maps the endpoint, and sends or stubs the request.
    ///
    /// A stub without delay and queue ends before this returns.
    ///
    /// - Parameters:
    ///   - endpoint: The target's endpoint.
    ///   - stubBehavior: Whether the request is stubbed.
    ///   - request: The caller.
    ///   - shared: The exchange that the caller shares with others; `nil` if it has one of its own.
    func start(
        _ endpoint: Endpoint,
        _ stubBehavior: StubBehavior,
        for request: ProviderRequest<Target>,
        sharing shared: SharedExchange? = nil
    ) {
        let token = shared?.token ?? request.token
        let scope = RequestScope.make(for: plugins)
        #if DEBUG
            if let headers = endpoint.uniqueHeaders {
                FieldNameMonitor.standard.check(headers, of: TargetName(request.target).description)
            }
        #endif
        let callback = RequestClosureCallback { [self] result in
            guard token.claim() else { return }
            guard let result else {
                let error = MoyaError.underlying(TargetMisuse.requestClosureIsSilent.naming(request.target), nil)
                return request.unaskedResultQueue.async { [self] in
                    finish(request, with: .failure(error), isSent: false, sharing: shared)
                }
            }
            guard !token.isCancelled, !request.isTaskCancelled else {
                return request.onCallerQueue { [self] in cancelUnsent(request, endpoint, in: scope, sharing: shared) }
            }
            switch result {
            case .failure(let error):
                let error = named(error, for: request.target)
                request.onCallerQueue { [self] in
                    finish(request, with: .failure(error), isSent: false, sharing: shared)
                }
            case .success(let urlRequest):
                perform(urlRequest, endpoint, stubBehavior, for: request, in: scope, sharing: shared)
            }
        }
        map(endpoint, callback)
        guard !token.isClaimed else { return }
        // A request closure may take long, or never call back. A request that is cancelled does not wait for it.
        switch request.delivery {
        case .task(let next):
            token.attachUntilClaimed { [self, weak callback] in
                guard token.claim() else { return }
                callback?.drop()
                next.fulfill(.cancelled(cancelled.describing(endpoint), scope))
            }
        case .callback:
            token.attachUntilClaimed { [self, weak callback] in
                guard token.claim() else { return }
                callback?.drop()
                request.resultQueue.async { [self] in cancelUnsent(request, endpoint, in: scope, sharing: shared) }
            }
        }
    }

    // A function of its own, so that only the closure holds the callback when it returns.
    private func map(_ endpoint: Endpoint, _ callback: RequestClosureCallback) {
        requestClosure(endpoint) { callback.call($0) }
    }

    private func perform(
        _ urlRequest: URLRequest,
        _ endpoint: Endpoint,
        _ stubBehavior: StubBehavior,
        for request: ProviderRequest<Target>,
        in scope: RequestScope?,
        sharing shared: SharedExchange?
    ) {
        let token = shared?.token ?? request.token
        var urlRequest = urlRequest
        // The request closure may have added headers.
        urlRequest.removeSupersededHeaders(after: (try? endpoint.urlRequest())?.allHTTPHeaderFields)
        if urlRequest.url != nil { request.adjust?(&urlRequest) }
        guard case .never = stubBehavior else {
            // An override of `stubRequest` can't be given the scope.
            let stub = RequestScope.run(in: scope, for: plugins) {
                stubRequest(
                    request.target,
                    request: urlRequest,
                    callbackQueue: request.stubQueue(stubBehavior),
                    completion: { [self] in finish(request, with: $0, isSent: true, sharing: shared) },
                    endpoint: endpoint,
                    stubBehavior: stubBehavior
                )
            }
            return token.attach { stub.cancel() }
        }
        switch transfer(of: endpoint, for: request) {
        case .failure(let error):
            request.onCallerQueue { [self] in finish(request, with: .failure(error), isSent: false, sharing: shared) }
        case .success(let transfer):
            let mapped = MappedRequest(request: urlRequest, transfer: transfer, scope: scope)
            switch request.delivery {
            case .task(let next): next.fulfill(.send(mapped))
            case .callback: sendInTask(mapped, for: request, token: token, sharing: shared)
            }
        }
    }

    /// Sends a request in a task of its own, and ends it on the queue of its caller.
    private func sendInTask(
        _ mapped: MappedRequest,
        for request: ProviderRequest<Target>,
        token: CancellableToken,
        sharing shared: SharedExchange?
    ) {
        let progress: ProgressHandler? =
            if request.wantsProgress || trackInflights {
                { [self] in report($0, to: request, sharing: shared) }
            } else {
                nil
            }
        let task = _Concurrency.Task { [self] in
            let result = await send(
                mapped,
                for: request.target,
                note: { token.note($0) },
                progress: progress
            )
            #if DEBUG
                if request.queue == nil { MainQueueMonitor.main.check() }
            #endif
            request.resultQueue.async { [self] in
                // Also where a transport ignores the cancellation.
                let result = token.isCancelled ? .failure(cancelled.describing(mapped.request)) : result
                plugins.didReceive(result, for: request.target, in: mapped.scope)
                finish(request, with: result, isSent: true, sharing: shared)
            }
        }
        token.attach { task.cancel() }
    }

    /// Ends a request that was cancelled before there was anything to send.
    private func cancelUnsent(
        _ request: ProviderRequest<Target>,
        _ endpoint: Endpoint,
        in scope: RequestScope?,
        sharing shared: SharedExchange?
    ) {
        cancelCompletion(
            { [self] in finish(request, with: $0, isSent: false, sharing: shared) },
            with: cancelled.describing(endpoint),
            target: request.target,
            in: scope
        )
    }

    /// Ends a request, and those that share its exchange; called on the caller's queue.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - result: The raw result.
    ///   - isSent: Whether the result is that of the network or of a stub, so that there may have been progress.
    ///   - shared: The exchange that the caller shares with others.
    private func finish(
        _ request: ProviderRequest<Target>,
        with result: Result<Response, MoyaError>,
        isSent: Bool,
        sharing shared: SharedExchange?
    ) {
        guard let shared else { return complete(request, with: result, isSent: isSent) }
        complete(shared, first: request, with: result, isSent: isSent)
    }

    /// Calls the caller's completion, on its queue, after the end of the progress and the plugins' changes.
    func complete(_ request: ProviderRequest<Target>, with result: Result<Response, MoyaError>, isSent: Bool) {
        request.token.detach()
        if isSent { request.reportEnd(result) }
        request.complete(plugins.process(result, for: request.target))
    }

    // MARK: Steps

    /// Returns the transfer that the endpoint needs, or the error if it is not possible.
    private func transfer(
        of endpoint: Endpoint,
        for request: ProviderRequest<Target>
    ) -> Result<Transfer, MoyaError> {
        Result { () throws(MoyaError) in
            let transfer = try endpoint.transfer()
            if let misuse = request.refuse?(transfer) { throw .parameterEncoding(misuse) }
            return transfer
        }.mapError { named($0, for: request.target) }
    }

    /// Sends a mapped request and returns the raw result: any status that the target accepts is a success.
    nonisolated(nonsending) func send(
        _ mapped: MappedRequest,
        for target: Target,
        note: @escaping @Sendable (PreparedRequest) -> Void = { _ in },
        progress: ProgressHandler? = nil
    ) async -> Result<Response, MoyaError> {
        await send(mapped, for: target, note: note) { [session] request, options in
            switch mapped.transfer {
            case .request, .failure:
                try await session.data(for: request, options: options, progress: progress)
            case .upload(let body, _):
                try await session.data(for: request, body: body, options: options, uploadProgress: progress)
            case .download(let destination):
                try await session.download(request, to: destination, options: options, progress: progress)
            }
        }
    }

    /// Passes a mapped request to the session, with the plugins as a stage of its pipeline, and validates the response.
    nonisolated(nonsending) func send(
        _ mapped: MappedRequest,
        for target: Target,
        note: @escaping @Sendable (PreparedRequest) -> Void = { _ in },
        by send: nonisolated(nonsending) (URLRequest, RequestOptions) async throws -> SessionResponse
    ) async -> Result<Response, MoyaError> {
        var request = mapped.request
        request.setContentType(of: mapped.transfer)
        let validation = target.validationType
        let state = RequestState(target: target)
        let options = RequestOptions(
            state: state,
            interceptor: interceptor,
            preparation: PluginStage(plugins: plugins, target: target, mapped: mapped, session: session, note: note),
            accepts: { validation.isAccepted($0) }
        )
        do {
            return validate(Response(try await send(request, options)), for: target)
        } catch {
            let error = error as? MoyaError ?? .underlying(error, state.failedResponse.map { Response($0) })
            return .failure(named(error, for: target).describing(state.request ?? request))
        }
    }

    /// Returns a failure, with the response, for a status that the target does not accept.
    func validate(_ response: Response, for target: Target) -> Result<Response, MoyaError> {
        target.validationType.isAccepted(response.statusCode)
            ? .success(response)
            : .failure(.underlying(MoyaError.statusCode(response), response))
    }

    /// Adds the target's name to an error about the target, which neither an endpoint nor a session knows, and turns
    /// errors about a cancellation into the one error of cancelled requests.
    func named(_ error: MoyaError, for target: Target) -> MoyaError { error.asCancellation.naming(target) }

    /// The error of a cancelled request.
    var cancelled: MoyaError { .underlying(URLError.cancelled(url: nil), nil) }
}

/// The provider's stage of the session's pipeline: in each attempt, plugins prepare the request and get `willSend`.
private struct PluginStage: RequestStage {
    let plugins: [any PluginType]
    let target: any TargetType
    let mapped: MappedRequest
    let session: Session
    /// Called with the request of each attempt.
    let note: @Sendable (PreparedRequest) -> Void

    nonisolated(nonsending) func respond(
        to request: OutgoingRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        let prepared = PreparedRequest(
            plugins.prepare(request.urlRequest, for: target),
            sending: .transfer(mapped.transfer),
            session: session,
            state: context.state
        )
        note(prepared)
        plugins.willSend(prepared, for: target, in: mapped.scope)
        if case .failure(let error) = mapped.transfer { throw error }
        guard let urlRequest = prepared.request else { throw MoyaError.requestMapping("") }
        var request = request
        request.urlRequest = urlRequest
        return try await next(request, context)
    }
}
