import Foundation

// The callback door: who is told what, and where.
extension MoyaProvider {
    /// Requests a target, with the queue as it is given: the provider's own is not looked at.
    @preconcurrency
    public func requestNormal(
        _ target: Target,
        callbackQueue: DispatchQueue?,
        progress: Moya.ProgressBlock?,
        completion: @escaping Moya.Completion
    ) -> any Cancellable {
        let caller = RequestCaller(target: target, queue: callbackQueue, progress: progress, completion: completion)
        let endpoint = endpoint(target)
        let stubBehavior = stubClosure(target)
        if trackInflights {
            share(endpoint, stubBehavior, with: caller)
        } else {
            start(endpoint, stubBehavior, for: caller, token: caller.token) { [self] outcome in
                complete(caller, with: outcome)
            } progress: {
                caller.report($0)
            }
        }
        return caller.token
    }

    /// What a started request came to, told where the caller wants to hear of it.
    enum Outcome: Sendable {
        /// Nothing was sent, as there was no request to send.
        case unsent(Result<Response, MoyaError>)
        /// The network, or a stub, gave a result.
        case ended(Result<Response, MoyaError>)
    }

    /// Maps the endpoint and sends or stubs the request. `finish` is called once, on the caller's queue.
    func start(
        _ endpoint: Endpoint,
        _ stubBehavior: StubBehavior,
        for caller: RequestCaller<Target>,
        token: CancellableToken,
        finish: @escaping @Sendable (Outcome) -> Void,
        progress: @escaping @Sendable (Progress) -> Void
    ) {
        let mapped = OneShot<Void>()
        let scope = RequestScope.make(for: plugins)
        let cancelUnsent: @Sendable () -> Void = { [self] in
            cancelCompletion({ finish(.unsent($0)) }, target: caller.target, in: scope)
        }
        if trackInflights {
            // Who waits for an exchange does not wait for a request closure that takes its time.
            token.attach { if mapped.fulfil(()) { caller.resultQueue.async(execute: cancelUnsent) } }
        }
        requestClosure(endpoint) { [self] result in
            guard mapped.fulfil(()) else { return }
            guard !token.isCancelled else { return caller.hopIfAsked(cancelUnsent) }
            switch result {
            case .failure(let error):
                caller.hopIfAsked { [self] in finish(.unsent(.failure(named(error, for: caller.target)))) }
            case .success(let request):
                if case .never = stubBehavior {
                    switch transfer(of: endpoint, for: caller.target) {
                    case .failure(let error):
                        caller.hopIfAsked { finish(.unsent(.failure(error))) }
                    case .success(let transfer):
                        send(
                            request,
                            transfer,
                            for: caller,
                            in: scope,
                            token: token,
                            finish: finish,
                            progress: progress
                        )
                    }
                } else {
                    // An override can't be handed the scope.
                    let stub = RequestScope.run(in: scope, for: plugins) {
                        stubRequest(
                            caller.target,
                            request: request,
                            callbackQueue: caller.queue,
                            completion: { finish(.ended($0)) },
                            endpoint: endpoint,
                            stubBehavior: stubBehavior
                        )
                    }
                    token.attach { stub.cancel() }
                }
            }
        }
    }

    private func send(
        _ request: URLRequest,
        _ transfer: Transfer,
        for caller: RequestCaller<Target>,
        in scope: RequestScope?,
        token: CancellableToken,
        finish: @escaping @Sendable (Outcome) -> Void,
        progress: @escaping @Sendable (Progress) -> Void
    ) {
        let isWatched = caller.wantsProgress || trackInflights
        let task = _Concurrency.Task { [self] in
            let result = await exchange(
                request,
                transfer,
                for: caller.target,
                in: scope,
                note: { token.note($0) },
                progress: isWatched ? progress : nil
            )
            caller.resultQueue.async { [self] in
                // Also where the transport took no notice.
                let result = token.isCancelled ? .failure(cancelled) : result
                show(result, for: caller.target, in: scope)
                finish(.ended(result))
            }
        }
        token.attach { task.cancel() }
    }

    /// The last steps, on the caller's queue: final progress, plugins' changes, completion.
    func complete(_ caller: RequestCaller<Target>, with outcome: Outcome) {
        caller.token.detach()
        switch outcome {
        case .unsent(let result):
            caller.completion(process(result, for: caller.target))
        case .ended(let result):
            caller.reportEnd(result)
            caller.completion(process(result, for: caller.target))
        }
    }
}
