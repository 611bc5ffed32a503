import Foundation
import HTTPTypes

/// The server's side of a WebSocket in the process of the client, for transports that respond without a network.
///
/// The bytes of both sides pass from one to the other without sockets, so that the client's side works as over any other transport.
package final class LocalWebSocket: Sendable {
    /// The server's side.
    package let socket: WebSocket
    /// The response that opens the client's side.
    package let response: TransportResponse
    private let connection: WebSocketConnection
    private let failure: Locked<(any Error)?>

    /// Accepts an upgrade.
    ///
    /// - Parameters:
    ///   - upgrade: The upgrade of the request.
    ///   - request: The request.
    ///   - headers: Further fields of the response, such as `Sec-WebSocket-Protocol`.
    /// - Throws: `RequestBodyError` if the output of the upgrade cannot be read.
    package init(accepting upgrade: ProtocolUpgrade, of request: TransportRequest, headers: HTTPFields) throws {
        let connection = WebSocketConnection(
            WebSocketOptions(compression: nil, maximumMessageSize: .max, keepAlive: nil),
            role: .server,
            clock: ContinuousClock()
        )
        let failure = Locked<(any Error)?>(nil)
        var fields = headers
        (fields[.connection], fields[.upgrade]) = ("Upgrade", "websocket")
        if let key = request.headers[.secWebSocketKey] {
            fields[.secWebSocketAccept] = WebSocketHandshake.accept(for: key)
        }
        let output = ClientInput(connection)
        var response = TransportResponse(
            status: 101,
            headers: fields,
            body: .stream(
                TransportBodyStream {
                    if let bytes = await output.next() { return bytes }
                    if let error = failure.withLock({ $0 }) { throw error }
                    return nil
                }
            )
        )
        response.isUpgraded = true
        let input = try upgrade.output.open()
        self.response = response
        self.connection = connection
        self.failure = failure
        socket = try WebSocket(
            connection,
            input: TransportBodyStream { try await input.next() },
            response: SessionResponse(request: URLRequest(url: request.url), statusCode: 101, headers: fields),
            agreement: WebSocketHandshake.Agreement()
        )
    }

    /// Ends the connection without a close frame; the client's side gets the error after the messages that were sent before.
    package func fail(with error: any Error) {
        failure.withLock { $0 = error }
        connection.release()
    }

    /// The bytes of the server for the client, whose release ends the connection, as that of a transport's stream does.
    private final class ClientInput: Sendable {
        private let connection: WebSocketConnection
        private let iterator: WebSocketConnection.Output.Iterator

        init(_ connection: WebSocketConnection) {
            self.connection = connection
            iterator = connection.output.makeAsyncIterator()
        }

        deinit { connection.release() }

        func next() async -> Data? { await iterator.next() }
    }
}
