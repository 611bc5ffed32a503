import Foundation

/// The provider's part in the session's pipeline: in each attempt, plugins prepare the request and get `willSend`.
struct PluginPreparation: RequestPreparation {
    let plugins: [any PluginType]
    let target: any TargetType
    let identity: RequestIdentity?
    let execution: TaskExecution
    let session: Session
    /// Called with the request of each attempt.
    let onPrepared: (@Sendable (PluginRequest) -> Void)?

    func prepare(_ request: URLRequest, record: RequestRecord) throws -> URLRequest {
        let prepared = plugins.prepare(request, for: target)
        let pluginRequest = PluginRequest(prepared, sending: .execution(execution), session: session, record: record)
        onPrepared?(pluginRequest)
        plugins.willSend(pluginRequest, for: target, as: identity)
        if case .failure(let error) = execution { throw error }
        return prepared
    }
}
