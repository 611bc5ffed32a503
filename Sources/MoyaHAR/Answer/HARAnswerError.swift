import Foundation

/// An entry that matches a request, and whose answer can't be given again.
public struct HARAnswerError: Error, Hashable, Sendable {
    /// Why it can't.
    public enum Reason: Hashable, Sendable {
        /// The body is not in the file: it was left out, or is in another file, which is not read.
        case bodyIsMissing
        /// Only the first bytes of the body are in the file.
        case bodyIsCut(kept: Int64, size: Int64)
    }

    /// Why it can't.
    public let reason: Reason
    /// The entry, masked.
    public let entry: HAR.Entry
    /// The entry's place in the recording, from 0.
    public let index: Int

    package init(_ reason: Reason, entry: HAR.Entry, index: Int) {
        self.reason = reason
        // People read it.
        self.entry = entry.masking(.standard)
        self.index = index
    }
}

extension HARAnswerError: LocalizedError {
    /// What is missing, and what to do.
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
