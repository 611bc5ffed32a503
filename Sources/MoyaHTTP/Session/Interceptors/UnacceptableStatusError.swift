import Foundation

/// An error for a response with an unacceptable status.
public struct UnacceptableStatusError: Error, Equatable, Sendable {
    /// The status code.
    public let status: Int

    /// Creates an error.
    public init(status: Int) { self.status = status }
}

extension UnacceptableStatusError: MaskedError {
    /// A sentence with the status.
    public var errorDescription: String? { "The server responded with status \(status), which is not acceptable." }
}
