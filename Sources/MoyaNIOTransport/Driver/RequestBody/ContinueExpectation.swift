#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes

/// The settings of a transport for requests that expect `100 (Continue)` (RFC 9110, section 10.1.1).
struct ExpectContinueSettings: Sendable {
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

/// The expectation `100-continue` of one request.
final class ContinueExpectation: Sendable {
    /// The maximum time to wait for the server.
    let timeout: Duration
    private let isBodyClaimed = InlineLocked(false)

    init(timeout: Duration) { self.timeout = timeout }

    /// Claims the unread body, for the request or for its repetition, and returns whether it has not been claimed before.
    func claimBody() -> Bool {
        isBodyClaimed.withLock { isClaimed in
            defer { isClaimed = true }
            return !isClaimed
        }
    }
}

extension HTTPField {
    /// Whether the field is `Expect: 100-continue`.
    var isExpectContinue: Bool { name == .expect && value.lowercased() == "100-continue" }
}
#endif
