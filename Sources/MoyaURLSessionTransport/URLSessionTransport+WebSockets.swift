import Foundation
import HTTPTypes
import MoyaWebSockets

extension URLSessionTransport {
    /// Opens a WebSocket over a `URLSessionWebSocketTask`, behind the bytes of the upgrade.
    func openWebSocket(_ request: TransportRequest, _ upgrade: ProtocolUpgrade) async throws -> TransportResponse {
        try request.validateUpgrade()
        guard upgrade.name.lowercased() == "websocket" else { throw RequestValidationError.upgradeNotSupported }
        let urlRequest = URLRequest(webSocket: request, timeout: Self.never)
        try refuseIfUnsafe(urlRequest)
        let exchange = Exchange(request)
        try runningRequests.begin(for: exchange.url)
        defer { runningRequests.ended() }
        let response = try await exchange.perform {
            guard let task = makeTask({ $0.webSocketTask(with: urlRequest) }) else {
                return exchange.failed(.refusedAfterShutdown(url: request.url))
            }
            // Foundation's limit is the smallest size that fails.
            task.maximumMessageSize = min(upgrade.maximumMessageSize, .max - 1) + 1
            let socket = URLSessionWebSocket(task: task, delegateQueue: session.delegateQueue)
            let carrier = MessageWebSocketCarrier(socket, for: exchange, of: request, upgrade)
            delegate.tasks.add(URLSessionExchange(exchange, request, webSocket: carrier), task: task.taskIdentifier)
            task.resume()
            carrier.carry()
        }
        runningRequests.countBody(of: response, exchange)
        return response
    }
}

extension URLRequest {
    /// Creates the request for a WebSocket of URLSession, which adds the fields of the handshake itself.
    init(webSocket request: TransportRequest, timeout: TimeInterval) {
        self.init(request, timeout: timeout)
        url = request.url.withWebSocketScheme
        for name in ["Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Extensions"] {
            setValue(nil, forHTTPHeaderField: name)
        }
    }
}

extension URL {
    /// The URL with the scheme `ws` in place of `http`, or `wss` in place of `https`.
    fileprivate var withWebSocketScheme: URL {
        guard let scheme = ["http": "ws", "https": "wss"][scheme?.lowercased() ?? ""],
            var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        components.scheme = scheme
        return components.url ?? self
    }
}

/// A WebSocket of URLSession.
private struct URLSessionWebSocket: MessageWebSocket {
    let task: URLSessionWebSocketTask
    let delegateQueue: OperationQueue

    func send(_ message: WebSocketMessage) async throws {
        switch message {
        case .text(let text): try await task.send(.string(text))
        case .data(let data): try await task.send(.data(data))
        }
    }

    func receive() async throws -> WebSocketMessage {
        let message = try await task.receive()
        if case .string(let text) = message { return .text(text) }
        if case .data(let data) = message { return .data(data) }
        throw URLError(.cannotParseResponse)
    }

    func ping(onPong: @escaping @Sendable () -> Void) {
        task.sendPing { error in if error == nil { onPong() } }
    }

    func close(_ closure: WebSocketClosure) {
        let code = URLSessionWebSocketTask.CloseCode(closure.code)
        let reason = closure.reason.isEmpty ? nil : Data(closure.reason.utf8)
        URLSessionTransport.cancel(on: delegateQueue) { [task] in task.cancel(with: code, reason: reason) }
    }

    func cancel() { URLSessionTransport.cancel(on: delegateQueue) { [task] in task.cancel() } }
}

extension URLSessionWebSocketTask.CloseCode {
    /// Creates a code for a close frame.
    ///
    /// URLSession always sends a code, and the open-source Foundation knows the codes of the protocol only. Both then send 1000.
    fileprivate init(_ code: WebSocketCloseCode) {
        let known = code == .noStatus ? nil : Self(rawValue: Int(code.rawValue)) as Self?
        self = known ?? .normalClosure
    }
}

extension WebSocketClosure {
    /// Creates the closure of a received close frame; `nil` if the code says that the connection has ended without one.
    init?(_ code: URLSessionWebSocketTask.CloseCode, reason: Data?) {
        guard let number = UInt16(exactly: code.rawValue) else { return nil }
        let code = WebSocketCloseCode(rawValue: number)
        guard code.isValidInFrame || code == .noStatus else { return nil }
        self.init(code, reason: code == .noStatus ? "" : reason.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }
}
