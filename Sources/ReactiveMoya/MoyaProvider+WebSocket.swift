#if ReactiveSwift
import Foundation
import Moya
@preconcurrency import ReactiveSwift

extension Reactive where Base: MoyaProviderType {
    /// Returns a producer that opens a WebSocket and sends its messages.
    ///
    ///     provider.reactive.webSocket(.ticker) { try await $0.send(.text("subscribe")) }
    ///         .startWithResult { result in … }
    ///
    /// Each start opens a WebSocket. The next message is read when the observers have handled the last one, so that slow observers slow
    /// down the server. Disposing of it closes the WebSocket with the code 1001. The producer completes as the loop over a `WebSocket`
    /// ends.
    ///
    /// - Parameters:
    ///   - token: The target.
    ///   - options: The options of the WebSocket.
    ///   - callbackQueue: The queue of the messages; `nil` for the provider's. Without either it is the main queue.
    ///   - onOpen: Called with the open WebSocket before its messages are read. It may keep the WebSocket for messages to the server; an
    ///     error ends the producer.
    /// - Returns: A producer of messages.
    public func webSocket<Target: TargetType>(
        _ token: Target,
        options: WebSocketOptions = WebSocketOptions(),
        callbackQueue: DispatchQueue? = nil,
        onOpen: @escaping @Sendable (WebSocket) async throws -> Void = { _ in }
    ) -> SignalProducer<WebSocketMessage, MoyaError> where Base: MoyaProvider<Target> {
        SignalProducer { [base] observer, lifetime in
            let socket = base.readWebSocket(token, options: options, on: callbackQueue, onOpen: onOpen) { update in
                switch update {
                case .message(let message): observer.send(value: message)
                case .end(let error?): observer.send(error: error)
                case .end(nil): observer.sendCompleted()
                }
            }
            lifetime.observeEnded { socket.cancel() }
        }
    }
}
#endif
