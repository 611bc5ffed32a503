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
    var cookieHeader: String? {
        isEmpty ? nil : map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}
