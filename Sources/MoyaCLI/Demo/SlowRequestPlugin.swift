import Moya

/// Records when a request is about to be sent.
struct SlowRequestPlugin: PluginType {
    let slowRequests: SlowRequests

    func willSend(_ request: any RequestType, target: any TargetType) { slowRequests.note(.sent) }
}
