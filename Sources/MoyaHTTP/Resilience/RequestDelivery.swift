import Foundation

/// An error of a request that a limit of the session has refused, and that was not sent.
protocol RequestRefusal: Error {}

extension RateLimitError: RequestRefusal {}
extension ConcurrencyLimitError: RequestRefusal {}

/// The delivery of a failed request to its server, as far as the error shows it.
enum RequestDelivery: Equatable, Sendable {
    /// The session has refused the request, or has had no connection left for it; it was not sent.
    case refused
    /// The server was not reached, or has not processed the request.
    case notSent
    /// The server may have received the request, and has not responded.
    case unknown
    /// The server has responded.
    case responded
    /// The error has another cause, such as an untrusted certificate, an invalid request, or the network of the device.
    case other

    /// Creates the delivery from the error of a request that has got no response.
    init(after error: any Error) {
        guard let error = error.asURLError else {
            self = .other
            return
        }
        let cause = error.userInfo[NSUnderlyingErrorKey] as? any Error
        if cause is any RequestRefusal {
            self = .refused
            return
        }
        switch error.code {
        // A transport reports a wrong configuration as a failed connection.
        case .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost:
            self = cause is TransportConfigurationError ? .other : .notSent
        case .timedOut:
            if let wait = error.connectionWait {
                self = wait.resource == .attempt ? .notSent : .refused
            } else {
                self = cause?.isConnectTimeout == true ? .notSent : .unknown
            }
        case .networkConnectionLost:
            self = error.isRequestUnprocessed ? .notSent : .unknown
        default:
            self = .other
        }
    }

    /// Whether a server may have received the request.
    var mayHaveArrived: Bool {
        switch self {
        case .refused, .notSent: false
        case .unknown, .responded, .other: true
        }
    }
}

extension Error {
    fileprivate var isConnectTimeout: Bool {
        #if NIO && !canImport(Darwin)
        return isTimeoutOfConnecting
        #else
        return false
        #endif
    }
}
