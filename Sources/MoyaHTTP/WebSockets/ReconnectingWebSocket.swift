import Foundation

/// A WebSocket that is opened again when its connection is lost: an async sequence of the messages of all connections.
///
///     let ticker = session.reconnectingWebSocket(for: request) { socket in
///         try await socket.send(.text("subscribe"))
///     }
///     for try await message in ticker { print(message) }
///
/// One loop reads the messages. It opens the connections, one after the other, and leaving it closes the last one. A connection that is
/// lost, and a server that goes away, restarts, is overloaded or fails (the codes 1001 and 1011 to 1014), are followed by another
/// connection after the delay of the ``ReconnectionPolicy``. The loop ends if one of the sides closes the WebSocket with the code 1000 or
/// without one, and with an error for any other code, for a refused upgrade, and after too many failures. A refusal with a status from
/// 500 to 599 is a failure if the policy says so (``ReconnectionPolicy/reconnectsAfterServerErrors``). Each message resets the count of
/// failures.
///
/// Messages may be lost with a connection, in both directions.
public final class ReconnectingWebSocket: AsyncSequence, Sendable {
    /// A message of the server.
    public typealias Element = WebSocketMessage

    private struct State: Sendable {
        var socket: WebSocket?
        /// Fulfilled when a connection opens, or when no more will.
        var opening = Promise<Void>()
        /// The error of a sequence that has ended.
        var end: WebSocketError?
    }

    private let connect: @Sendable () async throws -> WebSocket
    private let onOpen: @Sendable (WebSocket) async throws -> Void
    private let policy: ReconnectionPolicy
    private let clock: any Clock<Duration>
    /// Returns the error that the rule of reconnections knows.
    private let cause: @Sendable (any Error) -> any Error
    private let state = Locked(State())
    /// Fulfilled at the end of the sequence.
    private let ended = Promise<Void>()

    package init(
        policy: ReconnectionPolicy,
        clock: any Clock<Duration>,
        connect: @escaping @Sendable () async throws -> WebSocket,
        onOpen: @escaping @Sendable (WebSocket) async throws -> Void,
        cause: @escaping @Sendable (any Error) -> any Error = { $0 }
    ) {
        self.cause = cause
        self.connect = connect
        self.onOpen = onOpen
        self.policy = policy
        self.clock = clock
    }

    /// The open WebSocket; `nil` between connections, and before the first one.
    public var current: WebSocket? { state.withLock { $0.socket } }

    /// Sends a message over the open WebSocket, after waiting for one.
    ///
    /// - Throws: The errors of ``WebSocket/send(_:)``; the message is not sent again over another connection.
    public func send(_ message: WebSocketMessage) async throws {
        while true {
            let (socket, opening, end) = state.withLock { ($0.socket, $0.opening, $0.end) }
            if let end { throw end }
            if let socket { return try await socket.send(message) }
            await opening.wait(onCancel: ())
            if Task.isCancelled { throw URLError.cancelled(url: nil) }
        }
    }

    /// Closes the WebSocket, or ends the opening of one or the delay before it, so that the loop ends.
    ///
    /// - Throws: The errors of ``WebSocket/close(code:reason:)``.
    public func close(code: WebSocketCloseCode = .normal, reason: String = "") async throws(WebSocketError) {
        let closure = WebSocketClosure(code, reason: reason)
        try closure.check()
        let socket = end(.closed(closure))
        try await socket?.close(code: code, reason: reason)
    }

    /// Records the end, and returns the open WebSocket.
    @discardableResult
    private func end(_ error: WebSocketError) -> WebSocket? {
        let (socket, opening) = state.withLock { state in
            state.end = state.end ?? error
            return (state.socket.take(), state.opening)
        }
        opening.fulfill(())
        ended.fulfill(())
        return socket
    }

    /// Runs an operation in a child task, which is cancelled at the end of the sequence.
    ///
    /// - Returns: The result; `nil` if the sequence has ended before.
    private func untilEnd<R: Sendable>(_ operation: @escaping @Sendable () async throws -> R) async throws -> R? {
        try await withThrowingTaskGroup(of: R?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await operation() }
            group.addTask { [ended] in
                await ended.wait(onCancel: ())
                return nil
            }
            while let result = try await group.next() {
                // The second task also ends when the caller is cancelled, and the operation reports that.
                if let result { return result }
                if hasEnded { return nil }
            }
            return nil
        }
    }

    private var hasEnded: Bool { state.withLock { $0.end != nil } }

    /// Opens a WebSocket; `nil` if the sequence has ended meanwhile.
    private func open() async throws -> WebSocket? {
        let opened = try await untilEnd { [connect, onOpen] in
            let socket = try await connect()
            try await onOpen(socket)
            return socket
        }
        guard let socket = opened else { return nil }
        let (end, opening) = state.withLock { state in
            if state.end == nil { state.socket = socket }
            return (state.end, state.opening)
        }
        if let end {
            if case .closed(let closure) = end { socket.beginClosing(closure) }
            return nil
        }
        opening.fulfill(())
        return socket
    }

    private func lost() {
        state.withLock { state in
            guard state.socket != nil else { return }
            (state.socket, state.opening) = (nil, Promise())
        }
    }

    /// Ends the sequence when the loop over it is left, which closes the last connection.
    final class Loop: Sendable {
        let owner: ReconnectingWebSocket

        init(_ owner: ReconnectingWebSocket) { self.owner = owner }

        deinit {
            let closure = WebSocketClosure(.goingAway)
            owner.end(.closed(closure))?.beginClosing(closure)
        }
    }

    /// An iterator over the messages.
    public struct Iterator: AsyncIteratorProtocol {
        let loop: Loop
        var owner: ReconnectingWebSocket { loop.owner }
        var reconnection: WebSocketReconnection
        var socket: WebSocket?
        var isOver = false

        /// Returns the next message, or `nil` at the end.
        ///
        /// - Throws: The errors of the request, ``WebSocketError``, or `URLError`.
        public mutating func next() async throws -> WebSocketMessage? {
            while !isOver, !owner.hasEnded {
                do {
                    guard let socket = try await openSocket() else { break }
                    if let message = try await socket.receive() {
                        reconnection.receivedMessage()
                        return message
                    }
                    try await perform(reconnection.ended(socket.closeCode), after: nil)
                } catch {
                    guard !isOver else { throw error }
                    if owner.hasEnded { break }
                    try await perform(reconnection.failed(owner.cause(error)), after: error)
                }
            }
            return nil
        }

        private mutating func openSocket() async throws -> WebSocket? {
            if socket == nil { socket = try await owner.open() }
            return socket
        }

        private mutating func perform(_ action: WebSocketReconnection.Action, after error: (any Error)?) async throws {
            socket = nil
            owner.lost()
            switch action {
            case .stop:
                finish(error)
            case .fail:
                finish(error)
                if let error { throw error }
            case .reconnect(let delay):
                do {
                    let clock = owner.clock
                    _ = try await owner.untilEnd { try await clock.sleep(for: delay) }
                } catch {
                    let cancelled = URLError.cancelled(url: nil)
                    finish(cancelled)
                    throw cancelled
                }
            }
        }

        private mutating func finish(_ error: (any Error)?) {
            isOver = true
            owner.end(error as? WebSocketError ?? .closed(WebSocketClosure(error == nil ? .normal : .abnormal)))
        }
    }

    /// Returns an iterator, whose first call of `next()` opens the first connection; there may be one.
    public func makeAsyncIterator() -> Iterator {
        Iterator(loop: Loop(self), reconnection: WebSocketReconnection(policy))
    }
}

extension Session {
    /// Returns a WebSocket that is opened again when its connection is lost.
    ///
    /// - Parameters:
    ///   - request: A GET without a body, for each connection.
    ///   - options: The options of the WebSockets.
    ///   - reconnection: The delays between connections, and the limit on failures.
    ///   - onOpen: Called with each new WebSocket before its messages are read, for example to subscribe. An error counts as one of the
    ///     connection.
    /// - Returns: The messages. Nothing is sent before they are read.
    public func reconnectingWebSocket(
        for request: any URLRequestConvertible & Sendable,
        options: WebSocketOptions = WebSocketOptions(),
        reconnection: ReconnectionPolicy = ReconnectionPolicy(),
        onOpen: @escaping @Sendable (WebSocket) async throws -> Void = { _ in }
    ) -> ReconnectingWebSocket {
        ReconnectingWebSocket(policy: reconnection, clock: settings.clock) { [self] in
            try await webSocket(for: request, options: options)
        } onOpen: {
            try await onOpen($0)
        }
    }
}
