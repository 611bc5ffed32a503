import Foundation
import HTTPTypes

/// The properties of a request that the rules of the cache depend on.
struct CacheRequest: Sendable {
    let method: HTTPMethod
    let key: CacheKey
    let headers: HTTPFields
    let control: CacheControl
    /// The cache policy: `returnCacheDataDontLoad` if the cache is offline; otherwise that of the request or, if that is
    /// `useProtocolCachePolicy`, of the session's configuration.
    private(set) var policy: URLRequest.CachePolicy
    /// A fingerprint of the credentials and of the caller's `Host`; `nil` if there are neither.
    ///
    /// It is computed once, when it is first needed, because most requests find nothing stored.
    var credentials: String? { lazyCredentials?.value { Self.fingerprint(of: headers, user: user) } }

    /// The credential from which the session has created `Authorization`.
    private let user: UserCredential?
    private let hasCacheFields: Bool
    /// `nil` if the request has none of the fields that the cache reads.
    private let lazyCredentials: LazyValue<String?>?

    init(
        method: HTTPMethod,
        key: CacheKey,
        headers: HTTPFields = [:],
        user: UserCredential? = nil,
        policy: URLRequest.CachePolicy = .useProtocolCachePolicy
    ) {
        self.method = method
        self.key = key
        self.headers = headers
        self.user = user
        self.policy = policy
        hasCacheFields = Self.containsCacheFields(headers)
        lazyCredentials = hasCacheFields ? LazyValue() : nil
        control = hasCacheFields ? CacheControl(headers) : CacheControl([:])
    }

    /// Returns the request with the policy of a cache that is offline.
    func limitedToCache() -> CacheRequest {
        var limited = self
        limited.policy = .returnCacheDataDontLoad
        return limited
    }

    /// Returns whether there may be a field that this type reads; most requests have none.
    ///
    /// Selecting fields, which a `Vary` names, do not count (``SelectingFields``).
    static func containsCacheFields(_ headers: HTTPFields) -> Bool {
        headers.contains { field in
            let name = field.name.canonicalName
            // The length rules out most other names.
            return switch name.utf8.count {
            case 4: name == "host"
            case 5: name == "range"
            case 6: name == "pragma"
            case 8, 13, 17, 19: name.hasPrefix("if-") || name == "cache-control" || name == "authorization"
            default: false
            }
        }
    }

    /// The requested range (RFC 9110, section 14.2).
    var range: String? { hasCacheFields ? headers[.range] : nil }

    /// Whether the policy excludes responses from the server.
    var isLimitedToCache: Bool { policy == .returnCacheDataDontLoad }

    /// Whether any stored response may be used, whatever its age.
    var canUseAnyStored: Bool { policy == .returnCacheDataElseLoad || policy == .returnCacheDataDontLoad }

    /// Whether the policy excludes stored responses.
    var isReload: Bool {
        policy == .reloadIgnoringLocalCacheData || policy == .reloadIgnoringLocalAndRemoteCacheData
    }

    /// Whether the policy requires a response or a confirmation of the server.
    var requiresServer: Bool { isReload || policy == .reloadRevalidatingCacheData }

    /// Whether the request requires a validated response (RFC 9111, sections 5.2.1.4 and 5.4).
    var isValidationRequired: Bool {
        hasCacheFields
            // In a request, `no-cache` with field names has the same effect as `no-cache` alone.
            && (control.noCache || !control.noCacheFields.isEmpty
                || (!control.isPresent && headers[values: .pragma].contains { $0.lowercased().contains("no-cache") }))
    }

    /// Whether the request has conditions that only the server can check (RFC 9110, section 13.1).
    var hasServerConditions: Bool {
        hasCacheFields && (headers.contains(.ifMatch) || headers.contains(.ifUnmodifiedSince))
    }

    /// Whether the request has conditions that a stored response can be compared with.
    var hasConditions: Bool {
        hasCacheFields && (headers.contains(.ifNoneMatch) || headers.contains(.ifModifiedSince))
    }

    /// Whether equal requests may wait for the response to this one and use it.
    var isShareable: Bool {
        method == .get && !requiresServer && !control.noStore && !isValidationRequired && !hasConditions
            && !hasServerConditions && range == nil
    }

    /// Returns a fingerprint of the user's credentials, and of the host that the caller has set in place of the URL's.
    private static func fingerprint(of headers: HTTPFields, user: UserCredential?) -> String? {
        let credentials = identity(in: headers, user: user)
        guard let host = headers[text: .hostField]?.storable else {
            return credentials.map { SHA256.hash($0).hexadecimal }
        }
        // Credentials do not begin with a line break.
        return SHA256.hash("\n\(host)\n\(credentials ?? "")").hexadecimal
    }

    /// Returns the part of the credentials that identifies the user.
    ///
    /// For Digest this is the user name, the realm and, if the session knows it, the password, because the response differs for
    /// each request.
    private static func identity(in headers: HTTPFields, user: UserCredential?) -> String? {
        guard headers.contains(.authorization), let value = headers[text: .authorization] else { return nil }
        var text = value.storable
        if value.text.lowercased().hasPrefix("digest ") {
            let parameters = ChallengeParser.challenges(in: [text]).first?.parameters ?? []
            let identity = parameters.filter { ["username", "username*", "realm"].contains($0.name.lowercased()) }
            text =
                "digest "
                + identity.map { "\($0.name.lowercased())=\($0.text.storable)" }.sorted().joined(separator: "\n")
            if let user { text += "\npassword=\(user.password)" }
        }
        return text
    }
}
