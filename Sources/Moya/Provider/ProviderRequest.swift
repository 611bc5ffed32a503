import Foundation

// Not nested in the generic class: metadata that depends on a type of the application is slow.

/// The next action of the task that waits for a request.
enum RequestTaskStep: Sendable {
    /// It sends the request.
    indirect case send(MappedRequest)
    /// It ends the request, which was cancelled before it could be sent.
    case cancelled(MoyaError)
    /// It returns the result.
    case end(Result<Response, MoyaError>)
}

/// The way in which the result reaches the caller.
enum ResultDelivery: Sendable {
    /// A new task sends the request. The completion gets the result on the caller's queue, or else on the main queue.
    case callback(Completion)
    /// The task that waits for the promise sends the request and returns the result.
    case task(Promise<RequestTaskStep>)
}

/// One call of a provider's API, from its target to its completion: the caller's side of the steps of a request.
final class ProviderRequest<Target: TargetType>: Sendable {
    let target: Target
    let endpoint: Endpoint
    /// Whether and when the request is stubbed.
    let stubBehavior: StubBehavior
    /// The queue that the caller has chosen, if any.
    let queue: DispatchQueue?
    let delivery: ResultDelivery
    /// Changes the mapped request before plugins see it.
    let adjust: (@Sendable (inout URLRequest) -> Void)?
    /// Returns the misuse of an execution that the called API does not support; called before anything is sent.
    let findMisuse: (@Sendable (TaskExecution) -> TargetMisuse?)?
    /// The request to the session that equal requests share; `nil` if it is not shared.
    let shared: SharedRequest?
    /// The identity of the request in its plugins' hooks, one for all callers of a shared request; `nil` if there is no plugin.
    let identity: RequestIdentity?
    /// Cancels the request for its caller.
    let token = CancellableToken()

    private let progress: OrderedProgress?

    init(
        _ target: Target,
        endpoint: Endpoint,
        plugins: [any PluginType],
        stubBehavior: StubBehavior,
        queue: DispatchQueue?,
        delivery: ResultDelivery,
        adjust: (@Sendable (inout URLRequest) -> Void)? = nil,
        findMisuse: (@Sendable (TaskExecution) -> TargetMisuse?)? = nil,
        progress: ProgressBlock? = nil,
        shared: SharedRequest? = nil
    ) {
        self.target = target
        self.endpoint = endpoint
        self.stubBehavior = stubBehavior
        self.queue = queue
        self.delivery = delivery
        self.adjust = adjust
        self.findMisuse = findMisuse
        self.shared = shared
        identity = if let shared { shared.identity } else { .make(for: plugins) }
        self.progress = progress.map { report in
            OrderedProgress(report: report, queue: DispatchQueue(label: "Moya.progress", target: queue ?? .main))
        }
    }

    /// Cancels the request to the session: the shared one, or the one of this caller.
    var sendingToken: CancellableToken { shared?.token ?? token }

    /// The queue on which results of the network arrive, unless a task waits for them.
    var resultQueue: DispatchQueue { progress?.queue ?? queue ?? .main }

    /// The queue for a result that arrives on an unknown thread.
    var fallbackResultQueue: DispatchQueue { if case .task = delivery { queue ?? .global() } else { resultQueue } }

    /// The queue for a stub; `nil` for the thread that makes the request.
    var stubQueue: DispatchQueue? {
        if case .task = delivery, case .delayed = stubBehavior { return queue ?? .global() }
        return queue
    }

    var hasProgressHandler: Bool { progress != nil }

    /// Whether a task waits for the request, and was cancelled.
    var isTaskCancelled: Bool { if case .task = delivery { _Concurrency.Task.isCancelled } else { false } }

    /// Reports progress, in order and before the result; does nothing after the end of the progress.
    func report(_ value: Progress) {
        guard let progress else { return }
        progress.queue.async {
            // A transport may still read the body of a request that was cancelled.
            let isRunning = progress.state.withLock { state in
                if !state.hasEnded { state.last = value }
                return !state.hasEnded
            }
            if isRunning { progress.report(ProgressResponse(progress: value)) }
        }
    }

    /// Ends the progress and, if `isReported`, reports its end, with the response if there is one.
    ///
    /// The result must follow on the same queue.
    func endProgress(_ result: Result<Response, MoyaError>, isReported: Bool) {
        guard let progress else { return }
        let last = progress.state.withLock { state in
            state.hasEnded = true
            return state.last
        }
        if isReported { progress.report(ProgressResponse(progress: last, response: try? result.get())) }
    }

    /// Passes the result to the caller.
    func deliver(_ result: Result<Response, MoyaError>) {
        switch delivery {
        case .callback(let completion): completion(result)
        case .task(let nextStep): nextStep.fulfill(.end(result))
        }
    }

    /// Calls a function on the caller's queue or, without one, immediately on the current thread.
    func onCallerQueue(_ body: @escaping @Sendable () -> Void) {
        if let queue { queue.async(execute: body) } else { body() }
    }
}

/// A progress closure with a serial queue, which keeps reports and the result in order if the caller's queue is concurrent.
private struct OrderedProgress: Sendable {
    let report: ProgressBlock
    let queue: DispatchQueue
    let state = Locked(State())

    struct State: Sendable {
        var last: Progress?
        var hasEnded = false
    }
}
