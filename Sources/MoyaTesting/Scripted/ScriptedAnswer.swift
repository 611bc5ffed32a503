import Foundation

/// What a ``ScriptedTransport`` does with one request: a value, made here and changed by methods.
///
///     .json(user)
///     .status(503).header("Retry-After", "1").after(seconds: 0.2)
///     .file(url).bytesPerSecond(100_000)
///     .chunks(["data: a\n\n", "data: b\n\n"], type: "text/event-stream")
///     .json(users).reset(afterBytes: 10)
///     .dnsFailure
///
/// It has a `Content-Type` that suits what it is made from, and the `Content-Length` that a server would send, unless headers
/// of its own say otherwise. As from a real server, no body follows a HEAD request, or a status of 204 or 304.
public struct ScriptedAnswer: Sendable {
    indirect enum Content: Sendable {
        case response(ScriptedResponse)
        case fault(ScriptedFault.Kind)
        /// The request waits until its time is up.
        case silence
        case chance(ScriptedChance)
        /// There is to be no such request.
        case noMore
        case unusable(ScriptedAnswerError)
    }

    var content: Content
    /// How long it takes from the request's end.
    var delay = Duration.zero

    init(_ content: Content) { self.content = content }

    private init(_ body: ScriptedBody, status: Int, type: String?) {
        // An interim response is no answer (RFC 9110, section 15.2).
        guard (200...999).contains(status) else {
            self.init(.unusable(ScriptedAnswerError(.notAStatus(status))))
            return
        }
        self.init(.response(ScriptedResponse(status: status, body: body, type: type)))
    }

    /// A status without a body.
    ///
    /// - Parameter code: From 200 on: interim responses are no answers.
    public static func status(_ code: Int) -> ScriptedAnswer { ScriptedAnswer(.data(Data()), status: code, type: nil) }

    /// A text in UTF-8.
    public static func text(
        _ text: String,
        status: Int = 200,
        type: String = "text/plain; charset=utf-8"
    ) -> ScriptedAnswer { ScriptedAnswer(.data(Data(text.utf8)), status: status, type: type) }

    /// Bytes.
    public static func data(
        _ data: Data,
        status: Int = 200,
        type: String = "application/octet-stream"
    ) -> ScriptedAnswer { ScriptedAnswer(.data(data), status: status, type: type) }

    /// A value as JSON. One that can't be encoded fails the request with ``ScriptedAnswerError``.
    ///
    /// - Parameters:
    ///   - value: Encoded now.
    ///   - encoder: Without one, keys are sorted, so that the bytes are the same each time.
    public static func json(
        _ value: some Encodable,
        status: Int = 200,
        encoder: JSONEncoder? = nil
    ) -> ScriptedAnswer {
        do {
            return data(try (encoder ?? .sorted).encode(value), status: status, type: "application/json")
        } catch {
            let error = ScriptedAnswerError(.notEncodable("\(Swift.type(of: value))"), underlyingError: error)
            return ScriptedAnswer(.unusable(error))
        }
    }

    /// What a file contains when the request is answered. It is read in pieces as the body is, so it may be large.
    ///
    /// One that can't be read fails the request with ``ScriptedAnswerError``.
    ///
    /// - Parameter type: Its media type. Without one it is told by the file's extension.
    public static func file(_ url: URL, status: Int = 200, type: String? = nil) -> ScriptedAnswer {
        ScriptedAnswer(.file(url), status: status, type: type ?? MIMEType.forExtension(url.pathExtension))
    }

    /// Pieces, each of which arrives by itself where the body is read as a stream. Their length is not declared.
    public static func chunks(
        _ pieces: [Data],
        status: Int = 200,
        type: String = "application/octet-stream"
    ) -> ScriptedAnswer { ScriptedAnswer(.chunks(pieces), status: status, type: type) }

    /// Texts, each of which arrives by itself where the body is read as a stream. Their length is not declared.
    public static func chunks(
        _ texts: [String],
        status: Int = 200,
        type: String = "text/plain; charset=utf-8"
    ) -> ScriptedAnswer { chunks(texts.map { Data($0.utf8) }, status: status, type: type) }

    /// A redirect.
    ///
    /// The request that follows it is made from the same target, so that the target's next answer is for that one:
    ///
    ///     transport.on(GitHub.zen, .redirect(to: "/wisdom"), .text("Keep it simple."))
    public static func redirect(to location: String, status: Int = 302) -> ScriptedAnswer {
        self.status(status).header("Location", location)
    }

    /// The end of a sequence: a further request fails with ``ScriptError``, in place of getting the last answer again.
    public static var noMore: ScriptedAnswer { ScriptedAnswer(.noMore) }
}

extension ScriptedAnswer {
    /// Adds a header. It may stand there several times, as `Set-Cookie` does; `Content-Type` and `Content-Length` replace
    /// those that the answer has by itself. A `Content-Length` that is wrong does what ``declaring(length:)`` does.
    public func header(_ name: String, _ value: String) -> ScriptedAnswer {
        guard let name = HTTPField.Name(name) else {
            return replacingContent(.unusable(ScriptedAnswerError(.invalidHeaderName(name))))
        }
        return changed { $0.headers.append(HTTPField(name: name, value: value)) }
    }

    /// Adds headers.
    public func headers(_ fields: HTTPFields) -> ScriptedAnswer { changed { $0.headers.append(contentsOf: fields) } }

    /// The same answer, later: so long after the request, and after what has been said by this before.
    ///
    /// A request that may not wait so long fails with `URLError.timedOut`, when its time is up.
    public func after(_ delay: Duration) -> ScriptedAnswer {
        var answer = self
        answer.delay = min(self.delay + max(min(delay, .longestTimeout), .zero), .longestTimeout)
        return answer
    }

    /// The same answer, later by so many seconds.
    public func after(seconds: Double) -> ScriptedAnswer { after(Duration(clampingSeconds: seconds)) }

    /// The same answer, over a slow line: its body comes evenly, in pieces of about a tenth of a second.
    ///
    /// - Parameter count: May be less than one. Over a line without any speed nothing comes.
    public func bytesPerSecond(_ count: Double) -> ScriptedAnswer {
        changed { $0.bytesPerSecond = count > 0 ? count : 0 }
    }

    /// Changes the response, or each that it may be.
    func changed(_ change: (inout ScriptedResponse) -> Void) -> ScriptedAnswer {
        switch content {
        case .response(var response):
            change(&response)
            return replacingContent(.response(response))
        case .chance(var chance):
            chance.lucky = chance.lucky.changed(change)
            chance.otherwise = chance.otherwise.changed(change)
            return replacingContent(.chance(chance))
        case .fault, .silence, .noMore, .unusable:
            return self
        }
    }

    private func replacingContent(_ content: Content) -> ScriptedAnswer {
        var answer = self
        answer.content = content
        return answer
    }

    /// Whether there is no connection that a request could be sent over.
    var isBeforeConnection: Bool { if case .fault(let kind) = content { kind.isBeforeConnection } else { false } }

    /// Whether a request gets anything.
    var isAnswer: Bool { if case .noMore = content { false } else { true } }
}

extension JSONEncoder {
    fileprivate static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}
