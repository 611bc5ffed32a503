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
        408: "the server gave up waiting for the request, and it may be repeated (RFC 9110, section 15.5.9)",
        425: "the server feared a replay; sent again it is no early data (RFC 8470, section 5.2)",
        429: "the client was too fast, and may come back later (RFC 6585, section 4)",
        500: "something unexpected went wrong, which is often gone at the next try (RFC 9110, section 15.6.1)",
        502: "a gateway got no usable answer from the server behind it (RFC 9110, section 15.6.3)",
        503: "the server is overloaded or in maintenance, for a time (RFC 9110, section 15.6.4)",
        504: "a gateway got no answer in time from the server behind it (RFC 9110, section 15.6.5)",
    ]

    /// The reasons why errors that may seem transient are not retryable.
    static let exceptions: [Int: String] = [
        409: "the conflict is the caller's to solve (RFC 9110, section 15.5.10)",
        413: "the same content is as large at the next try (RFC 9110, section 15.5.14)",
        421: "a retry is only of use on another connection, which cannot be asked for (RFC 9110, section 15.5.20)",
        423: "a lock is held as long as its owner likes (RFC 4918, section 11.3)",
        501: "the server cannot do this (RFC 9110, section 15.6.2)",
        505: "the server does not speak this version of HTTP (RFC 9110, section 15.6.6)",
        507: "the user must act before the request is repeated (RFC 4918, section 11.5)",
        508: "the loop is in the server's data (RFC 5842, section 7.2)",
        511: "somebody must sign in to the network first (RFC 6585, section 6)",
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
        .init(.networkConnectionLost, .mayHaveArrived, "a new connection may hold"),
        .init(.cannotFindHost, .notSent, "name servers fail for a time, and names appear"),
        .init(.dnsLookupFailed, .notSent, "name servers fail for a time"),
        .init(.cannotConnectToHost, .notSent, "servers restart"),
        .init(.notConnectedToInternet, .notSent, "networks come back"),
        .init(.internationalRoamingOff, .notSent, "the device may reach a network without roaming"),
        .init(.callIsActive, .notSent, "calls end"),
        .init(.dataNotAllowed, .notSent, "the device may reach a network that is allowed"),
        .init(.cannotLoadFromNetwork, .none, "the caller asked for what is cached, and only that"),
        // The response.
        .init(.badServerResponse, .mayHaveArrived, "the answer may have been damaged by a server that goes down"),
        .init(.resourceUnavailable, .mayHaveArrived, "the resource may be there the next time"),
        .init(.downloadDecodingFailedMidStream, .mayHaveArrived, "the content may have been damaged on its way"),
        .init(.downloadDecodingFailedToComplete, .mayHaveArrived, "the content may have been cut off on its way"),
        .init(.cannotParseResponse, .none, "the server does not speak HTTP"),
        .init(.cannotDecodeRawData, .none, "the server codes its content wrongly"),
        .init(.cannotDecodeContentData, .none, "the server codes its content wrongly"),
        .init(.zeroByteResource, .none, "the server has nothing to say"),
        .init(.dataLengthExceedsMaximum, .none, "the content is as large the next time"),
        .init(.httpTooManyRedirects, .none, "the redirects are the same the next time"),
        .init(.redirectToNonExistentLocation, .none, "the redirect is the same the next time"),
        // The request.
        .init(.cancelled, .none, "the caller does not want it any more"),
        .init(.badURL, .none, "the URL is wrong"),
        .init(.unsupportedURL, .none, "the URL's scheme is not supported"),
        .init(.requestBodyStreamExhausted, .none, "the body can be read only once"),
        .init(.userCancelledAuthentication, .none, "the user said no"),
        .init(.userAuthenticationRequired, .none, "the caller must sign in first"),
        // Trust: a retry would only help an attacker.
        .init(.secureConnectionFailed, .none, "the two do not agree on how to be secure"),
        .init(.serverCertificateHasBadDate, .none, "the certificate is the same the next time"),
        .init(.serverCertificateUntrusted, .none, "the certificate is the same the next time"),
        .init(.serverCertificateHasUnknownRoot, .none, "the certificate is the same the next time"),
        .init(.serverCertificateNotYetValid, .none, "the certificate is the same the next time"),
        .init(.clientCertificateRejected, .none, "the client's certificate is the same the next time"),
        .init(.clientCertificateRequired, .none, "the client has no certificate"),
        .init(.appTransportSecurityRequiresSecureConnection, .none, "the connection would be insecure again"),
        // The local machine.
        .init(.fileDoesNotExist, .none, "the file has to be made first"),
        .init(.fileIsDirectory, .none, "the caller named a directory"),
        .init(.noPermissionsToReadFile, .none, "the file's permissions have to be changed first"),
        .init(.cannotCreateFile, .none, "the disk or its permissions are at fault"),
        .init(.cannotOpenFile, .none, "the disk or its permissions are at fault"),
        .init(.cannotCloseFile, .none, "the disk is at fault"),
        .init(.cannotWriteToFile, .none, "the disk is at fault"),
        .init(.cannotRemoveFile, .none, "the disk or its permissions are at fault"),
        .init(.cannotMoveFile, .none, "the disk or its permissions are at fault"),
        .init(.backgroundSessionRequiresSharedContainer, .none, "the configuration is wrong"),
        .init(.backgroundSessionInUseByAnotherProcess, .none, "another process has the session"),
        .init(.backgroundSessionWasDisconnected, .mayHaveArrived, "the background service comes back by itself"),
        .init(.unknown, .none, "nobody knows what a retry would do"),
    ]
}
