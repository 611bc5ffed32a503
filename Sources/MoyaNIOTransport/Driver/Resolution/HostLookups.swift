#if NIO && !canImport(Darwin)
import Foundation
import NIOCore

/// The lookups of a resolver: equal ones are shared, and results are kept.
///
/// All transports without a resolver share ``system``.
final class HostLookups: Sendable {
    typealias Outcome = Result<[SocketAddress], any Error>

    private struct Lookup: Sendable {
        let number: Int
        var waiters: [Int: @Sendable (Outcome) -> Void] = [:]
        var cancel: (@Sendable () -> Void)?
    }

    private struct State: Sendable {
        var cache = HostCache<[SocketAddress]>()
        var lookups: [String: Lookup] = [:]
        var lastNumber = 0
    }

    static let system = HostLookups(SystemHostResolver())

    private typealias Completion = @Sendable (Result<ResolvedHost, any Error>) -> Void

    /// Starts a lookup, and returns a function that cancels it.
    private let lookUp: @Sendable (String, @escaping Completion) -> @Sendable () -> Void
    private let state = Locked(State())
    private let started = ContinuousClock.now

    init(_ resolver: any HostResolver) {
        if resolver is SystemHostResolver {
            // No task: it would wait while tasks of the application block all threads of Swift's concurrency, and connections
            // would time out.
            lookUp = SystemLookups.shared.resolve
        } else {
            lookUp = { host, completion in
                let task = Task {
                    do {
                        completion(.success(try await resolver.resolve(host)))
                    } catch {
                        completion(.failure(error))
                    }
                }
                return { task.cancel() }
            }
        }
    }

    private var now: Duration { started.duration(to: .now) }

    /// Resolves a host name to addresses with port 0.
    ///
    /// - Parameters:
    ///   - host: The host name, in the normalized form of ``HostName``.
    ///   - policy: How long results are valid; `nil` if they must be new.
    ///   - completion: Called once, on any thread, possibly before the function returns. The error is a
    ///     ``HostResolutionError``, or a `CancellationError` after a cancellation.
    /// - Returns: A function that cancels the wait.
    func resolve(
        _ host: String,
        _ policy: HostCachePolicy?,
        completion: @escaping @Sendable (Outcome) -> Void
    ) -> @Sendable () -> Void {
        enum Step: Sendable {
            case known(Outcome)
            case waits(Int, startingLookup: Int?)
        }
        let now = now
        let step = state.withLock { state -> Step in
            if let policy, let found = state.cache.found(host, policy, at: now) {
                switch found {
                case .addresses(let addresses): return .known(.success(addresses))
                case .notFound: return .known(.failure(HostResolutionError.notFound(host: host)))
                }
            }
            state.lastNumber += 1
            let waiter = state.lastNumber
            let isNew = state.lookups[host] == nil
            state.lookups[host, default: Lookup(number: waiter)].waiters[waiter] = completion
            return .waits(waiter, startingLookup: isNew ? waiter : nil)
        }
        switch step {
        case .known(let outcome):
            completion(outcome)
            return {}
        case .waits(let waiter, let lookup):
            if let lookup { start(host, lookup) }
            return { self.cancel(waiter, host) }
        }
    }

    /// Drops the addresses of a host to which a connection failed.
    func drop(_ host: String) { state.withLock { $0.cache.removeAddresses(of: host) } }

    private func start(_ host: String, _ number: Int) {
        let cancel = lookUp(host) { self.finish(host, number: number, with: $0) }
        let isWanted = state.withLock { state in
            guard state.lookups[host]?.number == number else { return false }
            state.lookups[host]?.cancel = cancel
            return true
        }
        // The lookup has ended, or all callers have cancelled it in the meantime.
        if !isWanted { cancel() }
    }

    private func finish(_ host: String, number: Int, with result: Result<ResolvedHost, any Error>) {
        let (outcome, lifetime) = Self.outcome(of: result, host)
        let now = now
        let waiters = state.withLock { state -> [@Sendable (Outcome) -> Void] in
            // A lookup that all callers have cancelled may return an older result than the next lookup.
            guard let lookup = state.lookups[host], lookup.number == number else { return [] }
            state.lookups[host] = nil
            switch outcome {
            case .success(let addresses):
                state.cache.store(.addresses(addresses), for: host, lifetime: lifetime, at: now)
            case .failure(HostResolutionError.notFound):
                state.cache.store(.notFound, for: host, lifetime: lifetime, at: now)
            case .failure: break
            }
            return Array(lookup.waiters.values)
        }
        for waiter in waiters { waiter(outcome) }
    }

    private func cancel(_ waiter: Int, _ host: String) {
        typealias Found = (completion: (@Sendable (Outcome) -> Void)?, cancelLookup: (@Sendable () -> Void)?)
        let (completion, cancelLookup) = state.withLock { state -> Found in
            guard let completion = state.lookups[host]?.waiters.removeValue(forKey: waiter) else {
                return (nil, nil)
            }
            guard state.lookups[host]?.waiters.isEmpty == true else { return (completion, nil) }
            return (completion, state.lookups.removeValue(forKey: host)?.cancel)
        }
        cancelLookup?()
        completion?(.failure(CancellationError()))
    }

    /// Returns the addresses of a result, or the error for requests, and the time for which it may be reused.
    private static func outcome(
        of result: Result<ResolvedHost, any Error>,
        _ host: String
    ) -> (Outcome, lifetime: Duration?) {
        do {
            let resolved = try result.get()
            guard !resolved.addresses.isEmpty else {
                return (.failure(HostResolutionError.notFound(host: host)), resolved.lifetime)
            }
            let addresses = try resolved.addresses.map { text in
                guard let address = SocketAddress(numeric: text) else {
                    throw HostResolutionError.failed(host: host, reason: "\"\(text)\" is not an IP address.")
                }
                return address
            }
            return (.success(HappyEyeballsOrder.sorted(addresses)), resolved.lifetime)
        } catch let error as HostResolutionError {
            return (.failure(error), nil)
        } catch {
            // The text of the error may contain secrets, such as those in the URL of a name server.
            let reason = "The resolver failed with \(type(of: error))."
            return (.failure(HostResolutionError.failed(host: host, reason: reason, cause: error)), nil)
        }
    }
}
#endif
