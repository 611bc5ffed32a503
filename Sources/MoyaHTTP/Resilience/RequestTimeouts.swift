/// The maximum times of a request and of its parts.
///
///     var resilience = Resilience()
///     resilience.timeouts.total = .seconds(30)
///     let session = Session(resilience: resilience)
///
/// A time that is `nil` is inherited: a target's from its provider, a provider's from its session. If the session has none either,
/// the part has only the limits of the configuration and of the transport. A time that is not positive ends a request at once.
///
/// A request that takes too long fails with `URLError.timedOut`, whose `timeout` names the part and the limit. The time without any
/// data has its own settings: `timeoutIntervalForRequest` of the configuration, and `timeoutInterval` of a target or a
/// `URLRequest`.
public struct RequestTimeouts: Hashable, Sendable {
    /// The time of the whole request, with all attempts and the delays between them, until the body has been read or saved.
    ///
    /// The time includes adapters and plugins, and the requests to all base URLs of a ``Fallback`` share it. If the caller reads
    /// the response as a stream, the time ends with the head of the response. The wait for a permit (``ConcurrencyLimiter``) and
    /// the middleware around whole requests are not included. The ``SessionOptions/clock`` measures the time. No retrier is asked
    /// when it is over.
    public var total: Duration?
    /// The time of each attempt, from its first exchange: all redirects and challenges, until the body has been read or saved.
    ///
    /// It replaces `timeoutIntervalForResource` of the configuration. If the caller reads the response as a stream, the time ends
    /// with the head of the response, and `timeoutIntervalForResource` still limits the attempt with its body.
    public var attempt: Duration?
    /// The time for which an exchange waits while there is no connection to the server: ``TransportRequest/connectTimeout``.
    public var connect: Duration?
    /// The time for which an exchange waits for a connection, or for a stream over HTTP/2:
    /// ``TransportRequest/connectionPoolTimeout``.
    public var pool: Duration?
    /// The time from the sent request to the head of the response, in each exchange: ``TransportRequest/firstByteTimeout``.
    public var firstByte: Duration?

    /// Creates times, all of which are inherited by default.
    public init(
        total: Duration? = nil,
        attempt: Duration? = nil,
        connect: Duration? = nil,
        pool: Duration? = nil,
        firstByte: Duration? = nil
    ) {
        (self.total, self.attempt, self.connect) = (total, attempt, connect)
        (self.pool, self.firstByte) = (pool, firstByte)
    }

    /// These times, or `nil` if all of them are inherited.
    package var unlessInherited: RequestTimeouts? { self == RequestTimeouts() ? nil : self }

    /// Returns these times, with those of `other` in place of the ones that are inherited.
    package func inheriting(from other: RequestTimeouts) -> RequestTimeouts {
        RequestTimeouts(
            total: total ?? other.total,
            attempt: attempt ?? other.attempt,
            connect: connect ?? other.connect,
            pool: pool ?? other.pool,
            firstByte: firstByte ?? other.firstByte
        )
    }
}
