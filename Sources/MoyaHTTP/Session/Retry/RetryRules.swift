import Foundation

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
        /// A retry may succeed; it is unknown what the server did with the request.
        case mayHaveArrived
        /// A retry may succeed, and no server has received the request.
        case notSent
    }

    let code: URLError.Code
    let chance: Chance
    let reason: String

    private init(_ code: URLError.Code, _ chance: Chance, _ reason: String) {
        self.code = code
        self.chance = chance
        self.reason = reason
    }

    /// All codes.
    static let all: [RetryableError] = [
        // The connection.
        .init(.timedOut, .mayHaveArrived, "the network or the server may be faster the next time"),
        .init(.networkConnectionLost, .mayHaveArrived, "a new connection may be stable"),
        .init(.cannotFindHost, .notSent, "name servers fail temporarily, and names are added"),
        .init(.dnsLookupFailed, .notSent, "name servers fail temporarily"),
        .init(.cannotConnectToHost, .notSent, "servers restart"),
        .init(.notConnectedToInternet, .notSent, "networks recover"),
        .init(.internationalRoamingOff, .notSent, "the device may reach a network without roaming"),
        .init(.callIsActive, .notSent, "calls end"),
        .init(.dataNotAllowed, .notSent, "the device may reach a network that is allowed"),
        .init(.cannotLoadFromNetwork, .none, "the caller requested cached data only"),
        // The response.
        .init(.badServerResponse, .mayHaveArrived, "a server that shuts down may have damaged the response"),
        .init(.resourceUnavailable, .mayHaveArrived, "the resource may be there the next time"),
        .init(.downloadDecodingFailedMidStream, .mayHaveArrived, "the content may have been damaged on its way"),
        .init(.downloadDecodingFailedToComplete, .mayHaveArrived, "the content may have been cut off on its way"),
        .init(.cannotParseResponse, .none, "the response is not HTTP"),
        .init(.cannotDecodeRawData, .none, "the server codes its content wrongly"),
        .init(.cannotDecodeContentData, .none, "the server codes its content wrongly"),
        .init(.zeroByteResource, .none, "the response is empty"),
        .init(.dataLengthExceedsMaximum, .none, "the content is as large the next time"),
        .init(.httpTooManyRedirects, .none, "the redirects are the same the next time"),
        .init(.redirectToNonExistentLocation, .none, "the redirect is the same the next time"),
        // The request.
        .init(.cancelled, .none, "the caller cancelled the request"),
        .init(.badURL, .none, "the URL is wrong"),
        .init(.unsupportedURL, .none, "the URL's scheme is not supported"),
        .init(.requestBodyStreamExhausted, .none, "the body can be read only once"),
        .init(.userCancelledAuthentication, .none, "the user cancelled the authentication"),
        .init(.userAuthenticationRequired, .none, "the caller must sign in first"),
        // Trust: a retry would only help an attacker.
        .init(.secureConnectionFailed, .none, "client and server have no TLS settings in common"),
        .init(.serverCertificateHasBadDate, .none, "the certificate is the same the next time"),
        .init(.serverCertificateUntrusted, .none, "the certificate is the same the next time"),
        .init(.serverCertificateHasUnknownRoot, .none, "the certificate is the same the next time"),
        .init(.serverCertificateNotYetValid, .none, "the certificate is the same the next time"),
        .init(.clientCertificateRejected, .none, "the client's certificate is the same the next time"),
        .init(.clientCertificateRequired, .none, "the client has no certificate"),
        .init(.appTransportSecurityRequiresSecureConnection, .none, "the connection would be insecure again"),
        // The local machine.
        .init(.fileDoesNotExist, .none, "the file must be created first"),
        .init(.fileIsDirectory, .none, "the caller named a directory"),
        .init(.noPermissionsToReadFile, .none, "the file's permissions have to be changed first"),
        .init(.cannotCreateFile, .none, "the disk or its permissions are at fault"),
        .init(.cannotOpenFile, .none, "the disk or its permissions are at fault"),
        .init(.cannotCloseFile, .none, "the disk is at fault"),
        .init(.cannotWriteToFile, .none, "the disk is at fault"),
        .init(.cannotRemoveFile, .none, "the disk or its permissions are at fault"),
        .init(.cannotMoveFile, .none, "the disk or its permissions are at fault"),
        .init(.backgroundSessionRequiresSharedContainer, .none, "the configuration is wrong"),
        .init(.backgroundSessionInUseByAnotherProcess, .none, "another process uses the session"),
        .init(.backgroundSessionWasDisconnected, .mayHaveArrived, "the background service restarts automatically"),
        .init(.unknown, .none, "the effect of a retry is unknown"),
    ]
}
