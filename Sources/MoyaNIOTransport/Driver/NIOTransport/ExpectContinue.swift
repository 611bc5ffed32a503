import Foundation

/// The settings of a transport for requests that expect `100 (Continue)` (RFC 9110, section 10.1.1).
struct ExpectContinue: Sendable {
    /// ``TransportConfiguration/expectContinueSize``.
    let size: Int64?
    /// ``TransportConfiguration/expectContinueTimeout``.
    let timeout: Duration

    init(_ configuration: TransportConfiguration) {
        size = configuration.expectContinueSize
        timeout = min(configuration.expectContinueTimeout, .longestTimeout)
    }

    /// Returns whether a body has the length from which it waits for the server; `nil` is an unknown length.
    func isLarge(_ length: Int64?) -> Bool { size.map { length ?? .max >= $0 } ?? false }
}
