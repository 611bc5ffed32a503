/// A change that ``NetworkActivityPlugin`` reports.
public enum NetworkActivityChangeType: Sendable {
    /// A request is about to be sent.
    case began
    /// A request has its result.
    case ended
}

/// Reports when requests begin and end, for a network activity indicator.
///
///     let provider = MoyaProvider<GitHub>(plugins: [
///         NetworkActivityPlugin { change, target in
///             switch change {
///             case .began: indicator.show()
///             case .ended: indicator.hide()
///             }
///         }
///     ])
///
/// Each `.began` is followed by exactly one `.ended`, regardless of retries, and there is no `.ended` without a
/// `.began`: a request that is cancelled before it is sent is not reported. Equal requests that are sent once count as
/// one. So a counter is zero when no request is in progress.
public final class NetworkActivityPlugin: PluginType {
    /// Receives a change; `.began` on any thread, `.ended` on the callback queue.
    @preconcurrency
    public typealias NetworkActivityClosure =
        @Sendable (
            _ change: NetworkActivityChangeType, _ target: any TargetType
        ) -> Void

    private let networkActivityClosure: NetworkActivityClosure
    private let activity = Locked(NetworkActivity())

    /// Creates a plugin, which can be used in several providers.
    @preconcurrency
    public init(networkActivityClosure: @escaping NetworkActivityClosure) {
        self.networkActivityClosure = networkActivityClosure
    }

    /// Reports that the request begins, for its first attempt.
    public func willSend(_ request: any RequestType, target: any TargetType) {
        let isFirst = activity.withLock { $0.recordAttempt(of: .current) }
        if isFirst { networkActivityClosure(.began, target) }
    }

    /// Reports that the request ends, if it had begun.
    public func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) {
        let isEnd = activity.withLock { $0.recordResult(of: .current) }
        if isEnd { networkActivityClosure(.ended, target) }
    }
}

/// The requests that have begun and not ended.
struct NetworkActivity: Equatable, Sendable {
    private var open: Set<RequestIdentity> = []
    /// The number of requests begun by callers that run the hooks without a provider, which have no identity.
    private var unknownRequests = 0

    /// Records that an attempt is about to be sent, and returns whether it is the first one of its request.
    mutating func recordAttempt(of request: RequestIdentity?) -> Bool {
        guard let request else {
            unknownRequests += 1
            return true
        }
        return open.insert(request).inserted
    }

    /// Records a result, and returns whether a request that had begun ends with it.
    mutating func recordResult(of request: RequestIdentity?) -> Bool {
        guard let request else {
            defer { unknownRequests = max(0, unknownRequests - 1) }
            return unknownRequests > 0
        }
        return open.remove(request) != nil
    }
}
