import Foundation
import Moya
import MoyaHAR

/// A transport that responds from a recording and sends nothing.
///
///     let replayer = HARReplayer(try HAR(contentsOf: file))
///     let provider = MoyaProvider<GitHub>(session: Session(transport: replayer))
///     let response = try await provider.request(.zen)
///     #expect(replayer.unusedEntries.isEmpty)
///
/// The session performs redirects, cookies, challenges and retries: each of their requests needs a separate entry. A request whose
/// recorded exchange failed fails with the same `URLError`. A request whose recorded exchange was cancelled waits until it is
/// cancelled or times out.
public final class HARReplayer: HTTPTransport {
    private let matcher: Locked<HARMatcher>
    private let bodyLimit: Int
    private let secrets: HARSecrets
    private let comparesMessages: Bool
    /// The requests, including those without a matching entry.
    public let log: RequestLog

    /// Creates a transport that responds from a recording.
    ///
    /// - Parameters:
    ///   - har: A recording by ``HARRecorder``, or exported by a browser or a proxy.
    ///   - matching: How requests are matched with entries.
    ///   - secrets: The secrets that are masked in both before they are compared; use the same value as for the recording.
    ///   - bodyLimit: The number of bytes of a request's body that are compared.
    public init(
        _ har: HAR,
        matching: HARMatching = HARMatching(),
        secrets: HARSecrets = .standard,
        bodyLimit: Int = HARRecordingOptions().bodyLimit
    ) {
        matcher = Locked(HARMatcher(har, matching: matching, secrets: secrets))
        self.bodyLimit = bodyLimit
        self.secrets = secrets
        comparesMessages = matching.parts.contains(.body)
        log = RequestLog(bodyLimit: bodyLimit, secrets: secrets)
    }

    /// The requests so far, including those without a matching entry.
    public var requests: [CapturedRequest] { log.requests }

    /// The entries that have not been used for a response, masked, in the order of the recording.
    public var unusedEntries: [HAR.Entry] { matcher.withLock { $0.unused }.map(\.entry) }

    /// Responds from the recording.
    ///
    /// The server of a recorded WebSocket sends its messages again, without the recorded delays, each when the client has sent the messages
    /// before it. A client that sends another message gets a ``WebSocketScriptError``, unless the rules ignore bodies.
    ///
    /// - Parameter request: The request.
    /// - Returns: The recorded response.
    /// - Throws: ``HARMismatch`` if no entry matches the request; ``HARReplayError`` if the response of the matching
    ///   entry cannot be replayed; the recorded error; `RequestBodyError` if the request's body cannot be read.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await log.capture(request) { [self] in try await respond(to: $0) }
    }

    /// Responds without logging the request.
    func respond(to request: TransportRequest) async throws -> TransportResponse {
        try await respond(to: request, body: try await request.readBody(limit: bodyLimit))
    }

    /// Responds to a request whose body has been read.
    func respond(to request: TransportRequest, body: CapturedBody?) async throws -> TransportResponse {
        if Task.isCancelled { throw URLError.cancelled(url: request.url) }
        let asked = HAR.Request(request, body: body)
        let result: Result<(index: Int, entry: HAR.Entry), HARMismatch> = matcher.withLock { matcher in
            do throws(HARMismatch) {
                return .success(try matcher.take(asked))
            } catch {
                return .failure(error)
            }
        }
        let (index, entry) = try result.get()
        request.onConnect?()
        if let upgrade = request.upgrade, entry.isWebSocket {
            let steps = entry.webSocketSteps(secrets: secrets, comparesMessages: comparesMessages)
            return try WebSocketConversation(steps, url: request.url, secrets: secrets, clock: ContinuousClock())
                .begin(upgrade, of: request, headers: entry.webSocketFields)
        }
        return try await ReplayedResponse(entry, index: index).response(to: request)
    }

    /// Does nothing, because the transport has no resources.
    public func shutdown() async {}
}

extension TransportRequest {
    /// Reads the body as a transport does: it reports progress, and throws if the body cannot be read.
    func readBody(limit: Int) async throws -> CapturedBody? {
        guard let body else { return nil }
        if let data = body.data { return CapturedBody(data, limit: limit) }
        let reader = try body.open()
        var captured = CapturedBody(limit: limit)
        while let piece = try await reader.next() { captured.append(piece) }
        return captured
    }
}
