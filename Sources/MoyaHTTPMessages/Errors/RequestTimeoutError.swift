import Foundation

/// The timeout that has ended a request, with its limit.
///
/// It is found in a `URLError.timedOut`; see `URLError.timeout`.
public struct RequestTimeoutError: Error, Hashable, Sendable, MaskedError {
    /// The part of a request whose time is limited.
    public enum Kind: String, CaseIterable, Sendable {
        /// The whole request, with all attempts and the delays between them.
        case total
        /// An attempt, with its redirects and challenges.
        case attempt
        /// The wait while there was no connection to the server, or one connection attempt.
        case connect
        /// The wait for a connection, or for a stream over HTTP/2.
        case pool
        /// The time from the sent request to the head of the response.
        case firstByte
        /// The time without any data sent or received.
        case idle
    }

    /// The part of the request that has taken too long.
    public let kind: Kind
    /// The maximum time of this part.
    public let limit: Duration

    /// Creates an error.
    public init(kind: Kind, limit: Duration) { (self.kind, self.limit) = (kind, limit) }

    /// A sentence with the part and the limit.
    public var errorDescription: String? {
        let time = limit.text
        let reason =
            switch kind {
            case .total: "it took longer than its total time of \(time)"
            case .attempt: "an attempt took longer than \(time)"
            case .connect: "no connection was established within \(time)"
            case .pool: "no connection was free within \(time)"
            case .firstByte: "no response began within \(time) after the request was sent"
            case .idle: "nothing was sent or received for \(time)"
            }
        return "The request timed out: \(reason)."
    }
}

extension URLError {
    private static let timeoutKey = "Moya.requestTimeout"

    /// The timeout that has ended the request.
    ///
    /// It is `nil` for other errors, for the wait for a permit (``ConcurrencyLimitError``), and for a timeout that the operating system
    /// or another HTTP client has set.
    public var timeout: RequestTimeoutError? {
        userInfo[NSUnderlyingErrorKey] as? RequestTimeoutError ?? userInfo[Self.timeoutKey] as? RequestTimeoutError
    }

    /// Creates the error of a request that has timed out.
    ///
    /// A `cause` takes the place of the timeout under `NSUnderlyingErrorKey`, with its `reason`.
    package static func timedOut(
        _ timeout: RequestTimeoutError,
        url: URL?,
        reason: String? = nil,
        cause: (any Error)? = nil
    ) -> URLError {
        let error = make(.timedOut, url: url, reason: reason ?? timeout.description, cause: cause ?? timeout)
        return cause == nil ? error : error.adding(timeout)
    }

    /// Returns the error with a timeout that is not its underlying error.
    package func adding(_ timeout: RequestTimeoutError?) -> URLError {
        guard let timeout else { return self }
        var info = userInfo
        info[Self.timeoutKey] = timeout
        return URLError(code, userInfo: info)
    }
}
