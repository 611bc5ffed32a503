#if canImport(Combine) || OpenCombine
import Foundation
import Moya
import MoyaHTTP

/// The subscription of one subscriber, with its request.
// It is not generic over the subscriber, whose type may be isolated to an actor.
final class RequestSubscription<Value: Sendable>: Subscription, Sendable {
    typealias State = SubscriptionState<Value, MoyaError>

    private struct Content: Sendable {
        var state = State()
        var start: RequestPublisher<Value>.Start?
        var exchange: (any Moya.Cancellable)?
        var subscriber: Held?

        mutating func takeStart() -> RequestPublisher<Value>.Start? {
            defer { start = nil }
            return start
        }

        /// Removes and returns the subscriber and the request, which are no longer needed.
        mutating func takeRest() -> Content {
            defer { (start, exchange, subscriber) = (nil, nil, nil) }
            return self
        }
    }

    /// A wrapper of the subscriber, which is not Sendable.
    // Unchecked because a subscriber may be called on any thread, but not concurrently. The state machine prevents
    // concurrent calls.
    private struct Held: @unchecked Sendable {
        let subscriber: AnySubscriber<Value, MoyaError>
    }

    private let content: Locked<Content>
    private let queue: DispatchQueue

    /// Creates a subscription; `queue` is the queue on which buffered values are delivered.
    init(
        _ subscriber: some Subscriber<Value, MoyaError>,
        on queue: DispatchQueue,
        start: @escaping RequestPublisher<Value>.Start
    ) {
        content = Locked(Content(start: start, subscriber: Held(subscriber: AnySubscriber(subscriber))))
        self.queue = queue
    }

    func request(_ demand: Subscribers.Demand) { perform(content.withLock { $0.state.addDemand(demand.max) }) }

    func cancel() {
        // The removed objects are released when this function returns, outside the lock.
        let (action, rest) = content.withLock { content in
            (content.state.cancel(), content.takeRest())
        }
        if case .cancel = action { rest.exchange?.cancel() }
    }

    private func perform(_ first: State.Action) {
        var action = first
        while true {
            switch action {
            case .nothing, .cancel:
                return
            case .start:
                start()
                return
            case .resume:
                queue.async { self.perform(self.content.withLock { $0.state.next() }) }
                return
            case .emit(let value):
                // There is no subscriber if the subscription was cancelled meanwhile.
                guard let held = content.withLock({ $0.subscriber }) else { return }
                let demand = held.subscriber.receive(value)
                action = content.withLock { $0.state.finishEmitting(wanting: demand.max) }
            case .finish:
                end(.finished)
                return
            case .fail(let error):
                end(.failure(error))
                return
            }
        }
    }

    private func start() {
        guard let start = content.withLock({ $0.takeStart() }) else { return }
        let exchange = start { update in
            self.perform(
                self.content.withLock { content in
                    switch update {
                    case .value(let value): content.state.receive(value)
                    case .last(let value): content.state.receive(last: value)
                    case .failure(let error): content.state.fail(with: error)
                    }
                }
            )
        }
        let action = content.withLock { content in
            // A subscription that has ended does not keep its request.
            if content.subscriber != nil { content.exchange = exchange }
            return content.state.recordStart()
        }
        if case .cancel = action { exchange.cancel() }
    }

    private func end(_ completion: Subscribers.Completion<MoyaError>) {
        let rest = content.withLock { $0.takeRest() }
        rest.subscriber?.subscriber.receive(completion: completion)
    }
}
#endif
