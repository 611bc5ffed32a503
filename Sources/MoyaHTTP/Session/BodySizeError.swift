import Foundation

/// The error of a body that is read into memory and has more bytes than ``Session/maximumBodySize``.
///
/// It is found under `NSUnderlyingErrorKey` of a `URLError.dataLengthExceedsMaximum`.
public struct BodySizeError: Error, Equatable, Sendable, MaskedError {
    /// The maximum, in bytes.
    public let maximum: Int

    /// A sentence with the limit and a remedy.
    public var errorDescription: String? {
        "The response's body has more than \(maximum) bytes: increase the session's maximumBodySize, or read it as a stream."
    }
}
