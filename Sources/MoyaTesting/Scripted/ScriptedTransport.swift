import Foundation

/// A transport that responds from a script and sends nothing.
///
///     let transport = ScriptedTransport()
///         .on(GitHub.zen, .status(503).after(seconds: 0.2), .text("Keep it simple."))
///         .on(.get, "/users/*", .json(user))
///     let provider = MoyaProvider<GitHub>(session: Session(transport: transport))
///     let zen = try await provider.request(.zen).mapString()
///     try transport.finish()
///
/// ### Matching
///
/// Each part of the script matches certain requests, and uses its responses for them in order. The last response is used
/// for all further requests, as in `when(…).thenReturn(a, b)`, so a target that is scripted once can be requested
/// repeatedly. If an additional request is a mistake, end the part with ``ScriptedResponse/noMore``: such a request fails
/// with ``ScriptError``.
///
/// Parts are examined in the order in which they were added, like the cases of a `switch`, and the first match is used; a
/// part that allows no further request is skipped. Responses of ``next(_:)`` are used before all parts, once each.
///
/// ### Responses
///
/// See ``ScriptedResponse`` for responses and faults. The session performs redirects, cookies, challenges and retries, and
/// each of their requests gets its response from the script. Timeouts and cancellation work as in a real transport.
///
/// Parts can be added at any time from any thread. The requests are in ``requests``.
public final class ScriptedTransport: HTTPTransport {
    private let script: Locked<Script>
    private let clock: any Clock<Duration>
    private let secrets: HARSecrets
    private let conversations = Locked<[WebSocketConversation]>([])
    /// The requests, including those that are not in the script.
    public let log: RequestLog

    /// Creates a transport with an empty script.
    ///
    /// - Parameters:
    ///   - clock: The clock for delays; a test with long delays can use a clock that does not wait.
    ///   - secrets: The secrets that are masked in errors.
    public init(clock: any Clock<Duration> = ContinuousClock(), secrets: HARSecrets = .standard) {
        self.clock = clock
        self.secrets = secrets
        log = RequestLog(secrets: secrets)
        script = Locked(Script())
    }

    /// The requests so far, including those that are not in the script.
    public var requests: [CapturedRequest] { log.requests }

    /// Responds from the script.
    ///
    /// - Parameter request: The request.
    /// - Returns: The scripted response.
    /// - Throws: ``ScriptError`` if the script has no response; ``ScriptedResponseError`` if the response is invalid; the
    ///   `URLError` of a fault, a timeout or a cancellation; `RequestBodyError` if the body cannot be read.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await log.capture(request) { [self] in try await respond(to: $0) }
    }

    private func respond(to request: TransportRequest) async throws -> TransportResponse {
        if Task.isCancelled { throw URLError.cancelled(url: request.url) }
        let (response, draw) = try take(request)
        let performed = try await response.perform(for: request, clock: clock, draw: draw) { steps, upgrade, headers in
            let conversation = WebSocketConversation(steps, url: request.url, secrets: secrets, clock: clock)
            conversations.withLock { $0.append(conversation) }
            return try conversation.begin(upgrade, of: request, headers: headers)
        }
        guard let performed else { throw error(.notScripted, request) }
        return performed
    }

    /// Does nothing, because the transport has no resources.
    public func shutdown() async {}

    // MARK: The script

    /// Scripts responses to the next requests of any kind; each is used once, before all parts of the script.
    @discardableResult
    public func next(_ responses: ScriptedResponse...) -> ScriptedTransport {
        script.withLock { $0.queue(responses) }
        return self
    }

    /// Adds a part to the script.
    @discardableResult
    func add(_ name: String, _ responses: [ScriptedResponse], matches: @escaping Script.Matcher) -> ScriptedTransport {
        script.withLock { $0.add(name, responses, matches: matches) }
        return self
    }

    /// Returns a URL or a pattern for URLs, masked and shortened.
    func maskedText(of url: String) -> String {
        HAR.Request(method: "", url: url).masking(secrets).url.shortened
    }

    /// The parts of the script with unused responses.
    ///
    /// The last response of a part counts as used after one request; ``ScriptedResponse/noMore`` does not count.
    public var unused: [ScriptPart] { script.withLock { $0.parts }.filter { $0.used < $0.responses } }

    /// Ends the test, and checks that all responses were used.
    ///
    /// - Throws: ``UnusedResponsesError`` for unused responses.
    public func finish() throws(UnusedResponsesError) {
        let unused = unused
        if !unused.isEmpty { throw UnusedResponsesError(parts: unused) }
    }

    /// Waits until the scripts of all opened WebSockets have been completed, and checks that the clients have followed them.
    ///
    /// - Parameter timeout: The maximum time to wait.
    /// - Throws: ``WebSocketScriptError`` for the first WebSocket whose client departs from its script.
    public func finishWebSockets(timeout: Duration = .seconds(60)) async throws(WebSocketScriptError) {
        let deadline = ContinuousClock.now + timeout
        for conversation in conversations.withLock({ $0 }) { try await conversation.finish(until: deadline) }
    }

    // MARK: Matching requests

    private func take(_ request: TransportRequest) throws(ScriptError) -> (ScriptedResponse, ScriptedDraw?) {
        if let response = script.withLock({ $0.takeQueued() }) { return response }
        // The matchers are the test's closures, so they are called without the lock.
        let matchers = script.withLock { $0.matchers }
        let candidates = matchers.indices.filter { matchers[$0](request) }
        if let response = script.withLock({ $0.take(from: candidates) }) { return response }
        throw error(candidates.isEmpty ? .notScripted : .over, request)
    }

    private func error(_ reason: ScriptError.Reason, _ request: TransportRequest) -> ScriptError {
        ScriptError(
            reason: reason,
            request: HAR.Request(request, body: nil).masking(secrets),
            target: request.innermostTarget.map { TargetName($0).description },
            scripted: script.withLock { $0.parts }
        )
    }
}

extension TransportRequest {
    /// The target of the request, unwrapped from a `MultiTarget`; `nil` for a request without a target.
    var innermostTarget: (any TargetType)? { (target as? any TargetType)?.innermost }

    /// Returns the target, unwrapped or unchanged, if it has the given type.
    func target<Target: TargetType>(as type: Target.Type) -> Target? { innermostTarget as? Target ?? target as? Target }
}

extension ScriptedTransport {
    /// Scripts responses to requests for a target, also if it is wrapped in a `MultiTarget`.
    ///
    ///     transport.on(GitHub.zen, .text("Keep it simple."))
    ///
    /// `Equatable` targets are compared with `==`. Other targets, and those that are not equal to themselves, such as a target
    /// of `@API` with a closure, match if their type, method and URL, including its query, are equal; their bodies are not
    /// compared. Requests that were not created from a target match by method and URL.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - responses: The responses in order; the last one is used for all further requests.
    /// - Returns: This transport.
    @discardableResult
    public func on(_ target: some TargetType, _ responses: ScriptedResponse...) -> ScriptedTransport {
        let own = target.innermost
        let address = TargetAddress(own)
        return add(
            "\(TargetName(own)), \(address.method.rawValue) \(maskedText(of: address.url.absoluteString))",
            responses
        ) {
            request in
            guard let asked = request.innermostTarget else { return address == TargetAddress(request) }
            return own.isSame(as: asked)
        }
    }

    /// Scripts responses to requests for all targets of a type.
    ///
    ///     transport.on(GitHub.self, .status(503))
    ///
    /// - Parameters:
    ///   - type: The targets' type.
    ///   - responses: The responses in order; the last one is used for all further requests.
    /// - Returns: This transport.
    @discardableResult
    public func on<Target: TargetType>(_ type: Target.Type, _ responses: ScriptedResponse...) -> ScriptedTransport {
        add("any \(type)", responses) { request in request.target(as: type) != nil }
    }

    /// Scripts responses to requests for the targets of a type that fulfill a condition.
    ///
    ///     transport.on(GitHub.self, where: { if case .user = $0 { true } else { false } }, .json(user))
    ///
    /// - Parameters:
    ///   - type: The targets' type.
    ///   - matches: Returns whether a target matches.
    ///   - responses: The responses in order; the last one is used for all further requests.
    ///   - file: The file that errors name, as a closure has no name.
    ///   - line: The line that errors name.
    /// - Returns: This transport.
    @discardableResult
    public func on<Target: TargetType>(
        _ type: Target.Type,
        where matches: @escaping @Sendable (Target) -> Bool,
        _ responses: ScriptedResponse...,
        file: StaticString = #fileID,
        line: Int = #line
    ) -> ScriptedTransport {
        add("\(type) where … (\(file):\(line))", responses) { request in
            request.target(as: type).map(matches) ?? false
        }
    }

    /// Scripts responses to requests by method and URL.
    ///
    ///     transport.on(.get, "/users/*", .json(user))
    ///     transport.on(.post, "https://auth.example.com/token", .json(token))
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - pattern: A path for any server, or a URL. In its path `*` matches any characters except a slash, and `**`
    ///     any characters. A query must have the same parameters in any order; a pattern without a query matches any.
    ///   - responses: The responses in order; the last one is used for all further requests.
    /// - Returns: This transport.
    @discardableResult
    public func on(_ method: HTTPMethod, _ pattern: String, _ responses: ScriptedResponse...) -> ScriptedTransport {
        let wanted = ScriptPattern(pattern)
        return add("\(method.rawValue) \(maskedText(of: pattern))", responses) { request in
            request.method == method && wanted.matches(request.url)
        }
    }

    /// Scripts responses to requests by URL, for any method.
    ///
    ///     transport.on("/status", .text("up"))
    ///
    /// - Parameters:
    ///   - pattern: A path or a URL, as in `on(.get, "/users/*", …)`.
    ///   - responses: The responses in order; the last one is used for all further requests.
    /// - Returns: This transport.
    @discardableResult
    public func on(_ pattern: String, _ responses: ScriptedResponse...) -> ScriptedTransport {
        let wanted = ScriptPattern(pattern)
        return add("any method, \(maskedText(of: pattern))", responses) { request in wanted.matches(request.url) }
    }

    /// Scripts responses to requests that fulfill a condition.
    ///
    ///     transport.on(where: { $0.headers[.authorization] == nil }, .status(401))
    ///
    /// - Parameters:
    ///   - matches: Returns whether a request matches.
    ///   - responses: The responses in order; the last one is used for all further requests.
    ///   - file: The file that errors name, as a closure has no name.
    ///   - line: The line that errors name.
    /// - Returns: This transport.
    @discardableResult
    public func on(
        where matches: @escaping @Sendable (TransportRequest) -> Bool,
        _ responses: ScriptedResponse...,
        file: StaticString = #fileID,
        line: Int = #line
    ) -> ScriptedTransport { add("requests where … (\(file):\(line))", responses, matches: matches) }
}
