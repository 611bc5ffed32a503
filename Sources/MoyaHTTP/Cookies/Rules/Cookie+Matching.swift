extension Cookie {
    /// Whether it is sent with a request (RFC 6265bis, section 5.8.3, step 3), if it has not expired.
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
    /// The value of a `Cookie` header (section 5.8.3, step 6), or `nil` if there is none.
    ///
    /// - Parameter limit: How many bytes it can have, at most. What does not fit any more is left out.
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
