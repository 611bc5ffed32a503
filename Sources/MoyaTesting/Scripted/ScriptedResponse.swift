import Foundation

/// The reaction of a ``ScriptedTransport`` to one request: a response or a fault.
///
///     .json(user)
///     .status(503).header("Retry-After", "1").after(seconds: 0.2)
///     .file(url).bytesPerSecond(100_000)
///     .chunks(["data: a\n\n", "data: b\n\n"], type: "text/event-stream")
///     .json(users).reset(afterBytes: 10)
///     .dnsFailure
///
/// A response has a `Content-Type` for its content, and the `Content-Length` that a server would send; its headers replace them. As
/// with a real server, a response to a HEAD request and a response with status 204 or 304 have no body.
public struct ScriptedResponse: Sendable {
    indirect enum Content: Sendable {
        case response(ScriptedHTTPResponse)
        case fault(ScriptedFault.Kind)
        /// The request times out.
        case silence
        case chance(ScriptedChance)
        /// No such request is allowed.
        case noMore
        case unusable(ScriptedResponseError)
    }

    var content: Content
    /// The time between the end of the request and the response.
    var delay = Duration.zero

    init(_ content: Content) { self.content = content }

    private init(_ body: ScriptedBody, status: Int, type: String?) {
        // An interim response is not a final one (RFC 9110, section 15.2).
        guard (200...999).contains(status) else {
            self.init(.unusable(ScriptedResponseError(.notAStatus(status))))
            return
        }
        self.init(.response(ScriptedHTTPResponse(status: status, body: body, type: type)))
    }

    /// Responds with a status and no body.
    ///
    /// - Parameter code: The status, at least 200, because interim responses are not supported.
    /// - Returns: The response.
    public static func status(_ code: Int) -> ScriptedResponse {
        ScriptedResponse(.data(Data()), status: code, type: nil)
    }

    /// Responds with text in UTF-8.
    public static func text(
        _ text: String,
        status: Int = 200,
        type: String = "text/plain; charset=utf-8"
    ) -> ScriptedResponse { ScriptedResponse(.data(Data(text.utf8)), status: status, type: type) }

    /// Responds with bytes.
    public static func data(
        _ data: Data,
        status: Int = 200,
        type: String = "application/octet-stream"
    ) -> ScriptedResponse { ScriptedResponse(.data(data), status: status, type: type) }

    /// Responds with a value as JSON; if the value cannot be encoded, the request fails with ``ScriptedResponseError``.
    ///
    /// - Parameters:
    ///   - value: The value, which is encoded immediately.
    ///   - status: The status.
    ///   - encoder: The encoder; `nil` for one that sorts keys, so that the bytes are reproducible.
    /// - Returns: The response.
    public static func json(
        _ value: some Encodable,
        status: Int = 200,
        encoder: JSONEncoder? = nil
    ) -> ScriptedResponse {
        do {
            return data(try (encoder ?? .sorted).encode(value), status: status, type: "application/json")
        } catch {
            let name = (value as? UntypedJSON)?.name(of: error) ?? "\(Swift.type(of: value))"
            return ScriptedResponse(.unusable(ScriptedResponseError(.notEncodable(name), underlyingError: error)))
        }
    }

    /// Responds with a JSON literal, whose members may have different types: `.json(["id": 1, "name": "octocat"])`.
    public static func json(_ literal: JSONLiteral, status: Int = 200) -> ScriptedResponse {
        json(literal.value, status: status)
    }

    /// Responds with a dictionary as a JSON object.
    ///
    /// Its values may be strings, numbers, Booleans, `nil`, `NSNull`, arrays, dictionaries and `Encodable` values.
    ///
    ///     let user: [String: any Sendable] = ["id": 1, "name": "octocat"]
    ///     transport.on("/user", .json(user))
    @_disfavoredOverload
    public static func json(
        _ object: [String: Any],
        status: Int = 200,
        encoder: JSONEncoder? = nil
    ) -> ScriptedResponse { json(UntypedJSON(object), status: status, encoder: encoder) }

    /// Responds with a list of dictionaries as JSON objects, whose values may have different types.
    @_disfavoredOverload
    public static func json(
        _ objects: [[String: Any]],
        status: Int = 200,
        encoder: JSONEncoder? = nil
    ) -> ScriptedResponse { json(UntypedJSON(objects), status: status, encoder: encoder) }

    /// Responds with the content of a file.
    ///
    /// The file is read while the body is sent, so it may be large. If the file cannot be read, the request fails with
    /// ``ScriptedResponseError``.
    ///
    /// - Parameters:
    ///   - url: The URL of the file.
    ///   - status: The status.
    ///   - type: The media type; `nil` for the type of the file's extension.
    /// - Returns: The response.
    public static func file(_ url: URL, status: Int = 200, type: String? = nil) -> ScriptedResponse {
        ScriptedResponse(.file(url), status: status, type: type ?? MIMEType.forExtension(url.pathExtension))
    }

    /// Responds with chunks, which are received one by one if the body is streamed; their length is not declared.
    public static func chunks(
        _ chunks: [Data],
        status: Int = 200,
        type: String = "application/octet-stream"
    ) -> ScriptedResponse { ScriptedResponse(.chunks(chunks), status: status, type: type) }

    /// Responds with chunks of text, which are received one by one if the body is streamed; their length is not
    /// declared.
    public static func chunks(
        _ texts: [String],
        status: Int = 200,
        type: String = "text/plain; charset=utf-8"
    ) -> ScriptedResponse { chunks(texts.map { Data($0.utf8) }, status: status, type: type) }

    /// Responds with a redirect.
    ///
    /// The redirected request belongs to the same target, so the target's next response is used for it:
    ///
    ///     transport.on(GitHub.zen, .redirect(to: "/wisdom"), .text("Keep it simple."))
    public static func redirect(to location: String, status: Int = 302) -> ScriptedResponse {
        self.status(status).header("Location", location)
    }

    /// Opens a WebSocket, whose server performs the given steps.
    ///
    ///     transport.on(Market.ticker, .webSocket(.expect("subscribe"), .send("1.25"), .close()))
    ///
    /// The messages pass through the frames of the protocol as over a network, without sockets and without compression. After the last
    /// step, the WebSocket stays open until the client closes it. A message that no step expects ends the WebSocket with a
    /// ``WebSocketScriptError`` for the client; messages after ``WebSocketStep/close(code:reason:)`` are dropped. A request that does
    /// not ask for a WebSocket fails with ``ScriptedResponseError``.
    ///
    /// - Parameters:
    ///   - steps: The steps.
    ///   - subprotocol: The subprotocol that the server chooses.
    /// - Returns: The response.
    public static func webSocket(_ steps: WebSocketStep..., subprotocol: String? = nil) -> ScriptedResponse {
        webSocket(steps, subprotocol: subprotocol)
    }

    /// Opens a WebSocket, whose server performs the given steps.
    public static func webSocket(_ steps: [WebSocketStep], subprotocol: String? = nil) -> ScriptedResponse {
        var response = ScriptedHTTPResponse(status: 101, body: .data(Data()))
        response.webSocket = steps
        if let subprotocol { response.headers[.secWebSocketProtocol] = subprotocol }
        return ScriptedResponse(.response(response))
    }

    /// Ends a sequence of responses: a further request fails with ``ScriptError`` instead of receiving the last response again.
    public static var noMore: ScriptedResponse { ScriptedResponse(.noMore) }
}

extension ScriptedResponse {
    /// Returns this response with an additional header.
    ///
    /// A header may be repeated, as `Set-Cookie` is; `Content-Type` and `Content-Length` replace the default ones. A
    /// wrong `Content-Length` has the effect of ``declaring(length:)``.
    public func header(_ name: String, _ value: String) -> ScriptedResponse {
        guard let name = HTTPField.Name(name) else {
            return replacingContent(.unusable(ScriptedResponseError(.invalidHeaderName(name))))
        }
        return changing { $0.headers.append(HTTPField(name: name, value: value)) }
    }

    /// Returns this response with additional headers.
    public func headers(_ fields: HTTPFields) -> ScriptedResponse { changing { $0.headers.append(contentsOf: fields) } }

    /// Returns this response with an additional delay after the request.
    ///
    /// A request with a shorter timeout fails with `URLError.timedOut`.
    public func after(_ delay: Duration) -> ScriptedResponse {
        var response = self
        response.delay = min(self.delay + max(min(delay, .longestTimeout), .zero), .longestTimeout)
        return response
    }

    /// Returns this response with an additional delay after the request, in seconds.
    public func after(seconds: Double) -> ScriptedResponse { after(Duration(clampingSeconds: seconds)) }

    /// Returns this response with a limited bandwidth: its body is received evenly, in chunks of about a tenth of a
    /// second.
    ///
    /// - Parameter count: The bandwidth in bytes per second, which may be less than 1; at 0 nothing is received.
    /// - Returns: The response.
    public func bytesPerSecond(_ count: Double) -> ScriptedResponse {
        changing { $0.bytesPerSecond = count > 0 ? count : 0 }
    }

    /// Returns a copy with the HTTP response changed; for a random choice, both responses are changed.
    func changing(_ change: (inout ScriptedHTTPResponse) -> Void) -> ScriptedResponse {
        switch content {
        case .response(var response):
            change(&response)
            return replacingContent(.response(response))
        case .chance(var chance):
            chance.chosen = chance.chosen.changing(change)
            chance.otherwise = chance.otherwise.changing(change)
            return replacingContent(.chance(chance))
        case .fault, .silence, .noMore, .unusable:
            return self
        }
    }

    private func replacingContent(_ content: Content) -> ScriptedResponse {
        var response = self
        response.content = content
        return response
    }

    /// Whether the request fails before a connection is established.
    var isBeforeConnection: Bool { if case .fault(let kind) = content { kind.isBeforeConnection } else { false } }

    /// Whether this is a response or a fault, and not ``noMore``.
    var isResponse: Bool { if case .noMore = content { false } else { true } }
}

extension JSONEncoder {
    fileprivate static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}

// For each fault, the application gets the `URLError` that a real server's fault causes, with a ``ScriptedFault`` under
// `NSUnderlyingErrorKey`.
extension ScriptedResponse {
    /// The connection is refused: `URLError.cannotConnectToHost`.
    public static var refused: ScriptedResponse { ScriptedResponse(.fault(.refused)) }

    /// The host name cannot be resolved: `URLError.cannotFindHost`.
    public static var dnsFailure: ScriptedResponse { ScriptedResponse(.fault(.dnsFailure)) }

    /// The TLS handshake fails: `URLError.secureConnectionFailed`.
    public static var tlsFailure: ScriptedResponse { ScriptedResponse(.fault(.tlsFailure)) }

    /// The server's certificate is untrusted: `URLError.serverCertificateUntrusted`.
    public static var untrustedCertificate: ScriptedResponse { ScriptedResponse(.fault(.untrustedCertificate)) }

    /// The connection is reset after the request was received: `URLError.networkConnectionLost`.
    ///
    /// `NIOTransport` resends a request with an idempotent method, because it may have been lost on a reused connection
    /// (RFC 9112, section 9.3.1). The script describes the final result.
    public static var reset: ScriptedResponse { ScriptedResponse(.fault(.resetBeforeHead)) }

    /// The server's response is not HTTP: `URLError.cannotParseResponse`.
    public static var notHTTP: ScriptedResponse { ScriptedResponse(.fault(.notHTTP)) }

    /// The request fails with any code, after the server has received it.
    ///
    ///     transport.on(GitHub.zen, .error(.notConnectedToInternet))
    public static func error(_ code: URLError.Code) -> ScriptedResponse { ScriptedResponse(.fault(.error(code))) }

    /// Nothing is received: `URLError.timedOut` when the request times out.
    public static var stall: ScriptedResponse { ScriptedResponse(.silence) }

    /// Another name for a stall.
    @available(*, unavailable, renamed: "stall")
    public static var stalled: ScriptedResponse { stall }

    /// Returns this response with a connection reset after the head and `count` bytes of the body:
    /// `URLError.networkConnectionLost`.
    ///
    /// A response whose declared length is at most `count` succeeds, because its body is complete before the reset.
    public func reset(afterBytes count: Int) -> ScriptedResponse {
        interrupted(by: .reset(afterBytes: count), after: count)
    }

    /// Returns this response with the connection closed after the head and `count` bytes of the body.
    ///
    /// The request fails with `URLError.networkConnectionLost` after these bytes.
    public func truncated(at count: Int) -> ScriptedResponse { interrupted(by: .truncated(at: count), after: count) }

    /// Returns this response with a stall after the head and `count` bytes of the body: `URLError.timedOut`.
    public func stall(afterBytes count: Int) -> ScriptedResponse { interrupted(by: nil, after: count) }

    /// Returns this response with a wrong declared length.
    ///
    /// If `length` is larger than the body, the connection is closed after the last byte: `URLError.networkConnectionLost`. If it is
    /// smaller, the body ends after `length` bytes, because the rest does not belong to the response (RFC 9112, section 6.3).
    public func declaring(length: Int) -> ScriptedResponse { changing { $0.declaredLength = Int64(max(0, length)) } }

    /// Chooses one of two responses randomly, for example to refuse a tenth of the requests.
    ///
    ///     transport.on(GitHub.zen, .chance(0.1, seed: 42, .refused, otherwise: .text("Keep it simple.")))
    ///
    /// The choice is reproducible: it depends only on the seed and on the number of previous requests of the same part of the script.
    /// If a chosen fault makes the request fail, the error contains the seed. For different choices in each run use `.random(in: 0 ...
    /// .max)` as the seed; to repeat a failed run, use the seed in its error.
    ///
    /// - Parameters:
    ///   - probability: The probability of `response`, from 0 to 1.
    ///   - seed: Any number.
    ///   - response: The response with this probability.
    ///   - otherwise: The response to all other requests.
    /// - Returns: The response.
    public static func chance(
        _ probability: Double,
        seed: UInt64,
        _ response: ScriptedResponse,
        otherwise: ScriptedResponse
    ) -> ScriptedResponse {
        ScriptedResponse(
            .chance(ScriptedChance(probability: probability, seed: seed, chosen: response, otherwise: otherwise))
        )
    }

    /// Returns this response with an incomplete body; a `fault` of `nil` is a stall.
    private func interrupted(by fault: ScriptedFault.Kind?, after count: Int) -> ScriptedResponse {
        changing { $0.interruption = ScriptedHTTPResponse.Interruption(after: Int64(max(0, count)), fault: fault) }
    }
}
