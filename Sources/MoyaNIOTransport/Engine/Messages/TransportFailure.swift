import Foundation

/// An error of the transport with the corresponding `URLError` code.
protocol TransportFailure: Error {
    var urlErrorCode: URLError.Code { get }
    /// The localized description of the `URLError`; `nil` for the default text of its code.
    var reason: String? { get }
}
