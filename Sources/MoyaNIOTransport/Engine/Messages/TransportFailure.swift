import Foundation

/// An error of the transport with the corresponding `URLError` code.
protocol TransportFailure: Error {
    var urlErrorCode: URLError.Code { get }
    /// The localized description of the `URLError`; `nil` for the default text of its code.
    var reason: String? { get }
    /// The connect timeout within which a connection was not established; `nil` for another failure.
    var connectTimeout: Duration? { get }
}

extension TransportFailure {
    var connectTimeout: Duration? { nil }
}
