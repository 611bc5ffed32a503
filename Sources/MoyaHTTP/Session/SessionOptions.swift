/// Settings of a session that are seldom changed.
public struct SessionOptions: Sendable {
    /// The storage of cookies, in place of the configuration's `httpCookieStorage`. The configuration's
    /// `httpShouldSetCookies` and `httpCookieAcceptPolicy` hold for both.
    public var cookieStorage: (any CookieStorage)?
    /// The size, in bytes, up to which a response's body is read into memory.
    public var maximumBodySize: Int
    /// The limits for the decoding of bodies in gzip or deflate.
    public var decodingLimits: ContentDecodingLimits
    /// The clock for the time between attempts.
    public var clock: any Clock<Duration>

    /// Creates options.
    public init(
        cookieStorage: (any CookieStorage)? = nil,
        maximumBodySize: Int = Session.defaultMaximumBodySize,
        decodingLimits: ContentDecodingLimits = ContentDecodingLimits(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.cookieStorage = cookieStorage
        self.maximumBodySize = maximumBodySize
        self.decodingLimits = decodingLimits
        self.clock = clock
    }
}
