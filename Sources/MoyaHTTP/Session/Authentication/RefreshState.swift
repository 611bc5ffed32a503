import Foundation

/// Decides which request waits for a refresh, which starts one, and who goes on when it ends. Pure: it knows
/// credentials by number only, and is told the time.
struct RefreshState: Equatable, Sendable {
    enum Action: Equatable, Sendable {
        /// Go on with the credential that there is now.
        case proceed
        /// Wait under this number for the refresh that runs.
        case wait(waiter: Int)
        /// Start a refresh, and wait for it under this number.
        case refresh(id: Int, waiter: Int)
        /// The refusal has nothing to do with the credential: leave it.
        case leave
        /// Fail.
        case fail(AuthenticationError)
    }

    private struct Refresh: Equatable, Sendable {
        let id: Int
        var waiters: Set<Int> = []
    }

    /// How often a request is repeated because of authentication, whatever happens around it.
    static let maximumRepeats = 3

    /// The number of the credential: another one whenever it changes.
    private(set) var generation = 0
    private let window: RefreshWindow?
    private var running: Refresh?
    private var lastNumber = 0
    /// When refreshes have begun within the window.
    private var beginnings: [Duration] = []
    private(set) var repeated: RepeatedRequests

    init(window: RefreshWindow?, repeated: RepeatedRequests = RepeatedRequests()) {
        self.window = window
        self.repeated = repeated
    }

    var isRefreshing: Bool { running != nil }

    func isRunning(_ id: Int) -> Bool { running?.id == id }

    /// A request is about to be sent.
    ///
    /// - Parameters:
    ///   - requiresRefresh: What the credential says of itself.
    ///   - seen: The generation of the credential that was asked.
    mutating func requested(requiresRefresh: Bool, seen: Int, at now: Duration) -> Action {
        if running != nil { return join() }
        // Somebody has changed it since: what was seen does not count any more.
        guard requiresRefresh, seen == generation else { return .proceed }
        return begin(at: now)
    }

    /// A request was refused.
    ///
    /// - Parameters:
    ///   - isCurrent: Whether it was sent with the credential of the generation that was seen.
    mutating func refused(_ request: UUID, isCurrent: Bool, seen: Int, at now: Duration) -> Action {
        var entry = repeated[request] ?? RepeatedRequests.Entry()
        let isRefusedAfterRefresh = isCurrent && seen == generation && entry.hasWaited
        guard entry.repeats < Self.maximumRepeats, !isRefusedAfterRefresh else {
            repeated[request] = nil
            return isCurrent ? .fail(.excessiveRefresh) : .leave
        }
        entry.repeats += 1
        let action: Action
        if running != nil {
            action = join()
            entry.hasWaited = true
        } else if seen != generation {
            action = .proceed
        } else if !isCurrent {
            // Repeated with this very credential, and without it when it was sent: it is not meant for this request, or
            // a redirect has led elsewhere.
            action = entry.generation == generation ? .leave : .proceed
            entry.generation = generation
        } else {
            action = begin(at: now)
            entry.hasWaited = true
        }
        switch action {
        case .proceed, .wait, .refresh: repeated[request] = entry
        case .leave, .fail: repeated[request] = nil
        }
        return action
    }

    /// A request is over, as far as authentication goes.
    mutating func ended(_ request: UUID) { repeated[request] = nil }

    /// A request waits no longer. The refresh goes on.
    mutating func left(waiter: Int) { running?.waiters.remove(waiter) }

    /// The refresh has brought a credential. Returns who has waited, or `nil` if the result is not wanted any more.
    mutating func succeeded(_ id: Int) -> Set<Int>? {
        guard let waiters = end(id) else { return nil }
        generation += 1
        return waiters
    }

    /// The refresh has failed. Returns who has waited, or `nil` if the result is not wanted any more.
    mutating func failed(_ id: Int) -> Set<Int>? { end(id) }

    /// The credential was set from outside: that wins over a refresh that runs. Returns who has waited for it.
    mutating func credentialSet() -> Set<Int> {
        generation += 1
        beginnings = []
        // What was refused before was not this one.
        repeated.removeAll()
        defer { running = nil }
        return running?.waiters ?? []
    }

    private mutating func end(_ id: Int) -> Set<Int>? {
        guard let refresh = running, refresh.id == id else { return nil }
        running = nil
        return refresh.waiters
    }

    private mutating func join() -> Action {
        lastNumber += 1
        running?.waiters.insert(lastNumber)
        return .wait(waiter: lastNumber)
    }

    private mutating func begin(at now: Duration) -> Action {
        if let window {
            let interval = Duration(clampingSeconds: window.interval)
            beginnings.removeAll { now - $0 >= interval }
            guard beginnings.count < window.maximumAttempts else { return .fail(.excessiveRefresh) }
            beginnings.append(now)
        }
        lastNumber += 2
        running = Refresh(id: lastNumber - 1, waiters: [lastNumber])
        return .refresh(id: lastNumber - 1, waiter: lastNumber)
    }
}
