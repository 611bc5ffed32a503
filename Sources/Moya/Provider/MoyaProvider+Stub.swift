import Foundation

extension MoyaProvider {
    /// Lets all plugins prepare a request that will be stubbed, and tells them that it is about to go.
    ///
    /// - Returns: The prepared request.
    public final func notifyPluginsOfImpendingStub(for request: URLRequest, target: Target) -> URLRequest {
        announceStub(request, sending: .target(target), for: target)
    }

    private func announceStub(
        _ request: URLRequest,
        sending content: PreparedRequest.Content,
        for target: Target
    ) -> URLRequest {
        let prepared = prepare(request, for: target)
        willSend(PreparedRequest(prepared, sending: content, session: session), for: target, in: .current)
        return prepared
    }

    /// Makes the function that answers a stubbed request, to be called once.
    ///
    /// It asks the endpoint for its sample response, validates it, shows the result to all plugins and completes; or, if
    /// the token is cancelled by then, completes with `URLError.cancelled`.
    @preconcurrency
    public final func createStubFunction(
        _ token: CancellableToken,
        forTarget target: Target,
        withCompletion completion: @escaping Moya.Completion,
        endpoint: Endpoint,
        plugins: [any PluginType],
        request: URLRequest
    ) -> (@Sendable () -> Void) {
        let scope = plugins.isEmpty ? nil : RequestScope.current
        return { [self] in
            guard !token.isCancelled else {
                cancelCompletion(completion, target: target, in: scope)
                return
            }
            let result: Result<Response, MoyaError> =
                switch endpoint.sampleResponseClosure() {
                case .networkResponse(let statusCode, let data):
                    validate(Response(statusCode: statusCode, data: data, request: request), for: target)
                case .response(let response, let data):
                    validate(
                        Response(statusCode: response.statusCode, data: data, request: request, response: response),
                        for: target
                    )
                case .networkError(let error):
                    .failure(EndpointSampleResponse.failure(of: error))
                }
            RequestScope.run(in: scope, with: plugins) { $0.didReceive(result, target: target) }
            completion(result)
        }
    }

    /// Shows all plugins that a request was cancelled, and completes it so.
    @preconcurrency
    public func cancelCompletion(_ completion: Moya.Completion, target: Target) {
        cancelCompletion(completion, target: target, in: .current)
    }

    func cancelCompletion(_ completion: Moya.Completion, target: Target, in scope: RequestScope?) {
        let result: Result<Response, MoyaError> = .failure(cancelled)
        didReceive(result, for: target, in: scope)
        completion(result)
    }

    func answerWithStub(
        _ target: Target,
        request: URLRequest,
        callbackQueue: DispatchQueue?,
        completion: @escaping Moya.Completion,
        endpoint: Endpoint,
        stubBehavior: Moya.StubBehavior
    ) -> CancellableToken {
        let token = CancellableToken()
        if case .never = stubBehavior {
            completion(.failure(.underlying(TargetMisuse.stubBehaviorIsNever.naming(target), nil)))
            return token
        }
        let stub = createStubFunction(
            token,
            forTarget: target,
            withCompletion: completion,
            endpoint: endpoint,
            plugins: plugins,
            request: announceStub(request, sending: .endpoint(endpoint), for: target)
        )
        switch stubBehavior {
        case .never:
            break
        case .immediate:
            if let callbackQueue { callbackQueue.async(execute: stub) } else { stub() }
        case .delayed(let seconds):
            let delay = _Concurrency.Task { [clock] in
                // Cancelled, it answers at once, and the answer is that it was cancelled.
                try? await clock.sleep(for: Duration(clampingSeconds: seconds))
                (callbackQueue ?? .main).async(execute: stub)
            }
            token.attach { delay.cancel() }
        }
        return token
    }
}

extension TargetMisuse {
    static let stubBehaviorIsNever = TargetMisuse(
        target: nil,
        property: "stubBehavior",
        problem: "stubRequest was called for a request that is not to be stubbed",
        remedy: "call request, or pass .immediate or .delayed(seconds:)"
    )
}
