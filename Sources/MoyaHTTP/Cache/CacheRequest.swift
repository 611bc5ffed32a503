import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the cache's rules need to know of a request.
struct CacheRequest: Sendable {
    let method: HTTPMethod
    let key: CacheKey
    let headers: HTTPFields
    let control: CacheControl
    /// The policy, which is never `useProtocolCachePolicy` if the session's configuration has another one.
    let policy: URLRequest.CachePolicy
    /// A fingerprint of the credentials that are sent; `nil` if there are no credentials.
    ///
    /// It is a hash, computed each time: most requests find nothing stored and do not need it.
    var credentials: String? { Self.fingerprint(of: headers) }

    init(
        method: HTTPMethod,
        key: CacheKey,
        headers: HTTPFields = [:],
        policy: URLRequest.CachePolicy = .useProtocolCachePolicy
    ) {
        self.method = method
        self.key = key
        self.headers = headers
        self.policy = policy
        control = CacheControl(headers)
    }

    /// Whether only the cache may be asked, because the application says so.
    var isOnlyStored: Bool { policy == .returnCacheDataDontLoad }

    /// Whether any stored response will do, however old it is.
    var acceptsAnyStored: Bool { policy == .returnCacheDataElseLoad || policy == .returnCacheDataDontLoad }

    /// Whether stored responses are not used.
    var isReload: Bool {
        policy == .reloadIgnoringLocalCacheData || policy == .reloadIgnoringLocalAndRemoteCacheData
    }

    /// Whether the request wants a validated response (RFC 9111, sections 5.2.1.4 and 5.4).
    var wantsValidation: Bool {
        control.noCache
            || (!control.isPresent && headers[values: .pragma].contains { $0.lowercased().contains("no-cache") })
    }

    /// Whether the request has conditions that only the server can check (RFC 9110, section 13.1).
    var hasServerConditions: Bool { headers.contains(.ifMatch) || headers.contains(.ifUnmodifiedSince) }

    /// Whether the request has conditions that a stored response can be compared with.
    var hasConditions: Bool { headers.contains(.ifNoneMatch) || headers.contains(.ifModifiedSince) }

    /// The credentials are those of a user: a Digest response is another one for each request.
    private static func fingerprint(of headers: HTTPFields) -> String? {
        guard headers.contains(.authorization), let value = headers[.authorization] else { return nil }
        var text = value
        if value.lowercased().hasPrefix("digest ") {
            let parameters = ChallengeParser.challenges(in: [value]).first?.parameters ?? []
            let identity = parameters.filter { ["username", "username*", "realm"].contains($0.name.lowercased()) }
            text = "digest " + identity.map { "\($0.name.lowercased())=\($0.value)" }.sorted().joined(separator: "\n")
        }
        return SHA256.hash(text).hexadecimal
    }
}

extension HTTPField.Name {
    /// `Pragma`, whose `no-cache` is what HTTP/1.0 had (RFC 9111, section 5.4).
    static let pragma = HTTPField.Name("Pragma")!
}

extension CacheKey {
    /// Creates the key of a URL.
    public init(_ url: URL) { self.init(normalized: Self.normalized(url)) }

    private static func normalized(_ url: URL) -> String {
        var text = url.absoluteString
        if let fragment = text.utf8.firstIndex(of: UInt8(ascii: "#")) { text = String(text[..<fragment]) }
        guard let colon = text.range(of: "://") else { return text }
        let rest = text[colon.upperBound...]
        let end = rest.utf8.firstIndex { "/?".utf8.contains($0) } ?? rest.endIndex
        let scheme = text[..<colon.lowerBound].lowercased()
        var authority = rest[..<end].lowercased()
        if let standard = ["http": ":80", "https": ":443"][scheme], authority.hasSuffix(standard) {
            authority.removeLast(standard.utf8.count)
        }
        let path = rest[end...]
        return "\(scheme)://\(authority)\(path.hasPrefix("/") ? "" : "/")\(path)"
    }
}
