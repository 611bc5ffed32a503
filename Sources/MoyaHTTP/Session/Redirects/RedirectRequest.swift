import Foundation
import HTTPTypes

/// A request as far as redirects change it.
public struct RedirectRequest: Hashable, Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The absolute URL.
    public var url: URL
    /// The headers, as they were before interceptors and cookies added theirs for a hop.
    public var headers: HTTPFields
    /// Whether the original request's body goes along.
    public var hasBody: Bool

    /// Makes a request.
    public init(method: HTTPMethod = .get, url: URL, headers: HTTPFields = [:], hasBody: Bool = false) {
        self.method = method
        self.url = url
        self.headers = headers
        self.hasBody = hasBody
    }

    /// Takes the body away, and the headers that are about it (RFC 9110, section 15.4, step 5).
    mutating func removeBody() {
        hasBody = false
        headers.removeAll { $0.name.isAboutContent }
    }

    /// Takes away what must not cross an origin (RFC 9110, section 15.4, steps 2 and 3).
    mutating func removeSecrets(and names: Set<HTTPField.Name>) {
        headers.removeAll { HTTPField.Name.boundToOrigin.contains($0.name) || names.contains($0.name) }
    }
}

extension HTTPField.Name {
    /// The headers that belong to one origin, whoever set them.
    fileprivate static let boundToOrigin: Set<HTTPField.Name> = Set(
        ["Authorization", "Cookie", "Cookie2", "Proxy-Authorization", "Host", "Origin", "Referer"].compactMap {
            HTTPField.Name($0)
        }
    )

    /// Whether a request without a body has no use for it.
    fileprivate var isAboutContent: Bool {
        canonicalName.hasPrefix("content-") || Self.aboutContent.contains(canonicalName)
    }

    private static let aboutContent: Set<String> = [
        "digest", "repr-digest", "last-modified", "transfer-encoding", "trailer", "expect",
    ]
}
