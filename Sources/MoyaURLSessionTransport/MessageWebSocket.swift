import Foundation
import HTTPTypes
import MoyaLocks
import MoyaWebSockets

/// A WebSocket that passes whole messages, because its implementation sends and receives the frames itself.
protocol MessageWebSocket: Sendable {
    func send(_ message: WebSocketMessage) async throws
    /// Waits for the next message; throws when none follows.
    func receive() async throws -> WebSocketMessage
    /// Sends a ping, and calls the closure when its pong arrives.
    func ping(onPong: @escaping @Sendable () -> Void)
    /// Sends a close frame, and ends the connection.
    func close(_ closure: WebSocketClosure)
    /// Ends the connection without a code.
    func cancel()
}

/// Carries an upgraded exchange over whole messages: translates the client's frames into messages, and messages into the server's frames
/// (RFC 6455, section 5).
///
/// URLSession makes the handshake with the server, and the carrier answers the client's handshake. The next message is received when the exchange has room for it, and the client's frames are read when the message before is sent, so
/// that both directions slow the other side down. The end of the connection is passed on as the server's close frame, if there is one.
final class MessageWebSocketCarrier: Sendable {
    private struct State: Sendable {
        /// The closure of the client's close frame.
        var sent: WebSocketClosure?
        /// The closure of the server's close frame.
        var received: WebSocketClosure?
        var tasks: [Task<Void, Never>] = []
        var isStopped = false
    }

    private let socket: any MessageWebSocket
    private let exchange: Exchange
    private let request: TransportRequest
    private let upgrade: ProtocolUpgrade
    private let state = Locked(State())
    /// Fulfilled at the end of the connection, with its error, or by the server's close frame.
    private let end = Promise<URLError?>()
    /// The time for the end after ``MessageWebSocket/receive()`` has failed.
    private static let endTimeout = Duration.seconds(5)

    /// Creates a carrier for an exchange whose request has an upgrade.
    init(
        _ socket: any MessageWebSocket,
        for exchange: Exchange,
        of request: TransportRequest,
        _ upgrade: ProtocolUpgrade
    ) {
        (self.socket, self.exchange, self.request, self.upgrade) = (socket, exchange, request, upgrade)
    }

    /// Becomes the carrier of the exchange, after the start of the task.
    func carry() {
        exchange.setCarrier(
            Exchange.Carrier(stop: { _ in self.stop() }, schedule: Exchange.Carrier.scheduleByTask)
        )
        exchange.beginWaitForResponse()
    }

    // MARK: Events of the connection

    /// Returns the response to the client's handshake, with the fields of the server's response to that of the implementation.
    func makeHead(_ headers: HTTPFields) -> ResponseHead {
        var headers = headers
        // Compression is between the implementation and the server.
        (headers[.connection], headers[.upgrade], headers[.secWebSocketExtensions]) = ("Upgrade", "websocket", nil)
        headers[.secWebSocketAccept] = request.headers[.secWebSocketKey].map { WebSocketHandshake.accept(for: $0) }
        var head = ResponseHead(status: 101, headers: headers)
        head.isUpgraded = true
        return head
    }

    /// Begins to pass messages, after the head of the response.
    func begin() {
        // Detached, because the WebSocket lasts longer than the task that opens it.
        let tasks = [Task.detached { await self.sendMessages() }, Task.detached { await self.receiveMessages() }]
        let isStopped = state.withLock { state in
            state.tasks = tasks
            return state.isStopped
        }
        if isStopped { stop() }
        exchange.whenOver { self.stop() }
    }

    /// Handles the server's close frame.
    func receivedClose(_ closure: WebSocketClosure) {
        state.withLock { $0.received = closure }
        end.fulfill(nil)
    }

    /// Handles the end of the connection.
    func ended(_ error: URLError?) { end.fulfill(error) }

    /// Ends the connection and the passing of messages.
    func stop() {
        let tasks = state.withLock { state in
            state.isStopped = true
            return state.tasks
        }
        for task in tasks { task.cancel() }
        socket.cancel()
    }

    // MARK: From the client

    private func sendMessages() async {
        do {
            let output = try upgrade.output.open()
            var frames = WebSocketFrameParser(from: .client)
            let messages = try WebSocketMessageReader(nil)
            var collector = WebSocketMessageCollector(maximumSize: .max)
            while let bytes = try await output.next() {
                frames.push(bytes)
                while let frame = try frames.next() {
                    switch frame {
                    case .data(let part):
                        messages.push(part)
                        while let event = try messages.next() {
                            if let message = try collector.collect(event) { try await socket.send(message) }
                        }
                    case .control(.ping, let payload):
                        socket.ping { [exchange] in exchange.received(Self.frame { $0.sendPong(payload) }) {} }
                    case .control(.close, let payload):
                        let closure = try WebSocketClosure(payload: payload)
                        state.withLock { $0.sent = closure }
                        socket.close(closure)
                    case .control:
                        break
                    }
                }
            }
        } catch {
            // The reading of messages reports the error of the connection.
            socket.cancel()
        }
    }

    // MARK: From the server

    private func receiveMessages() async {
        do {
            while true {
                let message = try await socket.receive()
                let bytes = Self.frames(of: message, maximumSize: upgrade.maximumFrameSize)
                await withCheckedContinuation { taken in exchange.received(bytes) { taken.resume() } }
            }
        } catch {
            let isTooLarge = Self.isTooLarge(error)
            if isTooLarge { socket.close(WebSocketClosure(.messageTooBig)) }
            let connectionError = await waitForEnd()
            let (received, sent) = state.withLock { ($0.received, $0.sent) }
            if isTooLarge {
                let reason = "A message of the server is larger than \(upgrade.maximumMessageSize) bytes."
                exchange.failed(.make(.dataLengthExceedsMaximum, url: exchange.url, reason: reason))
            } else if let received {
                exchange.received(Self.frame { $0.sendClose(received) }) {}
                exchange.finished()
            } else if sent != nil {
                exchange.finished()
            } else {
                exchange.failed(connectionError ?? .make(.networkConnectionLost, url: exchange.url))
            }
        }
    }

    /// Waits for the end of a connection from which no message can be received, and ends it if that takes too long.
    private func waitForEnd() async -> URLError? {
        let timer = Task { [socket] in
            try await Task.sleep(for: Self.endTimeout)
            socket.cancel()
        }
        defer { timer.cancel() }
        return await end.wait()
    }

    /// Returns whether an error of ``MessageWebSocket/receive()`` is that of a message above the limit: "Message too long".
    private static func isTooLarge(_ error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == NSPOSIXErrorDomain && error.code == Int(EMSGSIZE)
    }

    // MARK: Frames

    /// Returns a message as frames whose payloads have a maximum size.
    private static func frames(of message: WebSocketMessage, maximumSize: Int) -> Data {
        var opcode: WebSocketOpcode = message.kind == .text ? .text : .binary
        var rest = message.bytes
        return frame { output in
            repeat {
                let payload = rest.prefix(maximumSize)
                rest = rest.dropFirst(payload.count)
                guard output.beginFrame(opcode, payloadLength: payload.count, isFinal: rest.isEmpty) else { return }
                payload.withUnsafeBytes { output.append($0) }
                opcode = .continuation
            } while !rest.isEmpty
        }
    }

    private static func frame(_ write: (inout WebSocketOutput) -> Void) -> Data {
        var output = WebSocketOutput(.server, limit: .max)
        write(&output)
        return output.take() ?? Data()
    }
}
