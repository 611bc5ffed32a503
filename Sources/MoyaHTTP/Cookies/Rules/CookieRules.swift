import Foundation

/// Decides what becomes of a cookie that is received, as far as that does not depend on the others (RFC 6265bis,
/// section 5.7, up to step 22). Pure.
struct CookieRules: Sendable {
    var publicSuffixes: PublicSuffixList
    var lifetime: TimeInterval
    var trustsLoopback: Bool

    /// The cookie that a `Set-Cookie` field makes.
    ///
    /// - Parameter now: The cookie may have expired by then; it removes another one in that case.
    func receive(
        _ field: String,
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
        // The standard has no limit for a default path; without one a long URL could fill the memory.
        guard cookie.path.utf8.count <= SetCookieParser.maximumAttributeLength else { throw .tooLong }
        guard !cookie.isSecure || origin.isSecure else { throw .insecureConnection }
        guard cookie.sameSite == .none || context.isSameSite || context.isTopLevelNavigation else { throw .crossSite }
        try checkNames(cookie, hasPath: received.path != nil)
        if cookie.expires.map({ $0 <= now }) == true { cookie.expires = .distantPast }
        return cookie
    }

    /// Checks a cookie that an application or a file has made.
    func check(_ cookie: Cookie) throws(CookieError) {
        guard !cookie.name.isEmpty || !cookie.value.isEmpty else { throw .empty }
        let texts = [cookie.name, cookie.value, cookie.path]
        guard !texts.contains(where: { $0.utf8.contains(where: SetCookieParser.isControl) }) else {
            throw .controlCharacter
        }
        guard cookie.name.utf8.count + cookie.value.utf8.count <= SetCookieParser.maximumNameAndValueLength,
            cookie.path.utf8.count <= SetCookieParser.maximumAttributeLength
        else { throw .tooLong }
        // It has to come out of a Set-Cookie field as it is.
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

    /// Whether it could be that of a server.
    func allows(_ cookie: Cookie) -> Bool { (try? check(cookie)) != nil }

    /// Section 5.5: no cookie lives longer than the limit.
    func shortened(_ expires: Date?, at now: Date) -> Date? {
        expires.map { min($0, now.addingTimeInterval(lifetime)) }
    }

    /// Steps 6, 5.6.1 and 5.6.2.
    private func expiry(_ lifetime: SetCookie.Lifetime, at now: Date) -> Date? {
        guard let maxAge = lifetime.maxAge else { return shortened(lifetime.expires, at: now) }
        return maxAge > 0 ? shortened(now.addingTimeInterval(TimeInterval(maxAge)), at: now) : .distantPast
    }

    /// Steps 7 to 10.
    private func domain(
        of received: SetCookie,
        _ origin: CookieOrigin
    ) throws(CookieError) -> (domain: String, isHostOnly: Bool) {
        let host = origin.host.name
        guard let attribute = received.domain, !attribute.isEmpty else { return (host, true) }
        guard attribute.utf8.allSatisfy({ $0 < 0x80 }) else { throw .invalidDomain }
        // An IPv6 address may stand in brackets; everything else that is no host matches none.
        let domain = CookieHost(attribute)?.name ?? attribute
        if publicSuffixes.isPublicSuffix(domain) {
            guard domain == host else { throw .publicSuffix }
            return (host, true)
        }
        guard origin.host.matches(domain: domain) else { throw .foreignDomain }
        return (domain, false)
    }

    /// Steps 19 to 22.
    private func checkNames(_ cookie: Cookie, hasPath: Bool) throws(CookieError) {
        guard cookie.sameSite != .none || cookie.isSecure else { throw .sameSiteNoneNotSecure }
        // A cookie without a name is sent as its value alone, which must not pass for a name with a prefix.
        let name = cookie.name.isEmpty ? cookie.value : cookie.name
        if Self.has(name, "__secure-"), cookie.name.isEmpty || !cookie.isSecure { throw .securePrefix }
        if Self.has(name, "__host-") {
            guard !cookie.name.isEmpty, cookie.isSecure, cookie.isHostOnly, hasPath, cookie.path == "/" else {
                throw .hostPrefix
            }
        }
    }

    /// Whether nothing of a name or value would be cut off.
    private static func isWhole(_ text: String) -> Bool {
        let ends = [text.utf8.first, text.utf8.last]
        return !text.utf8.contains(UInt8(ascii: ";")) && !ends.contains(0x20) && !ends.contains(0x09)
    }

    private static func has(_ name: String, _ prefix: String) -> Bool {
        name.utf8.prefix(prefix.utf8.count).map { (65...90).contains($0) ? $0 + 32 : $0 }.elementsEqual(prefix.utf8)
    }
}
