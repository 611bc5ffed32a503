import Foundation

/// An event of a WebSocket for a binding of another framework.
package enum WebSocketUpdate: Sendable {
    case message(WebSocketMessage)
    /// The end, with the error of a WebSocket that could not be opened, or that was not closed properly.
    case end(MoyaError?)
}

// The part that the bindings of reactive frameworks share.
extension MoyaProvider {
    /// Opens a WebSocket, and delivers its messages and its end on a queue, one by one.
    ///
    /// The next message is read when the last one has been delivered, so that a slow receiver slows down the server.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - options: The options of the WebSocket.
    ///   - queue: The queue; `nil` for the provider's, or the main queue.
    ///   - onOpen: Called with the open WebSocket before its messages are read.
    ///   - waitForDemand: Waits before each message is delivered.
    ///   - deliver: Called on the queue with each event.
    /// - Returns: The cancellation, which cancels the request, or closes the WebSocket with the code 1001.
    package func readWebSocket(
        _ target: Target,
        options: WebSocketOptions,
        on queue: DispatchQueue?,
        onOpen: @escaping @Sendable (WebSocket) async throws -> Void,
        waitForDemand: @escaping @Sendable () async -> Void = {},
        deliver: @escaping @Sendable (WebSocketUpdate) -> Void
    ) -> any Cancellable {
        let queue = queue ?? callbackQueue ?? .main
        @Sendable func deliverOnQueue(_ update: WebSocketUpdate) async {
            await withUnsafeContinuation { waiter in
                queue.async {
                    deliver(update)
                    waiter.resume()
                }
            }
        }
        // Detached, because the caller's task may end before the WebSocket.
        let task = _Concurrency.Task.detached { [self] in
            var end: MoyaError?
            do {
                let socket = try await webSocket(target, options: options)
                try await onOpen(socket)
                while let message = try await socket.receive() {
                    await waitForDemand()
                    await deliverOnQueue(.message(message))
                }
            } catch {
                end = error as? MoyaError ?? .underlying(error, nil)
            }
            await deliverOnQueue(.end(end))
        }
        return CancellableToken { task.cancel() }
    }
}
