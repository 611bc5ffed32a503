/// What ``NetworkActivityPlugin`` tells.
public enum NetworkActivityChangeType: Sendable {
    /// A request is about to be sent.
    case began
    /// That request has its result.
    case ended
}

/// Tells when requests begin and end, for an indicator of network activity.
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
/// Each `.began` is followed by exactly one `.ended`, however often the request is repeated between, and there is no
/// `.ended` without its `.began`: of a request that is cancelled before it is sent nothing is told. Requests that share one
/// exchange count as one. So whoever counts up and down is at zero when nothing is under way.
public final class NetworkActivityPlugin: PluginType {
    /// Hears of a change. It is called where the hooks are: `.began` anywhere, `.ended` on the callback queue.
    @preconcurrency
    public typealias NetworkActivityClosure =
        @Sendable (
            _ change: NetworkActivityChangeType, _ target: any TargetType
        ) -> Void

    private let networkActivityClosure: NetworkActivityClosure
    private let activity = Locked(NetworkActivity())

    /// Makes a plugin. It may be in several providers.
    @preconcurrency
    public init(networkActivityClosure: @escaping NetworkActivityClosure) {
        self.networkActivityClosure = networkActivityClosure
    }

    /// Tells that the request begins, unless this is only another try.
    public func willSend(_ request: any RequestType, target: any TargetType) {
        let begins = activity.withLock { $0.sends(.current) }
        if begins { networkActivityClosure(.began, target) }
    }

    /// Tells that the request ends, if it had begun.
    public func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) {
        let ends = activity.withLock { $0.receives(.current) }
        if ends { networkActivityClosure(.ended, target) }
    }
}
