import Foundation

/// A request about to be sent, as plugins see it.
@preconcurrency
public protocol RequestType: Sendable {
    /// The request, after all plugins have prepared it.
    var request: URLRequest? { get }

    /// The headers that the session adds where the request has none of that name.
    var sessionHeaders: [String: String] { get }

    /// Gives the request as a `curl` command for a shell, with credentials masked. The handler is called before the
    /// function returns.
    @discardableResult
    func cURLDescription(calling handler: @escaping (String) -> Void) -> Self
}

extension Request: RequestType {}

/// What plugins get in ``PluginType/willSend(_:target:)``.
struct PreparedRequest: RequestType {
    let request: URLRequest?
    private let session: Session

    init(_ request: URLRequest, session: Session) {
        self.request = request
        self.session = session
    }

    var sessionHeaders: [String: String] { session.sessionHeaders }

    @discardableResult
    func cURLDescription(calling handler: @escaping (String) -> Void) -> PreparedRequest {
        handler(CURLCommand.text(for: request, sessionHeaders: sessionHeaders))
        return self
    }
}
