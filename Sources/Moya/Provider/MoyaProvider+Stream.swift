import Foundation

// Requests whose bodies are read while they are received.
extension MoyaProvider {
    /// Requests a target and returns the response when its head has arrived; the body is read as it arrives.
    ///
    ///     let response = try await provider.stream(.log)
    ///     for try await line in response.lines { print(line) }
    ///
    /// The request passes the same steps as any other. Plugins see the response once, when its head has arrived,
    /// without data. A status that the target does not accept is a failure, whose response has the body. Equal requests
    /// are not shared here. A stub's data is the whole body.
    ///
    /// The request is sent once, whatever its method: the response's ``StreamingResponse/events`` end with the response.
    /// ``events(_:reconnection:maximumSize:)`` reconnects.
    ///
    /// - Parameter target: The target to request.
    /// - Returns: The response, whose body has not been read.
    /// - Throws: ``MoyaError``; for a task that downloads to a file ``MoyaError/parameterEncoding(_:)`` with
    ///   ``TargetMisuse``.
    public func stream(_ target: Target) async throws(MoyaError) -> StreamingResponse {
        try await stream(target, onRequest: { _ in }, adjust: nil)
    }

    /// Requests a target as a stream.
    ///
    /// - Parameters:
    ///   - target: The target to request.
    ///   - onRequest: Called with the mapped request, and with the request of each attempt after plugins have prepared it.
    ///   - adjust: Changes the mapped request before plugins see it.
    /// - Returns: The response, whose body has not been read.
    /// - Throws: ``MoyaError``.
    func stream(
        _ target: Target,
        onRequest: @escaping @Sendable (URLRequest) -> Void,
        adjust: (@Sendable (inout URLRequest) -> Void)?
    ) async throws(MoyaError) -> StreamingResponse {
        let sent = await runInCallingTask(
            target,
            adjust: adjust,
            findMisuse: { $0.streamMisuse }
        ) { [self] mapped, request in
            onRequest(mapped.request)
            return await send(
                mapped,
                for: request,
                onPrepared: { if let request = $0.request { onRequest(request) } },
                asStream: true
            )
        }
        let response = try sent.result.get()
        // A stub has its data, and so has a response with another status that a plugin has turned into a success.
        return StreamingResponse(response, body: sent.body ?? TransportBodyStream(.complete(response.data)))
    }

    /// Returns the server-sent events of a target, as a sequence that reconnects when a stream ends.
    ///
    /// Only a request with a safe method (GET, HEAD, OPTIONS, TRACE, QUERY) is sent again. A POST is sent once, and its events
    /// end with its response. If the server continues its stream after a second POST, pass
    /// `ReconnectionPolicy(repeatsUnsafeRequests: true)`.
    ///
    /// Each connection is a separate request, which plugins see. It has the headers `Accept: text/event-stream` and
    /// `Cache-Control: no-store`, unless the target sets others.
    ///
    /// - Parameters:
    ///   - target: The target to request.
    ///   - reconnection: The delays between connections, the limit on failures, and whether a POST is repeated.
    ///   - maximumSize: The maximum size of an event, and of a line, in bytes.
    /// - Returns: The events. Nothing is sent before they are read.
    public func events(
        _ target: Target,
        reconnection: ReconnectionPolicy = ReconnectionPolicy(),
        maximumSize: Int = 1024 * 1024
    ) -> EventSequence {
        EventSequence(
            connect: { [self] lastEventID, onRequest async throws(MoyaError) in
                try await stream(target, onRequest: onRequest) { request in
                    if let lastEventID { request.setValue(lastEventID, forHTTPHeaderField: "Last-Event-ID") }
                    request.setIfAbsent("text/event-stream", "Accept")
                    request.setIfAbsent("no-store", "Cache-Control")
                }
            },
            policy: reconnection,
            maximumSize: maximumSize,
            clock: clock
        )
    }
}

extension URLRequest {
    fileprivate mutating func setIfAbsent(_ value: String, _ name: String) {
        if self.value(forHTTPHeaderField: name) == nil { setValue(value, forHTTPHeaderField: name) }
    }
}

extension TaskExecution {
    /// The reason why the execution can't be streamed; `nil` if it can.
    fileprivate var streamMisuse: TargetMisuse? {
        if case .download = self { .downloadIsStreamed } else { nil }
    }
}

extension TargetMisuse {
    fileprivate static let downloadIsStreamed = TargetMisuse(
        target: nil,
        property: "task",
        problem: "it downloads to a file, and was asked for as a stream",
        remedy: "call request, or use a task without a destination"
    )
}
