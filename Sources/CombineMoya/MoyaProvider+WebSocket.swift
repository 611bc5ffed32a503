#if canImport(Combine) || OpenCombine
import Foundation
import Moya

extension MoyaProvider {
    /// Returns a publisher that opens a WebSocket and publishes its messages.
    ///
    ///     provider.webSocketPublisher(.ticker) { try await $0.send(.text("subscribe")) }
    ///         .sink { completion in … } receiveValue: { message in … }
    ///         .store(in: &subscriptions)
    ///
    /// Each subscription opens a WebSocket at the first demand, and reads no more messages than demanded, so that a slow subscriber
    /// slows down the server. Cancelling it, or releasing its `AnyCancellable`, closes the WebSocket with the code 1001. The publisher
    /// finishes as the loop over a ``WebSocket`` does; the error of a WebSocket that was not closed properly is in
    /// ``MoyaError/underlying(_:_:)``.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - options: The options of the WebSocket.
    ///   - callbackQueue: The queue of the messages; `nil` for the provider's. Without either it is the main queue.
    ///   - onOpen: Called with the open WebSocket before its messages are read. It may keep the WebSocket for messages to the server; an
    ///     error ends the publisher.
    /// - Returns: A publisher of messages.
    public func webSocketPublisher(
        _ target: Target,
        options: WebSocketOptions = WebSocketOptions(),
        callbackQueue: DispatchQueue? = nil,
        onOpen: @escaping @Sendable (WebSocket) async throws -> Void = { _ in }
    ) -> AnyPublisher<WebSocketMessage, MoyaError> {
        WebSocketPublisher { [self] waitForDemand, deliver in
            readWebSocket(
                target,
                options: options,
                on: callbackQueue,
                onOpen: onOpen,
                waitForDemand: waitForDemand,
                deliver: deliver
            )
        }
        .eraseToAnyPublisher()
    }
}

/// A publisher that opens a WebSocket for each subscription.
private struct WebSocketPublisher: Publisher {
    typealias Output = WebSocketMessage
    typealias Failure = MoyaError

    let start: WebSocketSubscription.Start

    func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == WebSocketMessage, Downstream.Failure == MoyaError {
        subscriber.receive(subscription: WebSocketSubscription(subscriber, start: start))
    }
}

/// The subscription of one subscriber, with its WebSocket.
private final class WebSocketSubscription: Subscription, Sendable {
    typealias Start =
        @Sendable (
            _ waitForDemand: @escaping @Sendable () async -> Void,
            _ deliver: @escaping @Sendable (WebSocketUpdate) -> Void
        ) -> any Moya.Cancellable

    /// A wrapper of the subscriber, which is not Sendable.
    // Unchecked because a subscriber may be called on any thread, but not concurrently: one event is delivered at a time.
    private struct Held: @unchecked Sendable {
        let subscriber: AnySubscriber<WebSocketMessage, MoyaError>
    }

    private struct Content: Sendable {
        /// The demand; `nil` for unlimited.
        var demand: Int? = 0
        /// Opens the WebSocket; `nil` after the first demand.
        var start: Start?
        var socket: (any Moya.Cancellable)?
        /// The subscriber; `nil` after the end.
        var subscriber: Held?
        /// The reader that waits for demand.
        var reader: UnsafeContinuation<Void, Never>?

        /// Adds demand, and returns the reader that waited for it.
        mutating func add(_ count: Int?) -> UnsafeContinuation<Void, Never>? {
            guard let already = demand, let count else {
                demand = nil
                return reader.take()
            }
            let (sum, isTooMuch) = already.addingReportingOverflow(Swift.max(0, count))
            demand = isTooMuch ? nil : sum
            return sum == 0 ? nil : reader.take()
        }

        /// Removes and returns everything that is no longer needed.
        mutating func takeRest() -> Content {
            defer { (start, socket, subscriber, reader) = (nil, nil, nil, nil) }
            return self
        }
    }

    private let content: Locked<Content>

    init(_ subscriber: some Subscriber<WebSocketMessage, MoyaError>, start: @escaping Start) {
        content = Locked(Content(start: start, subscriber: Held(subscriber: AnySubscriber(subscriber))))
    }

    func request(_ demand: Subscribers.Demand) {
        let (reader, start) = content.withLock { content in
            let reader = content.add(demand.max)
            return (reader, content.demand == 0 ? nil : content.start.take())
        }
        reader?.resume()
        guard let start else { return }
        let socket = start({ [self] in await waitForDemand() }, { [self] in deliver($0) })
        let hasEnded = content.withLock { content in
            if content.subscriber != nil { content.socket = socket }
            return content.subscriber == nil
        }
        if hasEnded { socket.cancel() }
    }

    func cancel() {
        // The removed objects are released when this function returns, outside the lock.
        let rest = content.withLock { $0.takeRest() }
        rest.socket?.cancel()
        rest.reader?.resume()
    }

    private func waitForDemand() async {
        await withUnsafeContinuation { reader in
            let isWaiting = content.withLock { content in
                guard content.demand == 0, content.subscriber != nil else { return false }
                content.reader = reader
                return true
            }
            if !isWaiting { reader.resume() }
        }
    }

    private func deliver(_ update: WebSocketUpdate) {
        switch update {
        case .message(let message):
            let held = content.withLock { content in
                content.demand = content.demand.map { $0 - 1 }
                return content.subscriber
            }
            // There is no subscriber if the subscription was cancelled meanwhile.
            guard let held else { return }
            let demand = held.subscriber.receive(message)
            let reader = content.withLock { $0.add(demand.max) }
            reader?.resume()
        case .end(let error):
            let rest = content.withLock { $0.takeRest() }
            rest.subscriber?.subscriber.receive(completion: error.map { .failure($0) } ?? .finished)
        }
    }
}
#endif
