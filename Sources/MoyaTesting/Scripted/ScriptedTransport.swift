import Foundation

/// A transport that answers as a test says: nothing is sent.
///
///     let transport = ScriptedTransport()
///         .on(GitHub.zen, .status(503).after(seconds: 0.2), .text("Keep it simple."))
///         .on(.get, "/users/*", .json(user))
///     let provider = MoyaProvider<GitHub>(session: Session(transport: transport))
///     let zen = try await provider.request(.zen).mapString()
///     try transport.finish()
///
/// ### Who is answered
///
/// A part of the script says for which requests it is, and answers them one after the other with its answers. Its last answer
/// is for all that follow, as in `when(…).thenReturn(a, b)`: a target that is scripted once can be asked for often. Where one
/// request too many is a mistake, say so: ``ScriptedAnswer/noMore`` as the last answer makes it a ``ScriptError``.
///
/// Parts are looked at in the order in which they were added, as the cases of a `switch` are, and the first that is for the
/// request answers; one that is over lets the next have it. Answers given to ``next(_:)`` come before all parts, each once.
///
/// ### What is answered
///
/// See ``ScriptedAnswer`` for the values, faults among them. Redirects, cookies, challenges and retries are the session's: each
/// of their requests is one of the script's. Time-outs and cancellation hold as on a real transport.
///
/// The script can be added to at any time, from anywhere. What was asked is in ``requests``.
public final class ScriptedTransport: HTTPTransport {
    private let script: Locked<Script>
    private let clock: any Clock<Duration>
    private let secrets: HARSecrets
    /// What was asked, also what nothing is scripted for.
    public let log: RequestLog

    /// Makes a transport for which nothing is scripted yet.
    ///
    /// - Parameters:
    ///   - clock: Counts the time that answers wait. A test of long times gives a clock of its own, and need not wait.
    ///   - secrets: What is masked in errors.
    public init(clock: any Clock<Duration> = ContinuousClock(), secrets: HARSecrets = .standard) {
        self.clock = clock
        self.secrets = secrets
        log = RequestLog(secrets: secrets)
        script = Locked(Script())
    }

    /// What was asked so far, also what nothing is scripted for.
    public var requests: [SeenRequest] { log.requests }

    /// Answers from the script.
    ///
    /// - Throws: ``ScriptError`` if there is no answer; ``ScriptedAnswerError`` if the answer can't be given; the `URLError` of
    ///   a fault, of a request whose time is up or that is cancelled; `RequestBodyError` if the body can't be read.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await log.watch(request) { [self] in try await answer(to: $0) }
    }

    private func answer(to request: TransportRequest) async throws -> TransportResponse {
        if Task.isCancelled { throw URLError.cancelled(url: request.url) }
        let (answer, draw) = try take(request)
        let time = ScriptedTime(request, clock: clock, draw: draw)
        if !answer.isBeforeConnection { try await request.receiveBody() }
        time.noteActivity()
        try await time.wait(answer.delay)
        switch answer.content {
        case .response(let response):
            return try await ScriptedExchange(response, to: request, time: time, draw: draw).transportResponse()
        case .fault(let kind):
            throw ScriptedFault(kind: kind, draw: draw).error(url: request.url)
        case .silence:
            try await time.waitForEver()
        case .unusable(let error):
            throw error
        case .chance, .noMore:
            throw error(.notScripted, request)
        }
    }

    /// Does nothing: nothing is held.
    public func shutdown() async {}

    // MARK: The script

    /// Answers the next requests, whatever they are: each of the answers once, before all other parts of the script.
    @discardableResult
    public func next(_ answers: ScriptedAnswer...) -> ScriptedTransport {
        script.withLock { $0.queue(answers) }
        return self
    }

    /// Adds a part.
    @discardableResult
    func add(_ name: String, _ answers: [ScriptedAnswer], matches: @escaping Script.Matcher) -> ScriptedTransport {
        script.withLock { $0.add(name, answers, matches: matches) }
        return self
    }

    /// A URL, or a pattern of one, as it may be shown.
    func shown(_ url: String) -> String {
        HARDifference.short(HAR.Request(method: "", url: url).masking(secrets).url)
    }

    /// The parts of the script that have answers which no request has had. The last answer of a part counts as had when one
    /// request has had it; ``ScriptedAnswer/noMore`` does not count.
    public var unused: [ScriptPart] { script.withLock { $0.parts }.filter { $0.used < $0.answers } }

    /// Ends the test: checks that the script has been played to its end.
    ///
    /// - Throws: ``UnusedAnswersError`` for answers that no request has had.
    public func finish() throws(UnusedAnswersError) {
        let unused = unused
        if !unused.isEmpty { throw UnusedAnswersError(parts: unused) }
    }

    // MARK: Inside

    private func take(_ request: TransportRequest) throws(ScriptError) -> (ScriptedAnswer, ScriptedDraw?) {
        if let answer = script.withLock({ $0.takeQueued() }) { return answer }
        // What the test gave is not called under the lock.
        let matchers = script.withLock { $0.matchers }
        let candidates = matchers.indices.filter { matchers[$0](request) }
        if let answer = script.withLock({ $0.take(from: candidates) }) { return answer }
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
    /// The target; the wrapped one, if it is a `MultiTarget`.
    var innermostTarget: (any TargetType)? { (target as? any TargetType)?.innermost }

    /// The target, if it is of a type: the wrapped one, or as it is.
    func target<Target: TargetType>(as type: Target.Type) -> Target? { innermostTarget as? Target ?? target as? Target }
}
