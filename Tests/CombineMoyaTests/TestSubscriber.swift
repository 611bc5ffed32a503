#if canImport(Combine) || OpenCombine
import CombineMoya
import EntryPointCases
import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

/// A subscriber with a configurable demand that records its values and completions.
// Unchecked because a subscription is not Sendable; the property is set once.
final class TestSubscriber<Input: Sendable>: Subscriber, @unchecked Sendable {
    typealias Failure = MoyaError

    private let first: Subscribers.Demand
    private let onValue: @Sendable (TestSubscriber, Input) -> Subscribers.Demand
    private let busy = Locked(false)
    private let ends = Recorder<MoyaError?>()
    private let ended = Promise<Void>()
    private let received = Recorder<Input>()
    private var subscription: (any Subscription)?

    /// Creates a subscriber.
    ///
    /// - Parameters:
    ///   - first: The initial demand.
    ///   - onValue: Called with each value; returns the additional demand.
    init(
        first: Subscribers.Demand,
        onValue: @escaping @Sendable (TestSubscriber, Input) -> Subscribers.Demand = { _, _ in .none }
    ) {
        self.first = first
        self.onValue = onValue
    }

    var values: [Input] { received.values }
    /// The received completions.
    var completions: [MoyaError?] { ends.values }

    /// Whether exactly one completion was received, without a failure.
    var hasFinished: Bool { ends.values.count == 1 && ends.values.allSatisfy { $0 == nil } }

    func wait() async { await ended.wait() }

    func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }

    func cancel() { subscription?.cancel() }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        if first > .none { subscription.request(first) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        enter()
        defer { busy.withLock { $0 = false } }
        if !ends.values.isEmpty { Issue.record("a value after the end") }
        received.add(input)
        return onValue(self, input)
    }

    func receive(completion: Subscribers.Completion<MoyaError>) {
        enter()
        defer { busy.withLock { $0 = false } }
        switch completion {
        case .finished: ends.add(nil)
        case .failure(let error): ends.add(error)
        }
        ended.fulfill(())
    }

    private func enter() {
        let wasBusy = busy.withLock { busy in
            defer { busy = true }
            return busy
        }
        if wasBusy { Issue.record("two calls at a time") }
    }
}
#endif
