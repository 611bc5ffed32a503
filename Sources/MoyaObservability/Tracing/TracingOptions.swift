#if Observability
import Foundation
import MoyaHTTP
import Tracing

/// The options of spans: ``SessionInstrument/tracing(_:)``.
public struct TracingOptions: Sendable {
    /// Attributes that the conventions leave out unless they are chosen.
    public struct Attributes: OptionSet, Sendable {
        /// The bits of the attributes.
        public let rawValue: Int

        /// Creates a set from the bits of its attributes.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// `http.request.body.size`: the bytes of the body, if its length is known or the transport reports it.
        public static let requestBodySize = Attributes(rawValue: 1 << 0)
        /// `http.response.body.size`: the bytes of the body before decoding, if it has arrived when the span ends, or its
        /// `Content-Length`.
        public static let responseBodySize = Attributes(rawValue: 1 << 1)
        /// `user_agent.original`: the `User-Agent`.
        public static let userAgent = Attributes(rawValue: 1 << 2)
        /// `url.scheme`: `http` or `https`.
        public static let scheme = Attributes(rawValue: 1 << 3)
        /// `network.transport`: `tcp`, if the address of the server is known.
        public static let transport = Attributes(rawValue: 1 << 4)
    }

    /// The end of a span: by default the head of the response.
    ///
    /// The conventions ask for it, because a caller may read a body much later, or not at all.
    public var extent = ExchangeExtent.head
    /// Whether each request has a span of the kind `internal` around those of its exchanges; the default is false.
    ///
    /// It has the final status or error, the number of exchanges, and the part of the cache.
    public var tracesRequests = false
    /// The additional attributes; none by default.
    public var attributes: Attributes = []
    /// The fields of requests that spans have as `http.request.header.<name>`, with secrets masked; none by default.
    public var requestHeaders: [String] = []
    /// The fields of responses that spans have as `http.response.header.<name>`, with secrets masked; none by default.
    public var responseHeaders: [String] = []
    /// The methods that spans name; another one is `_OTHER`.
    public var knownMethods = HTTPConventions.knownMethods
    /// The parameters of queries whose values are replaced by `REDACTED`, besides common names of secrets such as `access_token`.
    public var sensitiveQueryKeys = HTTPConventions.sensitiveQueryKeys
    /// Returns whether the context, such as a `traceparent`, is sent to the server of a URL; by default it is sent to all.
    ///
    /// Restrict it if servers of others must not see the identifiers of traces.
    public var propagatesContext: @Sendable (URL) -> Bool = { _ in true }
    /// The tracer; `nil`, the default, for the one of `InstrumentationSystem` at the time of each request.
    public var tracer: (any Tracer)?

    /// Creates options with the default values.
    public init() {}
}
#endif
