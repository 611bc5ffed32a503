import Foundation

extension Session {
    /// Opens a WebSocket (RFC 6455).
    ///
    /// The request passes the same steps as any other: adapters, authentication, cookies, redirects, trust, proxies, timeouts and
    /// monitors. The schemes `ws` and `wss` stand for `http` and `https`. After the server has agreed, no timeout of requests applies:
    /// ``WebSocketOptions/keepAlive`` detects a lost connection.
    ///
    /// - Parameters:
    ///   - request: A GET without a body.
    ///   - options: The options of the WebSocket.
    /// - Returns: The open WebSocket.
    /// - Throws: ``WebSocketUpgradeError`` if the server has not agreed, ``WebSocketError/invalidOptions(_:)``, or the errors of
    ///   ``data(for:body:progress:uploadProgress:)``.
    public func webSocket(
        for request: any URLRequestConvertible,
        options: WebSocketOptions = WebSocketOptions()
    ) async throws -> WebSocket {
        var urlRequest = try request.asURLRequest()
        let upgrade = try WebSocketUpgrade(options, clock: settings.clock)
        upgrade.prepare(&urlRequest)
        let settings = RequestSettings(isAccepted: upgrade.isAccepted)
        return try await webSocket(for: urlRequest, upgrade, record: RequestRecord(), settings: settings)
    }

    /// Opens a WebSocket with a prepared request.
    ///
    /// - Throws: The errors of ``webSocket(for:options:)``. The response that goes with an error is ``RequestRecord/failedResponse``.
    package nonisolated(nonsending) func webSocket(
        for request: any URLRequestConvertible,
        _ upgrade: WebSocketUpgrade,
        record: RequestRecord,
        settings: RequestSettings
    ) async throws -> WebSocket {
        switch try await self.upgrade(request, to: upgrade.protocolUpgrade, record: record, settings: settings) {
        case .refused(let response):
            throw WebSocketUpgradeError(.upgradeRefused(status: response.statusCode), response)
        case .upgraded(let response, let input):
            return try upgrade.open(response, input)
        }
    }
}

/// The upgrade of one request to a WebSocket.
package struct WebSocketUpgrade: Sendable {
    private let handshake: WebSocketHandshake
    private let connection: WebSocketConnection
    private let taskStarter = UpgradeTaskStarter()

    /// Creates an upgrade.
    ///
    /// - Throws: ``WebSocketError/invalidOptions(_:)``.
    package init(_ options: WebSocketOptions, clock: any Clock<Duration>) throws(WebSocketError) {
        handshake = try WebSocketHandshake(subprotocols: options.subprotocols, compression: options.compression)
        connection = WebSocketConnection(options, clock: clock)
    }

    /// Sets the fields of a request, and replaces the schemes `ws` and `wss`.
    package func prepare(_ request: inout URLRequest) {
        // On Linux, changing a request without a URL traps.
        guard let url = request.url else { return }
        request.url = url.withHTTPScheme
        for (name, value) in handshake.fields { request.setValue(value, forHTTPHeaderField: name) }
    }

    /// Returns whether a status is accepted, apart from that of the upgrade: retriers see any other response as a failure.
    package var isAccepted: @Sendable (_ status: Int) -> Bool { { _ in false } }

    fileprivate var protocolUpgrade: ProtocolUpgrade {
        var upgrade = ProtocolUpgrade(to: "websocket", sending: .sequence(connection.output))
        upgrade.maximumMessageSize = connection.options.maximumMessageSize
        upgrade.maximumFrameSize = max(1, connection.options.maximumFrameSize)
        upgrade.taskStarter = taskStarter
        return upgrade
    }

    /// Checks the response of a server that has agreed, and opens the WebSocket.
    fileprivate func open(_ response: SessionResponse, _ input: TransportBodyStream) throws -> WebSocket {
        let agreement: WebSocketHandshake.Agreement
        do throws(WebSocketError) {
            agreement = try handshake.agreement(status: response.statusCode, headers: response.headers)
        } catch {
            connection.release()
            throw WebSocketUpgradeError(error, response)
        }
        return try WebSocket(connection, input: input, startedBy: taskStarter, response: response, agreement: agreement)
    }
}

/// An error for a server that has not agreed to open a WebSocket, with its response.
public struct WebSocketUpgradeError: Error, Sendable {
    /// The problem: ``WebSocketError/upgradeRefused(status:)`` or ``WebSocketError/invalidUpgrade(_:)``.
    public let error: WebSocketError
    /// The response of the server.
    public let response: SessionResponse

    init(_ error: WebSocketError, _ response: SessionResponse) { (self.error, self.response) = (error, response) }
}

extension WebSocketUpgradeError: MaskedError {
    /// A sentence that describes the problem.
    public var errorDescription: String? { error.errorDescription }
}
