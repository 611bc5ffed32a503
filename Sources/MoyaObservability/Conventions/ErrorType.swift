#if Observability
import Foundation
import MoyaHTTP

/// The value of `error.type`, which has few different values: the status of a response from 400 on, the name of a `URLError`'s code as
/// in Swift, such as `timedOut` or `cannotFindHost`, or the name of another error's type.
enum ErrorType {
    /// Returns the value for a response; `nil` for a response that is not an error.
    static func of(status: Int) -> String? { status >= 400 ? String(status) : nil }

    /// Returns the value for an error without a response, or in the body of a response.
    static func of(_ error: any Error) -> String {
        guard let error = error.asURLError else { return String(describing: type(of: error)) }
        return names[error.code] ?? "URLError.\(error.code.rawValue)"
    }

    /// Returns the part of the request that has taken too long, if an error is a timeout.
    static func timeoutKind(of error: any Error) -> RequestTimeoutError.Kind? {
        error.asURLError?.timeout?.kind
    }

    private static let names: [URLError.Code: String] = [
        .appTransportSecurityRequiresSecureConnection: "appTransportSecurityRequiresSecureConnection",
        .backgroundSessionInUseByAnotherProcess: "backgroundSessionInUseByAnotherProcess",
        .backgroundSessionRequiresSharedContainer: "backgroundSessionRequiresSharedContainer",
        .backgroundSessionWasDisconnected: "backgroundSessionWasDisconnected",
        .badServerResponse: "badServerResponse",
        .badURL: "badURL",
        .callIsActive: "callIsActive",
        .cancelled: "cancelled",
        .cannotCloseFile: "cannotCloseFile",
        .cannotConnectToHost: "cannotConnectToHost",
        .cannotCreateFile: "cannotCreateFile",
        .cannotDecodeContentData: "cannotDecodeContentData",
        .cannotDecodeRawData: "cannotDecodeRawData",
        .cannotFindHost: "cannotFindHost",
        .cannotLoadFromNetwork: "cannotLoadFromNetwork",
        .cannotMoveFile: "cannotMoveFile",
        .cannotOpenFile: "cannotOpenFile",
        .cannotParseResponse: "cannotParseResponse",
        .cannotRemoveFile: "cannotRemoveFile",
        .cannotWriteToFile: "cannotWriteToFile",
        .clientCertificateRejected: "clientCertificateRejected",
        .clientCertificateRequired: "clientCertificateRequired",
        .dataLengthExceedsMaximum: "dataLengthExceedsMaximum",
        .dataNotAllowed: "dataNotAllowed",
        .dnsLookupFailed: "dnsLookupFailed",
        .downloadDecodingFailedMidStream: "downloadDecodingFailedMidStream",
        .downloadDecodingFailedToComplete: "downloadDecodingFailedToComplete",
        .fileDoesNotExist: "fileDoesNotExist",
        .fileIsDirectory: "fileIsDirectory",
        .httpTooManyRedirects: "httpTooManyRedirects",
        .internationalRoamingOff: "internationalRoamingOff",
        .networkConnectionLost: "networkConnectionLost",
        .noPermissionsToReadFile: "noPermissionsToReadFile",
        .notConnectedToInternet: "notConnectedToInternet",
        .redirectToNonExistentLocation: "redirectToNonExistentLocation",
        .requestBodyStreamExhausted: "requestBodyStreamExhausted",
        .resourceUnavailable: "resourceUnavailable",
        .secureConnectionFailed: "secureConnectionFailed",
        .serverCertificateHasBadDate: "serverCertificateHasBadDate",
        .serverCertificateHasUnknownRoot: "serverCertificateHasUnknownRoot",
        .serverCertificateNotYetValid: "serverCertificateNotYetValid",
        .serverCertificateUntrusted: "serverCertificateUntrusted",
        .timedOut: "timedOut",
        .unknown: "unknown",
        .unsupportedURL: "unsupportedURL",
        .userAuthenticationRequired: "userAuthenticationRequired",
        .userCancelledAuthentication: "userCancelledAuthentication",
        .zeroByteResource: "zeroByteResource",
    ]
}
#endif
