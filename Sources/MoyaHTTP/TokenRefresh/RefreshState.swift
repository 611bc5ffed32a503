import Foundation

/// The state machine that decides which requests wait for a refresh, which one starts it, and which continue when
/// it ends.
///
/// It has no side effects: credentials are identified by number, and the current time is passed in.
struct RefreshState: Equatable, Sendable {
    enum Action: Equatable, Sendable {
        /// Continue with the current credential.
        case proceed
        /// Wait under this number for the running refresh.
        case wait(waiter: Int)
        /// Start a refresh, and wait for it under this number.
        case refresh(id: Int, waiter: Int)
        /// Return the response: it does not reject the credential.
        case leave
        /// Fail the request with this error.
        case fail(AuthenticationError)
    }

    private struct Refresh: Equatable, Sendable {
        let id: Int
        var waiters: Set<Int> = []
    }

    /// The requests that a credential has been added to.
    enum Users: Equatable, Sendable {
        case none
        case one(UUID)
        case several
    }

    /// The number of the credential, which changes whenever the credential does.
    private(set) var generation = 0 {
        didSet { users = .none }
    }
    /// The requests that the credential has been added to.
    private(set) var users = Users.none
    private let window: RefreshWindow?
    /// The number of refreshed credentials that may be rejected for one request.
    private let maximumRefusals: Int
    private var running: Refresh?
    private var lastNumber = 0
    /// The start times of the refreshes within the window.
    private var beginnings: [Duration] = []
    private(set) var repeated: RepeatedRequests

    init(window: RefreshWindow?, repeated: RepeatedRequests = RepeatedRequests()) {
        self.window = window
        maximumRefusals = min(max(1, window?.maximumAttempts ?? 5), 1_000_000)
        self.repeated = repeated
    }

    var isRefreshing: Bool { running != nil }

    func isRunning(_ id: Int) -> Bool { running?.id == id }

    /// Handles a request that is about to be sent.
    ///
    /// - Parameters:
    ///   - requiresRefresh: Whether the credential requires a refresh.
    ///   - usedGeneration: The generation of that credential.
    ///   - now: The current time.
    /// - Returns: The action.
    mutating func handleRequest(requiresRefresh: Bool, generation usedGeneration: Int, at now: Duration) -> Action {
        if running != nil { return joinRefresh() }
        // The credential has changed since, so `requiresRefresh` does not apply to it.
        guard requiresRefresh, usedGeneration == generation else { return .proceed }
        return beginRefresh(at: now)
    }

    /// Handles a request that the credential of the generation `usedGeneration` has been added to.
    mutating func recordUse(by request: UUID, generation usedGeneration: Int) {
        guard usedGeneration == generation else { return }
        switch users {
        case .none: users = .one(request)
        case .one(request), .several: break
        case .one: users = .several
        }
    }

    /// Handles a request whose credential was rejected.
    ///
    /// A rejection counts against a request if the credential was refreshed for it. Then the request fails if the rejections have
    /// reached the limit, or if no other request has used the credential and thus none can have used it up.
    ///
    /// - Parameters:
    ///   - request: The identifier of the request.
    ///   - isCurrent: Whether the request was sent with the credential of the generation `usedGeneration`.
    ///   - usedGeneration: The generation of the credential when the response was handled.
    ///   - now: The current time.
    /// - Returns: The action.
    mutating func handleRejection(of request: UUID, isCurrent: Bool, generation usedGeneration: Int, at now: Duration)
        -> Action
    {
        var entry = repeated[request] ?? RepeatedRequests.Entry()
        let isCurrent = isCurrent && usedGeneration == generation
        if isCurrent, entry.awaited == generation { entry.refusals += 1 }
        let action: Action
        if let limit = exceededLimit(entry, request, isCurrent: isCurrent) {
            action = isCurrent ? .fail(AuthenticationError(.excessiveRefresh, limit: limit)) : .leave
        } else if running != nil {
            action = joinRefresh()
        } else if usedGeneration != generation {
            action = .proceed
        } else if !isCurrent {
            // The request was repeated with this credential, but sent without it: the credential is not meant for
            // the request, or a redirect led to another origin.
            action = entry.generation == generation ? .leave : .proceed
            entry.generation = generation
        } else {
            action = beginRefresh(at: now)
        }
        entry.repeats += 1
        switch action {
        case .wait, .refresh:
            entry.awaited = generation + 1
            repeated[request] = entry
        case .proceed: repeated[request] = entry
        case .leave, .fail: repeated[request] = nil
        }
        return action
    }

    /// Returns the limit for each request that a rejection exceeds.
    private func exceededLimit(
        _ entry: RepeatedRequests.Entry,
        _ request: UUID,
        isCurrent: Bool
    ) -> AuthenticationError.Limit? {
        if isCurrent, entry.awaited == generation {
            if users == .none || users == .one(request) { return .newCredential }
            if entry.refusals >= maximumRefusals { return .refusals(entry.refusals) }
        }
        // Others may change the credential again and again.
        return entry.repeats < 4 * maximumRefusals ? nil : .refusals(entry.repeats)
    }

    /// Handles the end of a request.
    mutating func finishRequest(_ request: UUID) { repeated[request] = nil }

    /// Handles a request that stops waiting.
    ///
    /// The refresh continues.
    mutating func removeWaiter(_ waiter: Int) { running?.waiters.remove(waiter) }

    /// Handles a successful refresh.
    ///
    /// Returns the waiters, or `nil` if the result is obsolete.
    mutating func finishRefresh(_ id: Int) -> Set<Int>? {
        guard let waiters = endRefresh(id) else { return nil }
        generation += 1
        return waiters
    }

    /// Handles a failed refresh.
    ///
    /// Returns the waiters, or `nil` if the result is obsolete.
    mutating func failRefresh(_ id: Int) -> Set<Int>? { endRefresh(id) }

    /// Handles a credential set by the application, which takes precedence over a running refresh.
    ///
    /// Returns the waiters.
    mutating func replaceCredential() -> Set<Int> {
        generation += 1
        beginnings = []
        // Earlier rejections do not apply to the new credential.
        repeated.removeAll()
        defer { running = nil }
        return running?.waiters ?? []
    }

    private mutating func endRefresh(_ id: Int) -> Set<Int>? {
        guard let refresh = running, refresh.id == id else { return nil }
        running = nil
        return refresh.waiters
    }

    private mutating func joinRefresh() -> Action {
        lastNumber += 1
        running?.waiters.insert(lastNumber)
        return .wait(waiter: lastNumber)
    }

    private mutating func beginRefresh(at now: Duration) -> Action {
        if let window {
            let interval = Duration(clampingSeconds: window.interval)
            beginnings.removeAll { now - $0 >= interval }
            guard beginnings.count < window.maximumAttempts else {
                return .fail(AuthenticationError(.excessiveRefresh, limit: .window(window)))
            }
            beginnings.append(now)
        }
        lastNumber += 2
        running = Refresh(id: lastNumber - 1, waiters: [lastNumber])
        return .refresh(id: lastNumber - 1, waiter: lastNumber)
    }
}

/// A marker of the task that refreshes a credential.
///
/// Requests made in this task are recognized by it, so that they do not wait for the refresh that they are part of.
struct RefreshMark: Sendable {
    /// The refreshes that this task is part of.
    ///
    /// There are several if the refresh of one interceptor uses the session of another.
    @TaskLocal private static var all: [RefreshMark] = []

    private let interceptor: UUID
    private let end = Promise<Void>()

    private init(interceptor: UUID) { self.interceptor = interceptor }

    /// Returns whether this task is part of a running refresh of this interceptor.
    ///
    /// A task that was started by a refresh and outlives it is not part of it any more.
    static func isInside(_ interceptor: UUID) -> Bool {
        all.contains { $0.interceptor == interceptor && $0.end.value == nil }
    }

    /// Runs a refresh of this interceptor.
    static func mark<R: Sendable>(_ interceptor: UUID, _ refresh: @Sendable () async -> R) async -> R {
        let mark = RefreshMark(interceptor: interceptor)
        defer { mark.end.fulfill(()) }
        return await $all.withValue(all + [mark]) { await refresh() }
    }
}

/// A limit on the number of refreshes, which ends refresh loops: five in 30 seconds by default.
///
/// All requests together start at most that many refreshes within the interval. A request fails when that many refreshed
/// credentials have been rejected for it, however long that takes. Raise the number for a server whose credentials are valid for
/// few requests.
public struct RefreshWindow: Equatable, Sendable {
    /// The length of the interval, in seconds.
    public var interval: TimeInterval
    /// The maximum number of refreshes that may start within the interval, including failed ones; 0 disables
    /// refreshes.
    public var maximumAttempts: Int

    /// Creates a window.
    public init(interval: TimeInterval = 30, maximumAttempts: Int = 5) {
        self.interval = interval
        self.maximumAttempts = maximumAttempts
    }
}

/// The requests that an interceptor has repeated and that have not ended.
///
/// The interceptor is not notified when a request is cancelled. Therefore the number of entries is limited, and the
/// oldest are removed.
struct RepeatedRequests: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        /// The number of times that the request was repeated because of authentication.
        var repeats = 0
        /// The number of credentials that were refreshed for the request and rejected.
        var refusals = 0
        /// The generation of the credential whose refresh the request has waited for last.
        var awaited: Int?
        /// The generation of the credential with which the request was last repeated immediately; see
        /// ``RefreshState/generation``.
        var generation: Int?
    }

    private let capacity: Int
    private var recent: [UUID: Entry] = [:]
    private var older: [UUID: Entry] = [:]

    /// Creates a collection that keeps at least `capacity` and at most twice as many entries.
    init(capacity: Int = 8192) { self.capacity = capacity }

    var count: Int { recent.count + older.count }

    /// The entry of a request; setting `nil` removes it.
    subscript(id: UUID) -> Entry? {
        get { recent[id] ?? older[id] }
        set {
            if !older.isEmpty { older[id] = nil }
            if let newValue {
                recent[id] = newValue
            } else if !recent.isEmpty {
                recent[id] = nil
            }
            guard recent.count >= capacity else { return }
            older = recent
            recent = [:]
        }
    }

    mutating func removeAll() {
        recent = [:]
        older = [:]
    }
}
