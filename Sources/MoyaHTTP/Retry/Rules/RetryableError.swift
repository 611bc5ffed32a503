import Foundation

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
