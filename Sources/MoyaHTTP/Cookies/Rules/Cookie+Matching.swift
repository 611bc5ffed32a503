extension Cookie {
    /// Returns whether the cookie is sent with a request (RFC 6265bis, section 5.8.3, step 3), unless it has
    /// expired.
    func matches(_ origin: CookieOrigin, _ context: CookieContext) -> Bool {
        guard isHostOnly ? origin.host.name == domain : origin.host.matches(domain: domain),
            CookiePath.matches(origin.path, path), !isSecure || origin.isSecure
        else { return false }
        guard !context.isSameSite else { return true }
        return switch sameSite {
        case .none: true
        case .lax, .unspecified: context.isSafeMethod && context.isTopLevelNavigation
        case .strict: false
        }
    }
}

extension [Cookie] {
    /// Returns the value of a `Cookie` header (section 5.8.3, step 6) of at most `limit` bytes, or `nil` if it is
    /// empty.
    ///
    /// Cookies that do not fit are omitted.
    func cookieHeader(limit: Int) -> String? {
        var header = ""
        for cookie in self {
            let pair = cookie.name.isEmpty ? cookie.value : "\(cookie.name)=\(cookie.value)"
            let separator = header.isEmpty ? "" : "; "
            if header.utf8.count + separator.utf8.count + pair.utf8.count <= limit { header += separator + pair }
        }
        return header.isEmpty ? nil : header
    }
}
