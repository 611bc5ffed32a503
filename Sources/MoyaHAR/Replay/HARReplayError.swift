import Foundation

/// The error for a matching entry whose response cannot be replayed.
public struct HARReplayError: Error, Hashable, Sendable {
    /// The reason for the error.
    public enum Reason: Hashable, Sendable {
        /// The file does not contain the body, or refers to another file, which is not read.
        case bodyIsMissing
        /// The file contains only the first bytes of the body.
        case bodyIsCut(kept: Int64, size: Int64)
    }

    /// The reason for the error.
    public let reason: Reason
    /// The entry, masked.
    public let entry: HAR.Entry
    /// The entry's position in the recording, from 0.
    public let index: Int

    package init(_ reason: Reason, entry: HAR.Entry, index: Int) {
        self.reason = reason
        // Masked, as errors are printed.
        self.entry = entry.masking(.standard)
        self.index = index
    }
}

extension HARReplayError: LocalizedError {
    /// What is missing, and how to resolve the error.
    public var errorDescription: String? {
        let name = "entry \(index), \(entry.request.method) \(entry.request.url)"
        switch reason {
        case .bodyIsMissing:
            return "The body of \(name), is not in the recording: record or export it with its bodies."
        case .bodyIsCut(let kept, let size):
            return "Only \(kept) of \(size) bytes of the body of \(name), are in the recording: record it with a "
                + "larger limit."
        }
    }
}
