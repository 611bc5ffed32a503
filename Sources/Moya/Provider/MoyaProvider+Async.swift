import Foundation

// The async door.
extension MoyaProvider {
    /// Requests a target and waits for the response.
    ///
    ///     let user = try await provider.request(.userProfile("ashfurrow")).map(User.self)
    ///
    /// Cancelling the task cancels the exchange down to the socket. Plugins see the result on the provider's callback
    /// queue, if it has one, and otherwise where the request ran; the main queue has no part in it. In a subclass that
    /// overrides ``request(_:callbackQueue:progress:completion:)`` the request goes through the override.
    ///
    /// - Throws: ``MoyaError``; for a cancelled task ``MoyaError/underlying(_:_:)`` with `URLError.cancelled`.
    public func request(_ target: Target) async throws(MoyaError) -> Response {
        try await result(of: target).get()
    }

    /// What an awaited request comes to.
    func result(of target: Target) async -> Result<Response, MoyaError> {
        let isSubclass = type(of: self) != MoyaProvider<Target>.self
        // An exchange that others wait for, too, cannot run in one caller's task.
        guard !isSubclass, !trackInflights else { return await requestByCallback(target) }
        return await run(target) { [self] in await exchange($0, $1, for: target, in: $2) }
    }

    private func requestByCallback(_ target: Target) async -> Result<Response, MoyaError> {
        let result = OneShot<Result<Response, MoyaError>>()
        let request = request(target, callbackQueue: callbackQueue ?? .global(), progress: nil) { result.fulfil($0) }
        return await withTaskCancellationHandler {
            await result.wait()
        } onCancel: {
            request.cancel()
        }
    }

    /// The way of a request that is awaited, from its target to what plugins made of the result.
    ///
    /// - Parameters:
    ///   - adjust: May change the mapped request, before plugins see it.
    ///   - refuse: Says why a transfer can't go this way, before anything is sent.
    ///   - live: Asks the network.
    func run(
        _ target: Target,
        adjust: (inout URLRequest) -> Void = { _ in },
        refuse: (Transfer) -> TargetMisuse? = { _ in nil },
        live: (URLRequest, Transfer, RequestScope?) async -> Result<Response, MoyaError>
    ) async -> Result<Response, MoyaError> {
        let endpoint = endpoint(target)
        let stubBehavior = stubClosure(target)
        let mapping = map(endpoint)
        let mapped = if let request = mapping.value { request } else { await wait(for: mapping) }
        let scope = RequestScope.make(for: plugins)
        // In this module `Task` alone is still the name that HTTPTask had.
        guard !_Concurrency.Task.isCancelled else { return await end(.failure(cancelled), for: target, in: scope) }
        switch mapped {
        case .failure(let error):
            return await onCallbackQueue { [self] in process(.failure(named(error, for: target)), for: target) }
        case .success(var request):
            if request.url != nil { adjust(&request) }
            if case .never = stubBehavior {
                switch transfer(of: endpoint, for: target, refuse: refuse) {
                case .failure(let error):
                    return await onCallbackQueue { [self] in process(.failure(error), for: target) }
                case .success(let transfer):
                    return await end(live(request, transfer, scope), for: target, in: scope)
                }
            }
            let (answer, token) = stub(request, endpoint, stubBehavior, for: target, in: scope)
            let result = if let result = answer.value { result } else { await wait(for: answer, token) }
            return await onCallbackQueue { [self] in process(result, for: target) }
        }
    }

    /// Lets the request closure make the request.
    private func map(_ endpoint: Endpoint) -> OneShot<Result<URLRequest, MoyaError>> {
        let request = OneShot<Result<URLRequest, MoyaError>>()
        requestClosure(endpoint) { request.fulfil($0) }
        return request
    }

    /// Waits for a request closure that takes its time. A task that is cancelled meanwhile does not.
    private func wait(for request: OneShot<Result<URLRequest, MoyaError>>) async -> Result<URLRequest, MoyaError> {
        await withTaskCancellationHandler {
            await request.wait()
        } onCancel: { [cancelled] in
            request.fulfil(.failure(cancelled))
        }
    }

    /// Answers with a stub: at once, if it is an immediate one and there is no callback queue.
    private func stub(
        _ request: URLRequest,
        _ endpoint: Endpoint,
        _ behavior: StubBehavior,
        for target: Target,
        in scope: RequestScope?
    ) -> (answer: OneShot<Result<Response, MoyaError>>, token: CancellableToken) {
        let answer = OneShot<Result<Response, MoyaError>>()
        let isImmediate = if case .immediate = behavior { true } else { false }
        let token = RequestScope.run(in: scope, for: plugins) {
            answerWithStub(
                target,
                request: request,
                // The main queue has no part in what is awaited.
                callbackQueue: callbackQueue ?? (isImmediate ? nil : .global()),
                completion: { answer.fulfil($0) },
                endpoint: endpoint,
                stubBehavior: behavior
            )
        }
        return (answer, token)
    }

    private func wait(
        for answer: OneShot<Result<Response, MoyaError>>,
        _ token: CancellableToken
    ) async -> Result<Response, MoyaError> {
        await withTaskCancellationHandler {
            await answer.wait()
        } onCancel: {
            token.cancel()
        }
    }

    private func end(
        _ result: Result<Response, MoyaError>,
        for target: Target,
        in scope: RequestScope?
    ) async -> Result<Response, MoyaError> {
        await onCallbackQueue { [self] in
            show(result, for: target, in: scope)
            return process(result, for: target)
        }
    }

    private func onCallbackQueue(
        _ body: @escaping @Sendable () -> Result<Response, MoyaError>
    ) async -> Result<Response, MoyaError> {
        guard let callbackQueue else { return body() }
        let result = OneShot<Result<Response, MoyaError>>()
        callbackQueue.async { result.fulfil(body()) }
        return await result.wait()
    }
}
