import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The properties of a request that the rules of the cache depend on.
struct CacheRequest: Sendable {
    let method: HTTPMethod
    let key: CacheKey
    let headers: HTTPFields
    let control: CacheControl
    /// The cache policy of the request or, if that is `useProtocolCachePolicy`, of the session's configuration.
    let policy: URLRequest.CachePolicy
    /// A fingerprint of the credentials that are sent; `nil` if there are no credentials.
    ///
    /// It is computed when it is needed, because most requests find nothing stored.
    var credentials: String? { hasFieldsForCaches ? Self.fingerprint(of: headers) : nil }

    /// Whether the request has a field that the rules depend on; most requests have none.
    private let hasFieldsForCaches: Bool

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
        hasFieldsForCaches = Self.hasFieldsForCaches(headers)
        control = hasFieldsForCaches ? CacheControl(headers) : CacheControl([:])
    }

    /// Returns whether there is a field that the rules depend on.
    static func hasFieldsForCaches(_ headers: HTTPFields) -> Bool {
        headers.contains { field in
            let name = field.name.canonicalName
            // The length rules out most other names.
            return switch name.utf8.count {
            case 5: name == "range"
            case 6: name == "pragma"
            case 8, 13, 17, 19: name.hasPrefix("if-") || name == "cache-control" || name == "authorization"
            default: false
            }
        }
    }

    /// The requested range (RFC 9110, section 14.2).
    var range: String? { hasFieldsForCaches ? headers[.range] : nil }

    /// Whether the policy excludes responses from the server.
    var isLimitedToCache: Bool { policy == .returnCacheDataDontLoad }

    /// Whether any stored response may be used, whatever its age.
    var canUseAnyStored: Bool { policy == .returnCacheDataElseLoad || policy == .returnCacheDataDontLoad }

    /// Whether the policy excludes stored responses.
    var isReload: Bool {
        policy == .reloadIgnoringLocalCacheData || policy == .reloadIgnoringLocalAndRemoteCacheData
    }

    /// Whether the request requires a validated response (RFC 9111, sections 5.2.1.4 and 5.4).
    var isValidationRequired: Bool {
        hasFieldsForCaches
            // In a request, `no-cache` with field names has the same effect as `no-cache` alone.
            && (control.noCache || !control.noCacheFields.isEmpty
                || (!control.isPresent && headers[values: .pragma].contains { $0.lowercased().contains("no-cache") }))
    }

    /// Whether the request has conditions that only the server can check (RFC 9110, section 13.1).
    var hasServerConditions: Bool {
        hasFieldsForCaches && (headers.contains(.ifMatch) || headers.contains(.ifUnmodifiedSince))
    }

    /// Whether the request has conditions that a stored response can be compared with.
    var hasConditions: Bool {
        hasFieldsForCaches && (headers.contains(.ifNoneMatch) || headers.contains(.ifModifiedSince))
    }

    /// Returns a fingerprint of the user's credentials.
    ///
    /// For Digest it covers the user name and the realm, because the response differs for each request.
    private static func fingerprint(of headers: HTTPFields) -> String? {
        guard headers.contains(.authorization), let value = headers[text: .authorization] else { return nil }
        var text = value.storable
        if value.text.lowercased().hasPrefix("digest ") {
            let parameters = ChallengeParser.challenges(in: [text]).first?.parameters ?? []
            let identity = parameters.filter { ["username", "username*", "realm"].contains($0.name.lowercased()) }
            text =
                "digest "
                + identity.map { "\($0.name.lowercased())=\($0.text.storable)" }.sorted().joined(separator: "\n")
        }
        return SHA256.hash(text).hexadecimal
    }
}

extension HTTPField.Name {
    /// `Pragma`, with the `no-cache` directive of HTTP/1.0 (RFC 9111, section 5.4).
    static let pragma = HTTPField.Name("Pragma")!
}

extension CacheKey {
    /// Creates the key of a URL.
    public init(_ url: URL) { self.init(normalized: Self.normalized(url)) }

    private static func normalized(_ url: URL) -> String {
        var text = url.absoluteString
        guard let form = text.withUTF8({ URLForm($0) }), !form.isNormal else { return text }
        let bytes = Array(text.utf8)
        let head = String(decoding: bytes[..<form.headEnd], as: UTF8.self).lowercased()
        let rest = String(decoding: bytes[form.rest], as: UTF8.self)
        return "\(head)\(form.hasPath ? "" : "/")\(rest)"
    }

    /// The bytes of a URL compared with its normal form.
    private struct URLForm {
        /// Whether the URL is in normal form, as most URLs are.
        let isNormal: Bool
        /// The end of scheme, host and port, without a standard port.
        let headEnd: Int
        /// Path and query.
        let rest: Range<Int>
        let hasPath: Bool

        /// Parses a URL; `nil` if it has no authority.
        init?(_ bytes: UnsafeBufferPointer<UInt8>) {
            let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
            guard let colon = bytes[..<end].firstIndex(of: UInt8(ascii: ":")),
                bytes[colon..<end].starts(with: "://".utf8)
            else { return nil }
            var index = colon + 3
            while index < end, bytes[index] != UInt8(ascii: "/"), bytes[index] != UInt8(ascii: "?") { index += 1 }
            rest = index..<end
            hasPath = index < end && bytes[index] == UInt8(ascii: "/")
            // `http:` and `https:`
            let port = colon == 4 ? ":80" : ":443"
            let hasStandardPort = bytes[colon + 3..<index].suffix(port.utf8.count).elementsEqual(port.utf8)
            headEnd = hasStandardPort ? index - port.utf8.count : index
            let isLowercase = bytes[..<index].allSatisfy { !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            isNormal = hasPath && !hasStandardPort && isLowercase && end == bytes.count
        }
    }
}
