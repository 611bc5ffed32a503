import Foundation

/// One call of a provider's API, from its target to its completion: the caller's side of the steps of a request.
final class ProviderRequest<Target: TargetType>: Sendable {
    let target: Target
    let endpoint: Endpoint
    /// Whether and when the request is stubbed.
    let stubBehavior: StubBehavior
    /// The queue that the caller has chosen, if any.
    let queue: DispatchQueue?
    /// The caller, who gets the result.
    let caller: RequestCaller
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
        adjust: (@Sendable (inout URLRequest) -> Void)? = nil,
        findMisuse: (@Sendable (TaskExecution) -> TargetMisuse?)? = nil,
        progress: ProgressBlock? = nil,
        shared: SharedRequest? = nil,
        caller: RequestCaller
    ) {
        self.target = target
        self.endpoint = endpoint
        self.stubBehavior = stubBehavior
        self.queue = queue
        self.caller = caller
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

    /// Whether the task of the caller waits for the result, and so does not depend on the thread of the completion.
    private var isAwaited: Bool { if case .task = caller { true } else { false } }

    /// The queue for a result that arrives on an unknown thread.
    var resultQueue: DispatchQueue { progress?.queue ?? queue ?? (isAwaited ? .global() : .main) }

    /// The queue for a stub; `nil` for the thread that makes the request or, after a delay, for the main queue.
    var stubQueue: DispatchQueue? { if isAwaited, case .delayed = stubBehavior { resultQueue } else { queue } }

    var hasProgressHandler: Bool { progress != nil }

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

    /// Ends the progress and, if `reportsProgress`, reports its end, with the response if there is one.
    ///
    /// It must be called on the queue of the result, before the result.
    func endProgress(_ result: Result<Response, MoyaError>, reportsProgress: Bool) {
        guard let progress else { return }
        let last = progress.state.withLock { state in
            state.hasEnded = true
            return state.last
        }
        if reportsProgress { progress.report(ProgressResponse(progress: last, response: try? result.get())) }
    }

    /// Calls a function on the caller's queue or, without one, immediately on the current thread.
    func runOnCallerQueue(_ body: @escaping @Sendable () -> Void) {
        if let queue { queue.async(execute: body) } else { body() }
    }
}

// Not nested in the generic class: metadata that depends on a type of the application is slow.

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
