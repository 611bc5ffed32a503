import Foundation

extension MoyaProvider {
    /// Passes a request that will be stubbed through the plugins' `prepare`, and calls their `willSend`.
    ///
    /// - Returns: The prepared request.
    public final func notifyPluginsOfImpendingStub(for request: URLRequest, target: Target) -> URLRequest {
        prepareStub(request, sending: .target(target), for: target)
    }

    /// Passes a request through the plugins' `prepare`, and calls their `willSend` with the content that it would be sent with.
    private func prepareStub(
        _ request: URLRequest,
        sending content: PluginRequest.Content,
        for target: Target
    ) -> URLRequest {
        guard !plugins.isEmpty else { return request }
        let prepared = plugins.prepare(request, for: target)
        plugins.willSend(PluginRequest(prepared, sending: content, session: session), for: target, as: .current)
        return prepared
    }

    /// Creates the function that completes a stubbed request; it must be called once.
    ///
    /// The function validates the endpoint's sample response, calls the plugins' `didReceive` and then the completion.
    /// If the token is cancelled, the result is `URLError.cancelled`.
    @preconcurrency
    public final func createStubFunction(
        _ token: CancellableToken,
        forTarget target: Target,
        withCompletion completion: @escaping Moya.Completion,
        endpoint: Endpoint,
        plugins: [any PluginType],
        request: URLRequest
    ) -> (@Sendable () -> Void) {
        let identity = plugins.isEmpty ? nil : RequestIdentity.current
        return { [self] in
            completeStub(
                token,
                forTarget: target,
                withCompletion: completion,
                endpoint: endpoint,
                plugins: plugins,
                request: request,
                as: identity
            )
        }
    }

    /// Completes a stubbed request: the function of ``createStubFunction(_:forTarget:withCompletion:endpoint:plugins:request:)``.
    private func completeStub(
        _ token: CancellableToken,
        forTarget target: Target,
        withCompletion completion: Moya.Completion,
        endpoint: Endpoint,
        plugins: [any PluginType],
        request: URLRequest,
        as identity: RequestIdentity?
    ) {
        guard !token.isCancelled else {
            return cancelCompletion(
                completion,
                with: cancellationError.describing(request),
                target: target,
                as: identity
            )
        }
        func validated(_ response: Response) -> Result<Response, MoyaError> {
            validate(response, isAccepted: target.validationType.isAccepted(response.statusCode))
        }
        let result: Result<Response, MoyaError> =
            switch endpoint.sampleResponseClosure() {
            case .networkResponse(let statusCode, let data):
                validated(Response(statusCode: statusCode, data: data, request: request))
            case .response(let response, let data):
                validated(Response(statusCode: response.statusCode, data: data, request: request, response: response))
            case .networkError(let error):
                .failure(EndpointSampleResponse.failure(of: error))
            }
        plugins.didReceive(result, for: target, as: identity)
        completion(result)
    }

    /// Calls the plugins' `didReceive` and then the completion, with the error of a cancelled request.
    @preconcurrency
    public func cancelCompletion(_ completion: Moya.Completion, target: Target) {
        cancelCompletion(completion, with: cancellationError, target: target, as: .current)
    }

    /// Does the same for a request with an identity.
    private func cancelCompletion(
        _ completion: Moya.Completion,
        with error: MoyaError,
        target: Target,
        as identity: RequestIdentity?
    ) {
        let result: Result<Response, MoyaError> = .failure(error)
        plugins.didReceive(result, for: target, as: identity)
        completion(result)
    }

    /// Completes a request with the endpoint's sample response: the implementation of
    /// ``stubRequest(_:request:callbackQueue:completion:endpoint:stubBehavior:)``.
    func performStub(
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
        let request = prepareStub(request, sending: .endpoint(endpoint), for: target)
        if case .immediate = stubBehavior, callbackQueue == nil {
            // Without the function, which would be an object with copies of all values.
            completeStub(
                token,
                forTarget: target,
                withCompletion: completion,
                endpoint: endpoint,
                plugins: plugins,
                request: request,
                as: plugins.isEmpty ? nil : .current
            )
            return token
        }
        let stub = createStubFunction(
            token,
            forTarget: target,
            withCompletion: completion,
            endpoint: endpoint,
            plugins: plugins,
            request: request
        )
        switch stubBehavior {
        case .never:
            break
        case .immediate:
            if let callbackQueue { callbackQueue.async(execute: stub) } else { stub() }
        case .delayed(let seconds):
            let delay = _Concurrency.Task { [clock] in
                // A cancelled sleep ends at once, and the stub then completes with the error of a cancelled request.
                try? await clock.sleep(for: Duration(clampingSeconds: seconds))
                #if DEBUG
                if callbackQueue == nil { MainQueueWarning.main.check() }
                #endif
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
        problem: "stubRequest was called for a request that is not stubbed",
        remedy: "call request, or pass .immediate or .delayed(seconds:)"
    )
}
