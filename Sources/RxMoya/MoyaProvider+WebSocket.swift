#if RxSwift
import Foundation
import Moya
@preconcurrency import RxSwift

extension Reactive where Base: MoyaProviderType {
    /// Returns an observable that opens a WebSocket and emits its messages.
    ///
    ///     provider.rx.webSocket(.ticker) { try await $0.send(.text("subscribe")) }
    ///         .subscribe(onNext: { message in … })
    ///         .disposed(by: bag)
    ///
    /// Each subscription opens a WebSocket. The next message is read when the observers have handled the last one, so that slow observers
    /// slow down the server. Disposing of the subscription closes the WebSocket with the code 1001. The observable completes as the loop
    /// over a `WebSocket` ends; errors are `MoyaError`.
    ///
    /// - Parameters:
    ///   - token: The target.
    ///   - options: The options of the WebSocket.
    ///   - callbackQueue: The queue of the messages; `nil` for the provider's. Without either it is the main queue.
    ///   - onOpen: Called with the open WebSocket before its messages are read. It may keep the WebSocket for messages to the server; an
    ///     error ends the observable.
    /// - Returns: An observable of messages.
    public func webSocket<Target: TargetType>(
        _ token: Target,
        options: WebSocketOptions = WebSocketOptions(),
        callbackQueue: DispatchQueue? = nil,
        onOpen: @escaping @Sendable (WebSocket) async throws -> Void = { _ in }
    ) -> Observable<WebSocketMessage> where Base: MoyaProvider<Target> {
        Observable.create { [base] observer in
            let socket = base.readWebSocket(token, options: options, on: callbackQueue, onOpen: onOpen) { update in
                switch update {
                case .message(let message): observer.onNext(message)
                case .end(let error?): observer.onError(error)
                case .end(nil): observer.onCompleted()
                }
            }
            return Disposables.create { socket.cancel() }
        }
    }
}
#endif
