import Foundation

/// The request that plugins receive in ``PluginType/willSend(_:target:)``.
package struct PluginRequest: RequestType {
    /// The content that is sent besides the request; the execution is computed on demand.
    enum Content: Sendable {
        case execution(TaskExecution)
        /// The endpoint of a stub, for which no execution is created.
        case endpoint(Endpoint)
        /// The target of a stub whose endpoint is not available.
        case target(any TargetType)

        var execution: TaskExecution? {
            switch self {
            case .execution(let execution): execution
            // A form that cannot be sent does not fail a stub.
            case .endpoint(let endpoint): try? endpoint.execution()
            case .target(let target): try? target.task.execution(method: target.method)
            }
        }
    }

    package let request: URLRequest?
    private let content: Content
    private let session: Session
    /// The session's record; `nil` for a stub, which has neither challenges nor retries.
    private let record: RequestRecord?

    init(_ request: URLRequest, sending content: Content, session: Session, record: RequestRecord? = nil) {
        self.request = request
        self.content = content
        self.session = session
        self.record = record
    }

    /// The outcome of the previous attempt, after which the request is sent again; `nil` in the first attempt.
    var retriedOutcome: RequestAttempt.Outcome? { record?.retriedOutcome }

    @discardableResult
    package func authenticate(
        username: String,
        password: String,
        persistence: URLCredential.Persistence
    ) -> PluginRequest {
        authenticate(with: URLCredential(user: username, password: password, persistence: persistence))
    }

    @discardableResult
    package func authenticate(with credential: URLCredential) -> PluginRequest {
        record?.setCredential(credential)
        return self
    }

    package var sessionHeaders: [String: String] { session.sessionHeaders }

    @discardableResult
    package func cURLDescription(calling handler: @escaping (String) -> Void) -> PluginRequest {
        handler(curlText())
        return self
    }

    /// Returns the request as a `curl` command.
    func curlText(mask: SecretMask = .standard) -> String {
        let execution = content.execution
        return CURLCommand.text(
            for: typed(execution),
            content: execution?.curlContent,
            sessionHeaders: session.headers(addedTo: request),
            mask: mask
        )
    }

    /// The request as it is sent, with its body.
    package var sent: (request: URLRequest?, body: HTTPBody?) {
        let execution = content.execution
        let request = typed(execution)
        if case .upload(let body, _) = execution { return (request, body) }
        return (request, request?.httpBody.map { .data($0) })
    }

    /// Returns the request with the content type of the execution.
    private func typed(_ execution: TaskExecution?) -> URLRequest? {
        // A live request already has its content type, unless a plugin changed it.
        if case .execution = content { return request }
        var request = request
        if let execution { request?.setContentType(of: execution) }
        return request
    }
}
