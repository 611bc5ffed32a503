import Foundation

// WebSockets through targets.
extension MoyaProvider {
    /// Requests a target and opens a WebSocket (RFC 6455).
    ///
    ///     let socket = try await provider.webSocket(.ticker)
    ///     for try await message in socket { print(message) }
    ///
    /// The request passes the same steps as any other, and plugins see its response. The schemes `ws` and `wss` of a base URL stand for
    /// `http` and `https`. Equal requests are not shared here. The target must be a GET without a body.
    ///
    /// - Parameters:
    ///   - target: The target to request.
    ///   - options: The options of the WebSocket.
    /// - Returns: The open WebSocket.
    /// - Throws: ``MoyaError``; for a server that does not agree ``MoyaError/underlying(_:_:)`` with
    ///   ``WebSocketError/upgradeRefused(status:)`` or ``WebSocketError/invalidUpgrade(_:)``, and the response.
    public func webSocket(
        _ target: Target,
        options: WebSocketOptions = WebSocketOptions()
    ) async throws(MoyaError) -> WebSocket {
        let upgrade: WebSocketUpgrade
        do throws(WebSocketError) {
            upgrade = try WebSocketUpgrade(options, clock: clock)
        } catch {
            throw .underlying(error, nil)
        }
        let sent = await runInCallingTask(
            target,
            adjust: { upgrade.prepare(&$0) },
            findMisuse: { $0.webSocketMisuse }
        ) { [self] mapped, request in
            await openWebSocket(mapped, for: request, upgrade)
        }
        let response = try sent.result.get()
        // A stub has no connection, and neither has a failure that a plugin has turned into a success.
        guard let socket = sent.socket else {
            throw .underlying(WebSocketError.upgradeRefused(status: response.statusCode), response)
        }
        return socket
    }
}

extension MoyaProvider {
    /// Returns a WebSocket that is opened again when its connection is lost.
    ///
    /// Each connection is a separate request, which plugins see.
    ///
    /// - Parameters:
    ///   - target: The target to request.
    ///   - options: The options of the WebSockets.
    ///   - reconnection: The delays between connections, and the limit on failures.
    ///   - onOpen: Called with each new WebSocket before its messages are read, for example to subscribe. An error counts as one of the
    ///     connection.
    /// - Returns: The messages. Nothing is sent before they are read.
    public func reconnectingWebSocket(
        _ target: Target,
        options: WebSocketOptions = WebSocketOptions(),
        reconnection: ReconnectionPolicy = ReconnectionPolicy(),
        onOpen: @escaping @Sendable (WebSocket) async throws -> Void = { _ in }
    ) -> ReconnectingWebSocket {
        ReconnectingWebSocket(policy: reconnection, clock: clock) { [self] in
            try await webSocket(target, options: options)
        } onOpen: {
            try await onOpen($0)
        } cause: {
            if case MoyaError.underlying(let cause, _) = $0 { cause } else { $0 }
        }
    }
}

extension TaskExecution {
    /// The reason why the execution can't open a WebSocket; `nil` if it can.
    fileprivate var webSocketMisuse: TargetMisuse? {
        switch self {
        case .request: nil
        case .upload, .download, .failure: .webSocketHasBody
        }
    }
}

extension TargetMisuse {
    fileprivate static let webSocketHasBody = TargetMisuse(
        target: nil,
        property: "task",
        problem: "it uploads a body or downloads to a file, and was asked for a WebSocket",
        remedy: "use a task without a body, such as .requestPlain"
    )
}
