import Foundation
import MoyaPublicSuffixList

/// The rules for a received cookie that do not depend on other cookies (RFC 6265bis, section 5.7, up to step 22).
struct CookieRules: Sendable {
    var publicSuffixes: PublicSuffixList
    var lifetime: TimeInterval
    var trustsLoopback: Bool

    /// Returns the cookie of a `Set-Cookie` field.
    ///
    /// It may have expired at `now`, in which case it removes an existing cookie.
    func receive(
        _ field: [UInt8],
        from origin: CookieOrigin,
        at now: Date,
        context: CookieContext
    ) throws(CookieError) -> Cookie {
        let received = try SetCookieParser.parse(field)
        guard !received.name.isEmpty || !received.value.isEmpty else { throw .empty }
        let (domain, isHostOnly) = try domain(of: received, origin)
        var cookie = Cookie(
            name: received.name,
            value: received.value,
            domain: domain,
            isHostOnly: isHostOnly,
            path: received.path.flatMap { $0.isEmpty ? nil : $0 } ?? CookiePath.defaultPath(for: origin.path),
            expires: expiry(received.lifetime, at: now),
            isSecure: received.isSecure,
            isHTTPOnly: received.isHTTPOnly,
            sameSite: received.sameSite,
            creation: now
        )
        (cookie.nameText, cookie.valueText) = (received.nameText, received.valueText)
        // The standard does not limit the default path, but a long URL must not consume much memory.
        guard cookie.path.utf8.count <= SetCookieParser.maximumAttributeLength else { throw .tooLong }
        guard !cookie.isSecure || origin.isSecure else { throw .insecureConnection }
        guard cookie.sameSite == .none || context.isSameSite || context.isTopLevelNavigation else { throw .crossSite }
        try checkNames(cookie, hasPath: received.path != nil)
        if cookie.expires.map({ $0 <= now }) == true { cookie.expires = .distantPast }
        return cookie
    }

    /// Validates a cookie from the application or from a file.
    func check(_ cookie: Cookie) throws(CookieError) {
        guard !cookie.name.isEmpty || !cookie.value.isEmpty else { throw .empty }
        let texts = [cookie.name, cookie.value, cookie.path]
        guard !texts.contains(where: { $0.utf8.contains(where: SetCookieParser.isControl) }) else {
            throw .controlCharacter
        }
        guard cookie.nameText.count + cookie.valueText.count <= SetCookieParser.maximumNameAndValueLength,
            cookie.path.utf8.count <= SetCookieParser.maximumAttributeLength
        else { throw .tooLong }
        // It must be unchanged by a round trip through Set-Cookie.
        guard !cookie.name.utf8.contains(UInt8(ascii: "=")), cookie.path.utf8.first == UInt8(ascii: "/"),
            [cookie.name, cookie.value].allSatisfy(Self.isWhole),
            [cookie.creation, cookie.lastAccess, cookie.expires ?? cookie.creation].allSatisfy({
                $0.timeIntervalSinceReferenceDate.isFinite
            })
        else { throw .malformed }
        guard CookieHost(cookie.domain)?.name == cookie.domain else { throw .invalidDomain }
        guard cookie.isHostOnly || !publicSuffixes.isPublicSuffix(cookie.domain) else { throw .publicSuffix }
        try checkNames(cookie, hasPath: true)
    }

    /// Returns whether a server could have set the cookie.
    func isAllowed(_ cookie: Cookie) -> Bool { (try? check(cookie)) != nil }

    /// Returns an expiration time that is limited to the maximum lifetime (section 5.5).
    func shortened(_ expires: Date?, at now: Date) -> Date? {
        expires.map { min($0, now.addingTimeInterval(lifetime)) }
    }

    /// Returns the expiration time (step 6, sections 5.6.1 and 5.6.2).
    private func expiry(_ lifetime: SetCookie.Lifetime, at now: Date) -> Date? {
        guard let maxAge = lifetime.maxAge else { return shortened(lifetime.expires, at: now) }
        return maxAge > 0 ? shortened(now.addingTimeInterval(TimeInterval(maxAge)), at: now) : .distantPast
    }

    /// Returns the domain of the cookie (steps 7 to 10).
    private func domain(
        of received: SetCookie,
        _ origin: CookieOrigin
    ) throws(CookieError) -> (domain: String, isHostOnly: Bool) {
        let host = origin.host.name
        guard let attribute = received.domain, !attribute.isEmpty else { return (host, true) }
        guard attribute.utf8.allSatisfy({ $0 < 0x80 }) else { throw .invalidDomain }
        // An IPv6 address may have brackets; other invalid hosts do not match any host.
        let domain = CookieHost(attribute)?.name ?? attribute
        if publicSuffixes.isPublicSuffix(domain) {
            guard domain == host else { throw .publicSuffix }
            return (host, true)
        }
        guard origin.host.matches(domain: domain) else { throw .foreignDomain }
        return (domain, false)
    }

    /// Checks the name prefixes and SameSite=None (steps 19 to 22).
    private func checkNames(_ cookie: Cookie, hasPath: Bool) throws(CookieError) {
        guard cookie.sameSite != .none || cookie.isSecure else { throw .sameSiteNoneNotSecure }
        // A cookie without a name is sent as its value only, which must not look like a name with a prefix.
        let name = cookie.name.isEmpty ? cookie.value : cookie.name
        if Self.has(name, "__secure-"), cookie.name.isEmpty || !cookie.isSecure { throw .securePrefix }
        if Self.has(name, "__host-") {
            guard !cookie.name.isEmpty, cookie.isSecure, cookie.isHostOnly, hasPath, cookie.path == "/" else {
                throw .hostPrefix
            }
        }
    }

    /// Returns whether a name or value would not be cut off by a parser.
    private static func isWhole(_ text: String) -> Bool {
        let ends = [text.utf8.first, text.utf8.last]
        return !text.utf8.contains(UInt8(ascii: ";")) && !ends.contains(0x20) && !ends.contains(0x09)
    }

    private static func has(_ name: String, _ prefix: String) -> Bool {
        name.utf8.prefix(prefix.utf8.count).map { (65...90).contains($0) ? $0 + 32 : $0 }.elementsEqual(prefix.utf8)
    }
}
