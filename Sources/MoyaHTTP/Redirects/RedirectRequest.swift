import Foundation
import HTTPTypes

/// The parts of a request that redirects may change.
public struct RedirectRequest: Hashable, Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The absolute URL.
    public var url: URL
    /// The headers of the first request of the attempt, as adapters made it and with those of the session, and with the changes of
    /// redirects; without cookies of a storage, and without changes of adapters after a redirect.
    public var headers: HTTPFields
    /// Whether the body of the original request is sent.
    public var hasBody: Bool

    /// Creates a request.
    public init(method: HTTPMethod = .get, url: URL, headers: HTTPFields = [:], hasBody: Bool = false) {
        self.method = method
        self.url = url
        self.headers = headers
        self.hasBody = hasBody
    }

    /// Removes the body, the headers that describe it (RFC 9110, section 15.4, step 5), and the key of a request that is not repeated.
    mutating func removeBody() {
        hasBody = false
        headers.removeAll { $0.name.isAboutContent || $0.name.canonicalName == "idempotency-key" }
    }

    /// Removes the headers that must not be sent to another origin (RFC 9110, section 15.4, steps 2 and 3).
    mutating func removeSecrets(and names: Set<HTTPField.Name>) {
        headers.removeAll { HTTPField.Name.boundToOrigin.contains($0.name) || names.contains($0.name) }
    }
}

extension HTTPField.Name {
    /// The headers that belong to one origin, regardless of who set them.
    fileprivate static let boundToOrigin: Set<HTTPField.Name> = Set(
        ["Authorization", "Cookie", "Cookie2", "Proxy-Authorization", "Host", "Origin", "Referer"].compactMap {
            HTTPField.Name($0)
        }
    )

    /// Whether the header is meaningless without a body.
    fileprivate var isAboutContent: Bool {
        canonicalName.hasPrefix("content-") || Self.aboutContent.contains(canonicalName)
    }

    private static let aboutContent: Set<String> = [
        "digest", "repr-digest", "last-modified", "transfer-encoding", "trailer", "expect",
    ]
}

extension RedirectRequest {
    /// Creates the part of a transport request that redirects may change.
    init(_ request: TransportRequest) {
        self.init(method: request.method, url: request.url, headers: request.headers, hasBody: request.body != nil)
    }
}

extension TransportRequest {
    /// Returns the request that follows a redirect.
    ///
    /// It has exactly the headers of `redirect`, which include those of the session unless they must not be sent to
    /// another origin.
    func following(_ redirect: RedirectRequest) -> TransportRequest {
        var request = self
        request.method = redirect.method
        request.url = redirect.url
        request.headers = redirect.headers
        if !redirect.hasBody { request.body = nil }
        return request
    }
}
