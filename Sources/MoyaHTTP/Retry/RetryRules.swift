import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The retryable status codes with the reasons.
///
/// All others are not retryable.
enum RetryableStatus {
    /// The reason for each retryable status code.
    static let reasons: [Int: String] = [
        408: "the server timed out waiting for the request, which may be repeated (RFC 9110, section 15.5.9)",
        425: "the server rejected early data, and a retry is not early data (RFC 8470, section 5.2)",
        429: "the client sent too many requests, and may retry later (RFC 6585, section 4)",
        500: "an unexpected error, which is often transient (RFC 9110, section 15.6.1)",
        502: "a gateway got an invalid response from the server behind it (RFC 9110, section 15.6.3)",
        503: "the server is temporarily overloaded or in maintenance (RFC 9110, section 15.6.4)",
        504: "a gateway got no response in time from the server behind it (RFC 9110, section 15.6.5)",
    ]

    /// The reasons why errors that may seem transient are not retryable.
    static let exceptions: [Int: String] = [
        409: "the caller must resolve the conflict (RFC 9110, section 15.5.10)",
        413: "the content is as large in the next attempt (RFC 9110, section 15.5.14)",
        421: "a retry is useful only on another connection, which cannot be requested (RFC 9110, section 15.5.20)",
        423: "a lock may be held for any time (RFC 4918, section 11.3)",
        501: "the server does not support the method (RFC 9110, section 15.6.2)",
        505: "the server does not support this version of HTTP (RFC 9110, section 15.6.6)",
        507: "the user must act before the request is repeated (RFC 4918, section 11.5)",
        508: "the loop is in the server's data (RFC 5842, section 7.2)",
        511: "the user must sign in to the network first (RFC 6585, section 6)",
    ]
}

/// A `URLError` code and whether it is retryable, with the reason.
struct RetryableError: Sendable {
    /// The prospect of a retry.
    enum Chance: Sendable {
        /// None: the next attempt would fail in the same way.
        case none
        /// A retry may succeed; a server may have processed the request.
        case mayHaveArrived
        /// A retry may succeed, and no server has received the request.
        case notSent
    }

    let code: URLError.Code
    let chance: Chance
    let reason: String

    private init(_ code: URLError.Code, _ chance: Chance, because reason: String) {
        self.code = code
        self.chance = chance
        self.reason = reason
    }

    /// All codes.
    static let all: [RetryableError] = [
        // The connection.
        .init(.timedOut, .mayHaveArrived, because: "the network or the server may be faster the next time"),
        .init(.networkConnectionLost, .mayHaveArrived, because: "a new connection may be stable"),
        .init(.cannotFindHost, .notSent, because: "name servers fail temporarily, and names are added"),
        .init(.dnsLookupFailed, .notSent, because: "name servers fail temporarily"),
        .init(.cannotConnectToHost, .notSent, because: "servers restart"),
        .init(.notConnectedToInternet, .notSent, because: "networks recover"),
        .init(.internationalRoamingOff, .notSent, because: "the device may reach a network without roaming"),
        .init(.callIsActive, .notSent, because: "calls end"),
        .init(.dataNotAllowed, .notSent, because: "the device may reach a network that is allowed"),
        .init(.cannotLoadFromNetwork, .none, because: "the caller requested cached data only"),
        // The response.
        .init(.badServerResponse, .mayHaveArrived, because: "a server that shuts down may have damaged the response"),
        .init(.resourceUnavailable, .mayHaveArrived, because: "the resource may be there the next time"),
        .init(
            .downloadDecodingFailedMidStream,
            .mayHaveArrived,
            because: "the content may have been damaged on its way"
        ),
        .init(
            .downloadDecodingFailedToComplete,
            .mayHaveArrived,
            because: "the content may have been cut off on its way"
        ),
        .init(.cannotParseResponse, .none, because: "the response is not HTTP"),
        .init(.cannotDecodeRawData, .none, because: "the server codes its content wrongly"),
        .init(.cannotDecodeContentData, .none, because: "the server codes its content wrongly"),
        .init(.zeroByteResource, .none, because: "the response is empty"),
        .init(.dataLengthExceedsMaximum, .none, because: "the content is as large the next time"),
        .init(.httpTooManyRedirects, .none, because: "the redirects are the same the next time"),
        .init(.redirectToNonExistentLocation, .none, because: "the redirect is the same the next time"),
        // The request.
        .init(.cancelled, .none, because: "the caller cancelled the request"),
        .init(.badURL, .none, because: "the URL is wrong"),
        .init(.unsupportedURL, .none, because: "the URL's scheme is not supported"),
        .init(.requestBodyStreamExhausted, .none, because: "the body can be read only once"),
        .init(.userCancelledAuthentication, .none, because: "the user cancelled the authentication"),
        .init(.userAuthenticationRequired, .none, because: "the caller must sign in first"),
        // Trust: a retry would only help an attacker.
        .init(.secureConnectionFailed, .none, because: "client and server have no TLS settings in common"),
        .init(.serverCertificateHasBadDate, .none, because: "the certificate is the same the next time"),
        .init(.serverCertificateUntrusted, .none, because: "the certificate is the same the next time"),
        .init(.serverCertificateHasUnknownRoot, .none, because: "the certificate is the same the next time"),
        .init(.serverCertificateNotYetValid, .none, because: "the certificate is the same the next time"),
        .init(.clientCertificateRejected, .none, because: "the client's certificate is the same the next time"),
        .init(.clientCertificateRequired, .none, because: "the client has no certificate"),
        .init(.appTransportSecurityRequiresSecureConnection, .none, because: "the connection would be insecure again"),
        // The local machine.
        .init(.fileDoesNotExist, .none, because: "the file must be created first"),
        .init(.fileIsDirectory, .none, because: "the caller named a directory"),
        .init(.noPermissionsToReadFile, .none, because: "the file's permissions have to be changed first"),
        .init(.cannotCreateFile, .none, because: "the disk or its permissions are at fault"),
        .init(.cannotOpenFile, .none, because: "the disk or its permissions are at fault"),
        .init(.cannotCloseFile, .none, because: "the disk is at fault"),
        .init(.cannotWriteToFile, .none, because: "the disk is at fault"),
        .init(.cannotRemoveFile, .none, because: "the disk or its permissions are at fault"),
        .init(.cannotMoveFile, .none, because: "the disk or its permissions are at fault"),
        .init(.backgroundSessionRequiresSharedContainer, .none, because: "the configuration is wrong"),
        .init(.backgroundSessionInUseByAnotherProcess, .none, because: "another process uses the session"),
        .init(
            .backgroundSessionWasDisconnected,
            .mayHaveArrived,
            because: "the background service restarts automatically"
        ),
        .init(.unknown, .none, because: "the effect of a retry is unknown"),
    ]
}

/// The decision of a ``RetryPolicy`` about an attempt, with the reason.
public enum RetryDecision: Equatable, Sendable {
    /// Retry the request after this delay.
    case retry(after: Duration)
    /// Do not retry the request.
    case doNotRetry(Reason)

    /// The reason why a request is not retried.
    public enum Reason: Hashable, Sendable {
        /// The status is not one of the policy's retryable status codes.
        case status(Int)
        /// The error is not a `URLError`, or its code is not one of the policy's retryable codes.
        case error
        /// The request was cancelled.
        case cancelled
        /// The body can be read only once.
        case bodyNotRepeatable
        /// The method is not idempotent, so the request must not be sent twice (RFC 9110, section 9.2.2).
        case method
        /// The maximum number of retries has been reached.
        case retryLimit
        /// The next attempt would start after the maximum total time.
        case totalTime
        /// The server requires a longer delay than the policy allows.
        case retryAfter
        /// The ``RetryBudget`` is exhausted: too many of the latest requests were retried.
        case budget
    }
}

/// Exponential back-off with full jitter.
///
/// The delay is a random value between zero and a bound that grows with each retry, so that clients that failed at
/// the same time do not retry at the same time.
struct RetryBackoff: Equatable, Sendable {
    /// The factor by which each retry multiplies the bound.
    let base: UInt
    /// The first bound in seconds.
    let scale: Double
    /// The maximum bound.
    let maximum: Duration

    /// Returns the bound for a retry after `retryCount` others, from zero to one year for any values.
    func bound(retryCount: Int) -> Duration {
        let seconds = scale * pow(Double(base), Double(max(0, retryCount)))
        return max(.zero, min(Duration(clampingSeconds: seconds), maximum, .longestTimeout))
    }

    /// Returns the delay.
    ///
    /// `random` is a value from 0 to 1; other values count as 1.
    func delay(retryCount: Int, random: Double) -> Duration {
        let share = (0...1).contains(random) ? random : 1
        return Duration(clampingSeconds: bound(retryCount: retryCount) / .seconds(1) * share)
    }
}

/// The value of the `Retry-After` header (RFC 9110, section 10.2.3).
///
/// It is a number of seconds, or a date in any of the three formats of HTTP. Invalid values are ignored.
struct RetryAfter: Equatable, Sendable {
    /// The delay, from zero to one year; zero for a date in the past.
    let delay: Duration

    /// Parses a header value; a date is relative to `now`.
    init?(_ value: some StringProtocol, now: Date) {
        let text = String(value).withoutOptionalWhitespace
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // More digits than fit mean a delay beyond any limit.
            delay = Duration(clampingSeconds: Double(text) ?? .infinity)
            return
        }
        let now = now.timeIntervalSince1970
        guard let date = HTTPDate(text, now: Int64(exactly: now.rounded(.down)) ?? 0) else { return nil }
        delay = Duration(clampingSeconds: Double(date.seconds) - now)
    }

    /// Parses the headers of a response.
    ///
    /// There should be one value; of several, the longest delay is used.
    init?(_ headers: HTTPFields, now: Date) {
        let values = headers[values: .retryAfter].compactMap { RetryAfter($0, now: now) }
        guard let longest = values.max(by: { $0.delay < $1.delay }) else { return nil }
        self = longest
    }
}
