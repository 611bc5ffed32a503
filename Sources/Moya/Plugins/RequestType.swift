import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request about to be sent, as plugins see it.
@preconcurrency
public protocol RequestType: Sendable {
    /// The request, after all plugins have prepared it.
    var request: URLRequest? { get }

    /// The headers that the session adds where the request has none of that name.
    var sessionHeaders: [String: String] { get }

    /// Answers the server's challenges to this request with a user name and a password.
    ///
    /// - Parameter persistence: With `.none` they are for this request; otherwise the session remembers them for the
    ///   protection space that asked.
    @discardableResult
    func authenticate(username: String, password: String, persistence: URLCredential.Persistence) -> Self

    /// Answers the server's challenges to this request with a credential.
    @discardableResult
    func authenticate(with credential: URLCredential) -> Self

    /// Gives the request as a `curl` command for a shell, with credentials masked. The handler is called before the
    /// function returns.
    @discardableResult
    func cURLDescription(calling handler: @escaping (String) -> Void) -> Self
}

extension Request: RequestType {}

/// What plugins get in ``PluginType/willSend(_:target:)``.
package struct PreparedRequest: RequestType {
    /// What is sent besides the request. Nothing is made of it before somebody asks.
    enum Content: Sendable {
        case transfer(Transfer)
        /// Of a stub, for which no transfer is made.
        case endpoint(Endpoint)
        /// Of a stub whose endpoint is not at hand.
        case target(any TargetType)

        var transfer: Transfer? {
            switch self {
            case .transfer(let transfer): transfer
            // A form that can't be sent is no failure of a stub.
            case .endpoint(let endpoint): try? endpoint.transfer()
            case .target(let target): try? target.task.transfer(method: target.method)
            }
        }
    }

    package let request: URLRequest?
    private let content: Content
    private let session: Session
    /// A stub answers no challenge, and has none.
    private let state: RequestState?

    init(_ request: URLRequest, sending content: Content, session: Session, state: RequestState? = nil) {
        self.request = request
        self.content = content
        self.session = session
        self.state = state
    }

    @discardableResult
    package func authenticate(
        username: String,
        password: String,
        persistence: URLCredential.Persistence
    ) -> PreparedRequest {
        authenticate(with: URLCredential(user: username, password: password, persistence: persistence))
    }

    @discardableResult
    package func authenticate(with credential: URLCredential) -> PreparedRequest {
        state?.setCredential(credential)
        return self
    }

    package var sessionHeaders: [String: String] { session.sessionHeaders }

    @discardableResult
    package func cURLDescription(calling handler: @escaping (String) -> Void) -> PreparedRequest {
        handler(curlText())
        return self
    }

    /// The request as a `curl` command.
    func curlText(mask: SecretMask = .standard) -> String {
        let transfer = content.transfer
        return CURLCommand.text(
            for: typed(transfer),
            content: transfer?.curlContent,
            sessionHeaders: sessionHeaders,
            mask: mask
        )
    }

    /// The request as it is sent, and its body.
    package var sent: (request: URLRequest?, body: HTTPBody?) {
        let transfer = content.transfer
        let request = typed(transfer)
        if case .upload(let body, _) = transfer { return (request, body) }
        return (request, request?.httpBody.map { .data($0) })
    }

    /// With the content type of what is transferred.
    private func typed(_ transfer: Transfer?) -> URLRequest? {
        // What is prepared for a live one has it, unless a plugin thought otherwise.
        if case .transfer = content { return request }
        var request = request
        if let transfer { request?.setContentType(of: transfer) }
        return request
    }
}
