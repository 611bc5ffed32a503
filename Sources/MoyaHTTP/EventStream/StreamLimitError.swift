import Foundation

/// A stream whose lines or events are larger than the reader allows; it ends there.
///
/// A peer that never sends a line end, or never ends an event, would otherwise fill the memory. Limits are in bytes, as
/// received.
public enum StreamLimitError: Error, Equatable, Sendable {
    /// A line has more bytes than this, its line end not counted.
    case lineTooLong(limit: Int)
    /// The data of one server-sent event has more bytes than this, the line feeds between its lines counted.
    case eventTooLarge(limit: Int)
}

extension StreamLimitError: LocalizedError {
    /// What is wrong, and what to do, in one sentence.
    public var errorDescription: String? {
        switch self {
        case .lineTooLong(let limit):
            "The stream has a line of more than \(limit) bytes: raise the limit if such lines are expected."
        case .eventTooLarge(let limit):
            "The stream has an event with more than \(limit) bytes of data: raise the limit if such events are expected."
        }
    }
}
