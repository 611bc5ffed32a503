import Foundation

/// An error that ends a stream whose lines or events exceed the reader's limits.
///
/// Without limits, a peer that never sends a line terminator, or never ends an event, could exhaust memory. Limits
/// are in bytes as received.
public enum StreamLimitError: Error, Equatable, Sendable {
    /// A line has more bytes than the limit, terminator excluded.
    case lineTooLong(limit: Int)
    /// The data of one server-sent event has more bytes than the limit, including the line feeds between its lines.
    case eventTooLarge(limit: Int)
}

extension StreamLimitError: LocalizedError {
    /// A sentence that describes the problem and a remedy.
    public var errorDescription: String? {
        switch self {
        case .lineTooLong(let limit):
            "The stream has a line of more than \(limit) bytes: raise the limit if such lines are expected."
        case .eventTooLarge(let limit):
            "The stream has an event with more than \(limit) bytes of data: raise the limit if such events are expected."
        }
    }
}
