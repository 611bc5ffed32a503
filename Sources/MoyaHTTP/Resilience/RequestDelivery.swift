import Foundation

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
        if error.isRefusal || error.concurrencyLimit != nil {
            self = .refused
            return
        }
        switch error.code {
        case .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost:
            self = error.isConfigurationError ? .other : .notSent
        case .timedOut:
            self = Self.delivery(afterTimeout: error)
        case .networkConnectionLost:
            self = error.isRequestUnprocessed ? .notSent : .unknown
        default:
            self = .other
        }
    }

    private static func delivery(afterTimeout error: URLError) -> RequestDelivery {
        if let wait = error.connectionWait { return wait.resource == .attempt ? .notSent : .refused }
        switch error.timeout?.kind {
        case .connect: return .notSent
        case .pool: return .refused
        // The time of the caller is over, which says little about the server.
        case .total: return .other
        case .attempt, .firstByte, .idle, nil: return .unknown
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
