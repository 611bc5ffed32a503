import Foundation

/// A request to which no recorded entry answers. Match its ``reason``; ``nearest`` and ``differences`` say what is close.
public struct HARMismatch: Error, Hashable, Sendable {
    /// Why none answers.
    public enum Reason: Hashable, Sendable {
        /// There are no entries at all.
        case empty
        /// None matches.
        case noMatch
        /// All that match have answered already.
        case usedUp
        /// Another request is next (``HARMatching/Order/recorded``).
        case outOfOrder
        /// All entries have answered, and they answer in their order.
        case pastTheEnd
    }

    /// Why none answers.
    public let reason: Reason
    /// What was asked, masked.
    public let request: HAR.Request
    /// The recorded entry that is most like it, masked.
    public let nearest: HAR.Entry?
    /// The place of ``nearest`` among the entries, from 0.
    public let nearestIndex: Int?
    /// In what the two differ; empty if the entry matches, and has answered already.
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

extension HARMismatch: LocalizedError {
    /// What was asked, what is nearest, and what differs.
    public var errorDescription: String? {
        let asked = "\(request.method) \(HARDifference.short(request.url))"
        guard let nearest, let nearestIndex else {
            let cause = reason == .empty ? "there are no entries" : "all entries have answered"
            return "No recorded entry answers \(asked): \(cause). Record it anew."
        }
        let entry = "entry \(nearestIndex), \(nearest.request.method) \(HARDifference.short(nearest.request.url))"
        let details = differences.map { "\n- \($0)" }.joined()
        switch reason {
        case .usedUp:
            return "No recorded entry answers \(asked) once more: \(entry), has answered already. Record it anew, or "
                + "let entries repeat."
        case .outOfOrder:
            return "The next recorded entry does not answer \(asked). It is \(entry), which differs:\(details)"
        case .empty, .noMatch, .pastTheEnd:
            return "No recorded entry answers \(asked). The nearest is \(entry), which differs:\(details)"
        }
    }
}

extension HARMismatch: CustomStringConvertible {
    /// The text of the error, which is what tests print.
    public var description: String { errorDescription ?? "" }
}
