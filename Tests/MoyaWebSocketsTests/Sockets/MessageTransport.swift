#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore
@testable import MoyaURLSessionTransport

/// The way in which a transport carries WebSockets.
enum WebSocketCarrying: CaseIterable, Sendable {
    /// The bytes of the connection, as `NIOTransport` does.
    case bytes
    /// Whole messages, as `URLSessionTransport` does.
    case messages

    var transport: any HTTPTransport {
        switch self {
        case .bytes: NIOTransport()
        case .messages: MessageTransport()
        }
    }
}

/// A transport that carries WebSockets as `URLSessionTransport` does, with the same calls in the same order.
///
/// Another session stands in for URLSession, which has no WebSockets here: it makes the handshake with the server, and passes whole messages.
final class MessageTransport: HTTPTransport {
    private let inner = Session(transport: NIOTransport(), options: SessionOptions(cookieStorage: nil))
    private let tasks = URLSessionTasks(.darwin)
    private let lastTask = Locked(0)
    /// The requests for WebSockets, as URLSession gets them.
    let requests = Locked<[URLRequest]>([])

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let upgrade = request.upgrade else { return try await inner.transport.send(request) }
        let exchange = Exchange(request)
        let number = lastTask.withLock { last in
            last += 1
            return last
        }
        let urlRequest = URLRequest(webSocket: request, timeout: 3600)
        requests.withLock { $0.append(urlRequest) }
        return try await exchange.perform {
            let socket = StandIn(session: inner, request: urlRequest, maximumMessageSize: upgrade.maximumMessageSize)
            let carrier = MessageWebSocketCarrier(socket, for: exchange, of: request, upgrade)
            tasks.add(URLSessionExchange(exchange, request, webSocket: carrier), task: number)
            socket.resume(tasks, task: number)
            carrier.carry()
        }
    }

    func shutdown() async { await inner.transport.shutdown() }
}

/// Stands in for a WebSocket of URLSession, and calls what its delegate calls.
private final class StandIn: MessageWebSocket {
    private let session: Session
    private let request: URLRequest
    private let maximumMessageSize: Int
    private let opened = Promise<WebSocket?>()
    private let opening = Locked<Task<Void, Never>?>(nil)
    private let onEnd = Locked<(@Sendable (WebSocketClosure?, (any Error)?) -> Void)?>(nil)

    init(session: Session, request: URLRequest, maximumMessageSize: Int) {
        (self.session, self.request, self.maximumMessageSize) = (session, request, maximumMessageSize)
    }

    func resume(_ tasks: URLSessionTasks, task number: Int) {
        onEnd.withLock { onEnd in
            onEnd = { closure, error in
                if let closure { tasks.receivedClose(closure, task: number) }
                tasks.completed(error.map { URLError(urlSessionError: $0, url: nil) }, task: number)
            }
        }
        let task = Task { [self] in
            do {
                let fields = request.value(forHTTPHeaderField: "Sec-WebSocket-Protocol")
                let options = WebSocketOptions(
                    subprotocols: fields?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } ?? [],
                    maximumMessageSize: maximumMessageSize
                )
                let socket = try await session.webSocket(for: request, options: options)
                tasks.opened(headers: socket.response.headers, task: number)
                opened.fulfill(socket)
            } catch {
                let refusal = (error as? WebSocketUpgradeError)?.response
                tasks.completed(
                    URLError(urlSessionError: refusal == nil ? error : URLError(.badServerResponse), url: nil),
                    head: refusal.map { ResponseHead(status: $0.statusCode, headers: $0.headers) },
                    task: number
                )
                opened.fulfill(nil)
            }
        }
        opening.withLock { $0 = task }
    }

    private func socket() async throws -> WebSocket {
        guard let socket = await opened.wait() else { throw URLError(.cancelled) }
        return socket
    }

    func send(_ message: WebSocketMessage) async throws { try await socket().send(message) }

    func receive() async throws -> WebSocketMessage {
        let socket = try await socket()
        do {
            if let message = try await socket.receive() { return message }
            throw URLError(.networkConnectionLost)
        } catch {
            // Only waits: the WebSocket is closing or closed.
            try await socket.close()
            end(socket, error)
            guard case WebSocketError.messageTooLarge = error else { throw error }
            throw NSError(domain: NSPOSIXErrorDomain, code: Int(EMSGSIZE))
        }
    }

    private func end(_ socket: WebSocket, _ error: (any Error)?) {
        let closure = socket.closeCode.flatMap { code in
            code == .abnormal ? nil : WebSocketClosure(code, reason: socket.closeReason ?? "")
        }
        onEnd.withLock { $0.take() }?(closure, error)
    }

    func ping(onPong: @escaping @Sendable () -> Void) {
        Task { if try await socket().ping() >= .zero { onPong() } }
    }

    func close(_ closure: WebSocketClosure) {
        Task {
            let socket = try await socket()
            try await socket.close(code: closure.code, reason: closure.reason)
            end(socket, nil)
        }
    }

    func cancel() {
        opening.withLock { $0 }?.cancel()
        Task {
            // Cancelling the wait for the end of a WebSocket ends its connection.
            let ending = Task { try await socket().close(code: .goingAway) }
            ending.cancel()
            _ = await ending.result
            if let socket = try? await socket() { end(socket, URLError(.cancelled)) }
        }
    }
}
#endif
