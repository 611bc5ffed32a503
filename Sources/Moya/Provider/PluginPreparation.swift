import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The provider's part in the session's pipeline: in each attempt, plugins prepare the request and get `willSend`.
struct PluginPreparation: RequestPreparation {
    let plugins: [any PluginType]
    let target: any TargetType
    let identity: RequestIdentity?
    let transfer: Transfer
    let session: Session
    /// Called with the request of each attempt.
    let onPrepare: @Sendable (PluginRequest) -> Void

    func prepare(_ request: URLRequest, record: RequestRecord) throws -> URLRequest {
        let prepared = plugins.prepare(request, for: target)
        let sent = PluginRequest(prepared, sending: .transfer(transfer), session: session, record: record)
        onPrepare(sent)
        plugins.willSend(sent, for: target, as: identity)
        if case .failure(let error) = transfer { throw error }
        return prepared
    }
}
