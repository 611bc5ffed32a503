import Dispatch
import Foundation

/// The resolver of the system (`getaddrinfo`), with its `/etc/hosts`, name servers and search domains.
///
/// Lookups run side by side, each on a thread that exists only for it; equal lookups share one. At most 64 lookups run at a time,
/// and further ones wait. A lookup whose callers have all been cancelled, or that has taken 250 ms, no longer counts, but the
/// process never has more than 256 threads for lookups. A lookup without callers goes on until the system ends it, and later
/// callers share it. The system does not tell the lifetime of the addresses.
public struct SystemHostResolver: HostResolver {
    /// Creates the resolver; all resolvers share their threads.
    public init() {}

    /// Resolves a host name, or an IP address.
    ///
    /// It returns at once when its task is cancelled.
    ///
    /// - Throws: ``HostResolutionError``, or `CancellationError`.
    public func resolve(_ host: String) async throws -> ResolvedHost { try await SystemLookups.shared.resolve(host) }
}

/// The running lookups of the system, and the callers that wait for them.
package final class SystemLookups: Sendable {
    package typealias Outcome = Result<ResolvedHost, any Error>

    private struct State: Sendable {
        var queue: HostLookupQueue
        var lastWaiter = 0
        var waiters: [HostLookupQueue.WaiterID: @Sendable (Outcome) -> Void] = [:]
        /// The time at which the timer fires; `nil` if there is no timer.
        var timer: Duration?
    }

    package static let shared = SystemLookups(limit: 64, maximumThreads: 256, lookUp: SystemLookups.askSystem)

    /// The time after which a lookup makes room for another one.
    static let slowTime = Duration.milliseconds(250)

    private let state: Locked<State>
    private let lookUp: @Sendable (String) throws -> ResolvedHost
    private let timers = DispatchQueue(label: "moya.host-lookups")
    private let started = ContinuousClock.now

    /// Creates lookups by a function that blocks.
    init(
        limit: Int,
        maximumThreads: Int,
        lookUp: @escaping @Sendable (String) throws -> ResolvedHost
    ) {
        state = Locked(
            State(queue: HostLookupQueue(limit: limit, maximumThreads: maximumThreads, slowTime: Self.slowTime))
        )
        self.lookUp = lookUp
    }

    private var now: Duration { started.duration(to: .now) }

    /// The number of lookups that run, wanted or not.
    var runningCount: Int { state.withLock { $0.queue.runningCount } }

    /// Resolves a host without a task, so that the result does not wait for a free thread of Swift's concurrency.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - completion: Called once, on any thread; the error is a ``HostResolutionError``, or a `CancellationError`.
    /// - Returns: A function that cancels the wait for the result.
    package func resolve(_ host: String, completion: @escaping @Sendable (Outcome) -> Void) -> @Sendable () -> Void {
        let waiter = update { state, now in
            state.lastWaiter += 1
            state.waiters[state.lastWaiter] = completion
            return (state.queue.add(state.lastWaiter, for: host, at: now), state.lastWaiter)
        }
        return { self.giveUp(waiter, host) }
    }

    func resolve(_ host: String) async throws -> ResolvedHost {
        // The result of a lookup that ends at once must not hide a cancellation.
        try Task.checkCancellation()
        let promise = Promise<Outcome>()
        let giveUp = resolve(host) { promise.fulfill($0) }
        return try await withTaskCancellationHandler {
            try await promise.wait().get()
        } onCancel: {
            giveUp()
        }
    }

    private func giveUp(_ waiter: HostLookupQueue.WaiterID, _ host: String) {
        let completion = update { state, now in
            (state.queue.remove(waiter, of: host, at: now), state.waiters.removeValue(forKey: waiter))
        }
        completion?(.failure(CancellationError()))
    }

    private func finish(_ host: String, _ outcome: Outcome) {
        let completions = update { state, now in
            let (waiters, starting) = state.queue.finish(host, at: now)
            return (starting, waiters.compactMap { state.waiters.removeValue(forKey: $0) })
        }
        for completion in completions { completion(outcome) }
    }

    /// Changes the state, and starts the lookups that the change allows.
    private func update<Value: Sendable>(
        _ change: (inout State, _ now: Duration) -> (starting: [String], value: Value)
    ) -> Value {
        let now = now
        let (hosts, value, deadline) = state.withLock { state -> ([String], Value, Duration?) in
            let (hosts, value) = change(&state, now)
            guard let next = state.queue.nextDeadline, next < state.timer ?? .longestTimeout else {
                return (hosts, value, nil)
            }
            state.timer = next
            return (hosts, value, next)
        }
        if let deadline { schedule(at: deadline, now) }
        for host in hosts where !startThread({ self.finish(host, Result { try self.lookUp(host) }) }) {
            finish(host, .failure(HostResolutionError.failed(host: host, reason: "There are no more threads.")))
        }
        return value
    }

    private func schedule(at time: Duration, _ now: Duration) {
        // In seconds, because an Int of 32 bits holds only two seconds in nanoseconds.
        timers.asyncAfter(deadline: .now() + max(0, (time - now) / .seconds(1))) { [weak self] in
            self?.update { state, now in
                if state.timer == time { state.timer = nil }
                return (state.queue.deadlinePassed(at: max(now, time)), ())
            }
        }
    }

    // MARK: The system

    /// The size of a thread's stack, which is far more than the system's lookups need.
    private static let stackSize = 512 * 1024

    private final class ThreadBody {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread that ends with the function; returns false if the system has no more threads.
    private func startThread(_ run: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, Self.stackSize)
        let body = Unmanaged.passRetained(ThreadBody(run))
        #if canImport(Darwin)
        var thread: pthread_t?
        let isStarted =
            pthread_create(
                &thread,
                &attributes,
                { argument in
                    Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
                    return nil
                },
                body.toOpaque()
            ) == 0
        #else
        var thread = pthread_t()
        let isStarted =
            pthread_create(
                &thread,
                &attributes,
                { argument in
                    if let argument { Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run() }
                    return nil
                },
                body.toOpaque()
            ) == 0
        #endif
        if !isStarted { body.release() }
        return isStarted
    }

    /// Asks the system, and blocks the thread until the lookup ends.
    @Sendable
    private static func askSystem(_ host: String) throws -> ResolvedHost {
        ResolvedHost(addresses: try addresses(of: host))
    }

    /// Returns the addresses of a host in the order of the system (RFC 6724), without duplicates.
    private static func addresses(of host: String) throws(HostResolutionError) -> [String] {
        // The system would read the name up to the NUL.
        guard !host.utf8.contains(0) else { throw .notFound(host: host) }
        var hints = addrinfo()
        // One result for each address, not one for each type of socket.
        #if canImport(Glibc)
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        #else
        hints.ai_socktype = SOCK_STREAM
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &first)
        guard status == 0 else { throw error(forStatus: status, errno: errno, host: host) }
        defer { if let first { freeaddrinfo(first) } }
        var addresses: [String] = []
        var next = first
        while let info = next?.pointee {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            if getnameinfo(
                info.ai_addr,
                info.ai_addrlen,
                &text,
                socklen_t(text.count),
                nil,
                0,
                NI_NUMERICHOST
            ) == 0 {
                let address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                if !addresses.contains(address) { addresses.append(address) }
            }
            next = info.ai_next
        }
        guard !addresses.isEmpty else { throw .notFound(host: host) }
        return addresses
    }

    private static func error(forStatus status: CInt, errno code: CInt, host: String) -> HostResolutionError {
        switch status {
        case EAI_NONAME, noData: .notFound(host: host)
        case EAI_SYSTEM: .failed(host: host, reason: "\(String(cString: strerror(code))).")
        default: .failed(host: host, reason: "\(String(cString: gai_strerror(status))).")
        }
    }

    /// `EAI_NODATA`, an extension of the C libraries: the host has no address.
    #if canImport(Darwin)
    private static let noData: CInt = 7
    #else
    private static let noData: CInt = -5
    #endif
}
