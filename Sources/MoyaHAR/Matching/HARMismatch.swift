import Foundation
import MoyaHTTP

/// The error for a request without a matching entry; ``nearest`` and ``differences`` describe the most similar one.
public struct HARMismatch: Error, Hashable, Sendable {
    /// The reason for the error.
    public enum Reason: Hashable, Sendable {
        /// The recording has no entries.
        case empty
        /// No entry matches.
        case noMatch
        /// All matching entries have been used.
        case usedUp
        /// Another request is next (``HARMatching/Order/recorded``).
        case outOfOrder
        /// All entries have been used in order.
        case pastTheEnd
    }

    /// The reason for the error.
    public let reason: Reason
    /// The request, masked.
    public let request: HAR.Request
    /// The most similar entry, masked.
    public let nearest: HAR.Entry?
    /// The position of ``nearest`` among the entries, from 0.
    public let nearestIndex: Int?
    /// The differences of ``nearest``; empty if it matches but has been used.
    public let differences: [HARDifference]

    init(
        _ reason: Reason,
        request: HAR.Request,
        nearest: (index: Int, entry: HAR.Entry)? = nil,
        differences: [HARDifference] = []
    ) {
        self.reason = reason
        self.request = request
        self.nearest = nearest?.entry
        nearestIndex = nearest?.index
        self.differences = differences
    }
}

extension HARMismatch: MaskedError {
    /// The request, the most similar entry, and the differences.
    public var errorDescription: String? {
        let actual = "\(request.method) \(request.url.shortened)"
        guard let nearest, let nearestIndex else {
            let cause = reason == .empty ? "there are no entries" : "all entries have been used"
            return "No recorded entry matches \(actual): \(cause). Record it again."
        }
        let entry = "entry \(nearestIndex), \(nearest.request.method) \(nearest.request.url.shortened)"
        let details = differences.map { "\n- \($0)" }.joined()
        switch reason {
        case .usedUp:
            return "No unused recorded entry matches \(actual): \(entry), has been used already. Record it again, or "
                + "allow entries to repeat."
        case .outOfOrder:
            return "The next recorded entry does not match \(actual). It is \(entry), which differs:\(details)"
        case .empty, .noMatch, .pastTheEnd:
            return "No recorded entry matches \(actual). The nearest is \(entry), which differs:\(details)"
        }
    }
}
