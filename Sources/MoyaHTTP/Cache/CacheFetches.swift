import Foundation
import HTTPTypes

/// The requests that a cache waits for, so that equal ones are sent once (RFC 9111, section 4).
final class CacheFetches: Sendable {
    /// What makes two requests equal enough to wait for each other.
    ///
    /// A response is looked up again for each of them, so that other fields need not be compared.
    struct ID: Hashable, Sendable {
        let key: CacheKey
        let credentials: String?
        let accept: String?
        let acceptLanguage: String?

        init(_ request: CacheRequest) {
            key = request.key
            credentials = request.credentials
            accept = request.headers[.accept]
            acceptLanguage = request.headers[.acceptLanguage]
        }
    }

    /// How a fetch has ended.
    enum Outcome: Equatable, Sendable {
        /// The response is in the store.
        case stored
        /// The request has failed.
        case failed
        /// The response cannot be stored, and so not be shared.
        case notStored
        /// The request was cancelled before its response was complete, which says nothing about the others.
        case cancelled
    }

    /// What a request does next.
    enum Turn: Sendable {
        /// It is sent, and others wait for it.
        case leads(Lead)
        /// It waits for the one that is sent.
        case waits(Promise<Outcome>)
        /// It is sent alone, as responses to such requests could not be stored.
        case isAlone
    }

    /// The duty to report how a fetch has ended.
    ///
    /// One that is released reports a cancellation.
    final class Lead: Sendable {
        private let fetches: CacheFetches
        private let id: ID

        fileprivate init(_ fetches: CacheFetches, _ id: ID) {
            self.fetches = fetches
            self.id = id
        }

        /// Reports the end; only the first report counts.
        func ended(_ outcome: Outcome) { fetches.ended(ObjectIdentifier(self), id, outcome) }

        deinit { fetches.ended(ObjectIdentifier(self), id, .cancelled) }
    }

    private struct Fetch {
        let lead: ObjectIdentifier
        var waiters: [Promise<Outcome>] = []
    }

    private struct State {
        var fetches: [ID: Fetch] = [:]
        /// Requests whose last response could not be stored: to wait for the next one would be in vain.
        var unshared: Set<ID> = []
    }

    private let state = Locked(State())

    /// The maximum number of requests that are remembered as not shared.
    private static let maximumUnshared = 1024

    /// Returns the turn of a request.
    func join(_ id: ID) -> Turn {
        state.withLock { state in
            if state.fetches[id] != nil {
                let promise = Promise<Outcome>()
                state.fetches[id]?.waiters.append(promise)
                return .waits(promise)
            }
            guard !state.unshared.contains(id) else { return .isAlone }
            return .leads(newLead(id, &state))
        }
    }

    /// Returns the duty to fetch; `nil` if there is a fetch already.
    func begin(_ id: ID) -> Lead? {
        state.withLock { state in state.fetches[id] == nil ? newLead(id, &state) : nil }
    }

    /// Notes that a response to such a request can be stored.
    func mayBeShared(_ id: ID) { _ = state.withLock { $0.unshared.remove(id) } }

    private func newLead(_ id: ID, _ state: inout State) -> Lead {
        let lead = Lead(self, id)
        state.fetches[id] = Fetch(lead: ObjectIdentifier(lead))
        return lead
    }

    /// Waits for the end of a fetch.
    ///
    /// - Returns: How it has ended; `cancelled` if the waiting task is, and `failed` when the time is over.
    nonisolated(nonsending) func wait(for promise: Promise<Outcome>, atMost limit: Duration) async -> Outcome {
        let timer = Task {
            try await Task.sleep(for: limit)
            promise.fulfill(.failed)
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await promise.wait()
        } onCancel: {
            promise.fulfill(.cancelled)
        }
    }

    private func ended(_ lead: ObjectIdentifier, _ id: ID, _ outcome: Outcome) {
        let waiters: [Promise<Outcome>] = state.withLock { state in
            guard let fetch = state.fetches[id], fetch.lead == lead else { return [] }
            state.fetches[id] = nil
            if outcome == .notStored {
                if state.unshared.count >= Self.maximumUnshared { state.unshared.removeAll() }
                state.unshared.insert(id)
            }
            return fetch.waiters
        }
        for waiter in waiters { waiter.fulfill(outcome) }
    }
}
