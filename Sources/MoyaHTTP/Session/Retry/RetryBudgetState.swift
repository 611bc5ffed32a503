/// A bucket of tokens, of which each retry takes one. Pure: time is handed in.
///
/// Each first try puts a share of a token in, and a reserve fills by itself, so that clients with few requests may retry,
/// too. Counted in millionths, so that five fifths are one.
struct RetryBudgetState: Equatable, Sendable {
    private let share: Int64
    private let reservePerSecond: Double
    private let maximumBalance: Int64
    private let maximumReserve: Int64
    private(set) var balance: Int64 = 0
    private(set) var reserve: Int64
    private var lastRefill: Duration = .zero

    /// One retry.
    static let token: Int64 = 1_000_000

    /// Any values will do: what is negative or no number counts as zero, what is above a million as a million.
    init(share: Double, reservePerSecond: Double, maximumBalance: Double) {
        func tokens(_ number: Double) -> Int64 {
            number > 0 ? Int64((min(number, 1_000_000) * Double(Self.token)).rounded()) : 0
        }
        self.share = tokens(share)
        self.maximumBalance = tokens(maximumBalance)
        self.reservePerSecond = Double(tokens(reservePerSecond))
        // Less than one in a second is saved until it is one.
        maximumReserve = reservePerSecond > 0 ? max(tokens(reservePerSecond), Self.token) : 0
        reserve = maximumReserve
    }

    /// A request was sent for the first time.
    mutating func firstTry() {
        balance = min(maximumBalance, balance + share)
    }

    /// A request is to be repeated. Says whether it may be.
    ///
    /// - Parameter now: Time since the bucket was made. A clock that goes back fills nothing.
    mutating func retryWanted(now: Duration) -> Bool {
        refill(now: now)
        if reserve >= Self.token {
            reserve -= Self.token
            return true
        }
        guard balance >= Self.token else { return false }
        balance -= Self.token
        return true
    }

    private mutating func refill(now: Duration) {
        guard now > lastRefill else { return }
        let earned = (now - lastRefill) / .seconds(1) * reservePerSecond
        // A fraction of a millionth stays with the clock, or a client that asks all the time would never earn any.
        guard earned >= 1 else { return }
        reserve = earned >= Double(maximumReserve) ? maximumReserve : min(maximumReserve, reserve + Int64(earned))
        lastRefill = now
    }
}
