import HTTPTypes

/// The limits that hold for every redirect, whatever a ``RedirectHandler`` says.
public struct RedirectOptions: Equatable, Sendable {
    /// How many redirects are followed in a row. One more fails with `URLError.httpTooManyRedirects`.
    public var maximumCount: Int
    /// Whether an `https` URL may redirect to `http`. Otherwise that fails with
    /// `URLError.appTransportSecurityRequiresSecureConnection`.
    public var allowsInsecure: Bool
    /// Headers that must not cross an origin, such as `X-Api-Key`, without regard to case. `Authorization`,
    /// `Proxy-Authorization`, `Cookie`, `Host`, `Origin` and `Referer` never do.
    public var sensitiveHeaders: Set<String>

    /// Makes options. Without arguments they are URLSession's limit of 20, and never from `https` to `http`.
    public init(maximumCount: Int = 20, allowsInsecure: Bool = false, sensitiveHeaders: Set<String> = []) {
        self.maximumCount = maximumCount
        self.allowsInsecure = allowsInsecure
        self.sensitiveHeaders = sensitiveHeaders
    }

    /// Those of the sensitive headers that can be headers at all.
    var sensitiveNames: Set<HTTPField.Name> { Set(sensitiveHeaders.compactMap { HTTPField.Name($0) }) }
}
