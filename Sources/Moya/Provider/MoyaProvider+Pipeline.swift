import Foundation

// The steps of a request, each once, in their order. Callbacks, async functions, streams, typed targets and the
// reactive bindings are entry points to `start`:
//
//     target → endpoint → request closure → stub, or transfer → plugins prepare → willSend → session → validation
//            → didReceive → process → completion
extension MoyaProvider {
    /// The result of a request that was started.
    enum Outcome: Sendable {
        /// Nothing was sent, since there was no request to send.
        case unsent(Result<Response, MoyaError>)
        /// The network, or a stub, gave a result.
        case ended(Result<Response, MoyaError>)
    }

    /// Maps the endpoint, and sends or stubs the request.
    ///
    /// A stub without delay and queue ends before this returns.
    ///
    /// - Parameters:
    ///   - endpoint: The target's endpoint.
    ///   - stubBehavior: Whether the request is stubbed.
    ///   - request: The caller.
    ///   - token: Cancels the request: the caller's token, or that of a request that several callers share.
    ///   - finish: Called once, on the caller's queue.
    ///   - progress: Called for a request on the network.
    func start(
        _ endpoint: Endpoint,
        _ stubBehavior: StubBehavior,
        for request: ProviderRequest<Target>,
        token: CancellableToken,
        finish: @escaping @Sendable (Outcome) -> Void,
        progress: @escaping @Sendable (Progress) -> Void
    ) {
        let mapped = Promise<Void>()
        let scope = RequestScope.make(for: plugins)
        let cancelUnsent: @Sendable () -> Void = { [self] in
            cancelCompletion({ finish(.unsent($0)) }, target: request.target, in: scope)
        }
        requestClosure(endpoint) { [self] result in
            guard mapped.fulfill(()) else { return }
            guard !token.isCancelled, !request.isTaskCancelled else { return request.onCallerQueue(cancelUnsent) }
            switch result {
            case .failure(let error):
                let error = named(error, for: request.target)
                request.onCallerQueue { finish(.unsent(.failure(error))) }
            case .success(let urlRequest):
                perform(
                    urlRequest,
                    endpoint,
                    stubBehavior,
                    for: request,
                    in: scope,
                    token: token,
                    finish: finish,
                    progress: progress
                )
            }
        }
        guard mapped.value == nil else { return }
        // A request closure may take long. Callers that share a request, or wait for one in a task, do not wait for it.
        switch request.delivery {
        case .task(let resume): token.attach { if mapped.fulfill(()) { resume(.cancelled(scope)) } }
        case .callback where trackInflights:
            token.attach { if mapped.fulfill(()) { request.resultQueue.async(execute: cancelUnsent) } }
        case .callback: break
        }
    }

    private func perform(
        _ urlRequest: URLRequest,
        _ endpoint: Endpoint,
        _ stubBehavior: StubBehavior,
        for request: ProviderRequest<Target>,
        in scope: RequestScope?,
        token: CancellableToken,
        finish: @escaping @Sendable (Outcome) -> Void,
        progress: @escaping @Sendable (Progress) -> Void
    ) {
        var urlRequest = urlRequest
        if urlRequest.url != nil { request.adjust?(&urlRequest) }
        guard case .never = stubBehavior else {
            // An override of `stubRequest` can't be given the scope.
            let stub = RequestScope.run(in: scope, for: plugins) {
                stubRequest(
                    request.target,
                    request: urlRequest,
                    callbackQueue: request.stubQueue(stubBehavior),
                    completion: { finish(.ended($0)) },
                    endpoint: endpoint,
                    stubBehavior: stubBehavior
                )
            }
            return token.attach { stub.cancel() }
        }
        switch transfer(of: endpoint, for: request) {
        case .failure(let error):
            request.onCallerQueue { finish(.unsent(.failure(error))) }
        case .success(let transfer):
            switch request.delivery {
            case .task(let resume):
                resume(.send(MappedRequest(request: urlRequest, transfer: transfer, scope: scope)))
            case .callback:
                let isObserved = request.wantsProgress || trackInflights
                let task = _Concurrency.Task { [self] in
                    let result = await send(
                        urlRequest,
                        transfer,
                        for: request.target,
                        in: scope,
                        note: { token.note($0) },
                        progress: isObserved ? progress : nil
                    )
                    request.resultQueue.async { [self] in
                        // Also where a transport ignores the cancellation.
                        let result = token.isCancelled ? .failure(cancelled) : result
                        didReceive(result, for: request.target, in: scope)
                        finish(.ended(result))
                    }
                }
                token.attach { task.cancel() }
            }
        }
    }

    /// Calls the caller's completion, on its queue, after the end of the progress and the plugins' changes.
    func complete(_ request: ProviderRequest<Target>, with outcome: Outcome) {
        request.token.detach()
        switch outcome {
        case .unsent(let result):
            request.completion(process(result, for: request.target))
        case .ended(let result):
            request.reportEnd(result)
            request.completion(process(result, for: request.target))
        }
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

    /// Passes a request through the plugins' `prepare`, one after the other.
    func prepare(_ request: URLRequest, for target: Target) -> URLRequest {
        guard !plugins.isEmpty else { return request }
        // One existential for all plugins, here and below.
        let target: any TargetType = target
        return plugins.reduce(request) { $1.prepare($0, target: target) }
    }

    /// Calls the plugins' `willSend`.
    func willSend(_ request: PreparedRequest, for target: Target, in scope: RequestScope?) {
        guard !plugins.isEmpty else { return }
        let request: any RequestType = request
        let target: any TargetType = target
        RequestScope.run(in: scope, with: plugins) { $0.willSend(request, target: target) }
    }

    /// Sends a mapped request and returns the raw result: any status that the target accepts is a success.
    func send(
        _ request: URLRequest,
        _ transfer: Transfer,
        for target: Target,
        in scope: RequestScope?,
        note: @escaping @Sendable (PreparedRequest) -> Void = { _ in },
        progress: ProgressHandler? = nil
    ) async -> Result<Response, MoyaError> {
        await send(request, transfer, for: target, in: scope, note: note) { [session] request, options in
            switch transfer {
            case .request:
                try await session.data(for: request, options: options, progress: progress)
            case .upload(let body, _):
                try await session.data(for: request, body: body, options: options, uploadProgress: progress)
            case .download(let destination):
                try await session.download(request, to: destination, options: options, progress: progress)
            }
        }
    }

    /// Passes a mapped request to the session, with the plugins as a stage of its pipeline, and validates the response.
    func send(
        _ request: URLRequest,
        _ transfer: Transfer,
        for target: Target,
        in scope: RequestScope?,
        note: @escaping @Sendable (PreparedRequest) -> Void = { _ in },
        by send: (URLRequest, RequestOptions) async throws -> SessionResponse
    ) async -> Result<Response, MoyaError> {
        var request = request
        request.setContentType(of: transfer)
        let validation = target.validationType
        let state = RequestState(target: target)
        let options = RequestOptions(
            state: state,
            interceptor: interceptor,
            preparation: PluginStage(
                plugins: plugins,
                target: target,
                transfer: transfer,
                session: session,
                scope: scope,
                note: note
            ),
            accepts: { validation.accepts($0) }
        )
        do {
            return validate(Response(try await send(request, options)), for: target)
        } catch {
            let error = error as? MoyaError ?? .underlying(error, state.failedResponse.map { Response($0) })
            return .failure(named(error, for: target))
        }
    }

    /// Returns a failure, with the response, for a status that the target does not accept.
    func validate(_ response: Response, for target: Target) -> Result<Response, MoyaError> {
        target.validationType.accepts(response.statusCode)
            ? .success(response)
            : .failure(.underlying(MoyaError.statusCode(response), response))
    }

    /// Calls the plugins' `didReceive` with the raw result.
    func didReceive(_ result: Result<Response, MoyaError>, for target: Target, in scope: RequestScope?) {
        guard !plugins.isEmpty else { return }
        let target: any TargetType = target
        RequestScope.run(in: scope, with: plugins) { $0.didReceive(result, target: target) }
    }

    /// Passes a result through the plugins' `process`, one after the other.
    func process(_ result: Result<Response, MoyaError>, for target: Target) -> Result<Response, MoyaError> {
        guard !plugins.isEmpty else { return result }
        let target: any TargetType = target
        return plugins.reduce(result) { $1.process($0, target: target) }
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
    let transfer: Transfer
    let session: Session
    let scope: RequestScope?
    /// Called with the request of each attempt.
    let note: @Sendable (PreparedRequest) -> Void

    func respond(
        to request: OutgoingRequest,
        context: RequestContext,
        next: @escaping RequestHandler
    ) async throws -> TransportResponse {
        let prepared = PreparedRequest(
            plugins.isEmpty
                ? request.urlRequest : plugins.reduce(request.urlRequest) { $1.prepare($0, target: target) },
            sending: .transfer(transfer),
            session: session,
            state: context.state
        )
        note(prepared)
        if !plugins.isEmpty { RequestScope.run(in: scope, with: plugins) { $0.willSend(prepared, target: target) } }
        guard let urlRequest = prepared.request else { throw MoyaError.requestMapping("") }
        var request = request
        request.urlRequest = urlRequest
        return try await next(request, context)
    }
}
