/// Settings of a session that are seldom changed.
public struct SessionOptions: Sendable {
    /// The storage of cookies, in place of the configuration's `httpCookieStorage`.
    ///
    /// The configuration's `httpShouldSetCookies` and `httpCookieAcceptPolicy` apply to both storages.
    ///
    /// On Linux, all programs whose executables are in folders of the same name share the file of `HTTPCookieStorage.shared`. A
    /// session whose configuration has that storage, as by default, keeps its cookies in memory instead, in a new ``CookieJar``.
    /// Pass `FoundationCookieStorage(.shared)` to use the shared file.
    public var cookieStorage: (any CookieStorage)?
    /// The hosts that require TLS (HSTS, RFC 6797); `nil`, the default, to send requests to the URLs as they are.
    public var strictTransportSecurity: StrictTransportSecurityStore?
    /// The size, in bytes, up to which a response's body is read into memory.
    public var maximumBodySize: Int
    /// The limits for the decoding of bodies in gzip or deflate.
    public var decodingLimits: ContentDecodingLimits
    /// Whether a body is an error if its `Content-Encoding` has a name that is no content coding, such as `none`, `UTF-8`
    /// or `aws-chunked`.
    ///
    /// The default is false: such a name is ignored, and the body is delivered as it is. If it is true, the error is
    /// ``ContentDecodingError/unsupported(_:)``, as it is for a coding that is not supported. URLSession decides itself.
    public var refusesUnknownContentCodings: Bool
    /// Whether the session measures each request, for ``SessionResponse/metrics``.
    ///
    /// The default is false. A session whose monitors need metrics measures its requests, too.
    public var collectsMetrics: Bool
    /// The instruments that trace, measure and log the requests, the first one outermost; none by default.
    public var instruments: [SessionInstrument]
    /// The clock of delays before a retry, a resend, and a request for the rest of a download, and of ``RequestTimeouts/total``.
    public var clock: any Clock<Duration>

    /// Creates options.
    public init(
        cookieStorage: (any CookieStorage)? = nil,
        strictTransportSecurity: StrictTransportSecurityStore? = nil,
        maximumBodySize: Int = Session.defaultMaximumBodySize,
        decodingLimits: ContentDecodingLimits = ContentDecodingLimits(),
        refusesUnknownContentCodings: Bool = false,
        collectsMetrics: Bool = false,
        instruments: [SessionInstrument] = [],
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.cookieStorage = cookieStorage
        self.strictTransportSecurity = strictTransportSecurity
        self.maximumBodySize = maximumBodySize
        self.decodingLimits = decodingLimits
        self.refusesUnknownContentCodings = refusesUnknownContentCodings
        self.collectsMetrics = collectsMetrics
        self.instruments = instruments
        self.clock = clock
    }
}
