/// The numbers of exchanges and failures in the latest time, in a fixed amount of memory.
///
/// The time is divided into slices of a tenth of the window, and the latest ten of them count. So an outcome counts for 90 % to
/// 100 % of the window's length.
struct FailureWindow: Equatable, Sendable {
    /// The number of exchanges, and the number of those that have failed.
    struct Counts: Equatable, Sendable {
        var exchanges = 0
        var failures = 0
    }

    private static let count = 10

    /// The length of a slice, in microseconds.
    private let length: Int64
    /// The counts of the latest slices, each at its number modulo the count.
    private var slices = [Counts](repeating: Counts(), count: Self.count)
    /// The number of the latest slice.
    private var latest: Int64 = 0

    /// Creates a window without exchanges.
    init(length: Duration) { self.length = max(1, length.inMicroseconds / Int64(Self.count)) }

    /// Counts an exchange.
    mutating func record(isFailure: Bool, at now: Duration) {
        advance(to: now)
        let index = Self.index(of: latest)
        slices[index].exchanges += 1
        if isFailure { slices[index].failures += 1 }
    }

    /// Returns the counts of the window that ends now.
    mutating func counts(at now: Duration) -> Counts {
        advance(to: now)
        return slices.reduce(into: Counts()) { sum, slice in
            sum.exchanges += slice.exchanges
            sum.failures += slice.failures
        }
    }

    /// Forgets all exchanges.
    mutating func removeAll() { for index in slices.indices { slices[index] = Counts() } }

    /// Whether no exchange counts at a time.
    func isEmpty(at now: Duration) -> Bool {
        var window = self
        return window.counts(at: now).exchanges == 0
    }

    /// Empties the slices that have begun since the latest one; a clock that goes back leaves it as it is.
    private mutating func advance(to now: Duration) {
        let number = now.inMicroseconds / length
        guard number > latest else { return }
        for slice in max(latest + 1, number - Int64(Self.count) + 1)...number {
            slices[Self.index(of: slice)] = Counts()
        }
        latest = number
    }

    private static func index(of slice: Int64) -> Int { Int(slice % Int64(count)) }
}
