#if NIO && !canImport(Darwin)
import Foundation

/// No connection to an alternative of an origin could be made.
///
/// Callers do not get the error, because the transport uses the origin then.
struct AlternativeFailure: TransportFailure {
    let cause: any Error

    var urlErrorCode: URLError.Code { URLError.code(forConnectionError: cause) }
    var reason: String? { nil }
}

/// The server at an alternative has not negotiated the protocol of the alternative (RFC 7838, section 2.3).
struct AlternativeProtocolMissing: Error {}
#endif
