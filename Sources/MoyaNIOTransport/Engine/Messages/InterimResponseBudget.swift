/// The size of the interim responses to a request (RFC 9110, section 15.2), which is limited for each interval.
///
/// A server may send one every second for hours, to say that it still works on the request. Only a flood is an error.
struct InterimResponseBudget: Equatable, Sendable {
    /// The time after which the count starts again.
    static let interval = Duration.seconds(10)
    /// The maximum size of the interim responses in an interval, in bytes.
    static let limit = 256 * 1024
    /// The size of an interim response that is counted at least, so that the number of short ones is limited, too.
    private static let minimumSize = 64

    private var size = 0

    /// Whether there has been an interim response in this interval.
    var isUsed: Bool { size > 0 }

    /// Counts an interim response with a head of this size in bytes; returns whether it is within the limit.
    mutating func spend(_ size: Int) -> Bool {
        self.size += max(size, Self.minimumSize)
        return self.size <= Self.limit
    }

    /// Starts another interval.
    mutating func intervalPassed() { size = 0 }
}
