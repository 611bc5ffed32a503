import HTTPTypes

/// The limits that apply to every redirect, whatever a ``RedirectHandler`` decides.
public struct RedirectOptions: Equatable, Sendable {
    /// The maximum number of redirects in a row.
    ///
    /// Exceeding it fails with `URLError.httpTooManyRedirects`.
    public var maximumCount: Int
    /// Whether an `https` URL may redirect to `http`.
    ///
    /// Otherwise that fails with `URLError.appTransportSecurityRequiresSecureConnection`.
    public var allowsInsecure: Bool
    /// The names of headers that are not sent to other origins, such as `X-Api-Key`, ignoring case.
    ///
    /// `Authorization`, `Proxy-Authorization`, `Cookie`, `Host`, `Origin` and `Referer` are never sent there.
    public var sensitiveHeaders: Set<String>

    /// Creates options.
    ///
    /// The defaults are URLSession's limit of 20 redirects, and no redirects from `https` to `http`.
    public init(maximumCount: Int = 20, allowsInsecure: Bool = false, sensitiveHeaders: Set<String> = []) {
        self.maximumCount = maximumCount
        self.allowsInsecure = allowsInsecure
        self.sensitiveHeaders = sensitiveHeaders
    }

    /// The sensitive headers that are valid header names.
    var sensitiveNames: Set<HTTPField.Name> { Set(sensitiveHeaders.compactMap { HTTPField.Name($0) }) }
}
