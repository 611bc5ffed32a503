import Foundation
import Moya
import MoyaHAR

/// A transport that answers from a recording: nothing is sent.
///
///     let replayer = HARReplayer(try HAR(contentsOf: file))
///     let provider = MoyaProvider<GitHub>(session: Session(transport: replayer))
///     let response = try await provider.request(.zen)
///     #expect(replayer.unusedEntries.isEmpty)
///
/// Redirects, cookies, challenges and retries are the session's: each of their requests is answered by an entry of its own.
/// What failed when it was recorded fails again with the same `URLError`; what was cancelled waits until it is cancelled.
public final class HARReplayer: HTTPTransport {
    private let matcher: Locked<HARMatcher>
    private let bodyLimit: Int
    /// What was asked, also what the recording has no answer to.
    public let log: RequestLog

    /// Makes a transport that answers from a recording.
    ///
    /// - Parameters:
    ///   - har: Recorded by ``HARRecorder``, or exported by a browser or a proxy.
    ///   - matching: What makes a request the same as a recorded one.
    ///   - secrets: What is masked in both before they are compared: give what was masked when it was recorded.
    ///   - bodyLimit: How many bytes of a request's body are compared.
    public init(
        _ har: HAR,
        matching: HARMatching = HARMatching(),
        secrets: HARSecrets = .standard,
        bodyLimit: Int = HARRecordingOptions().bodyLimit
    ) {
        matcher = Locked(HARMatcher(har, matching: matching, secrets: secrets))
        self.bodyLimit = bodyLimit
        log = RequestLog(bodyLimit: bodyLimit, secrets: secrets)
    }

    /// What was asked so far, also what the recording has no answer to.
    public var requests: [SeenRequest] { log.requests }

    /// The entries that have not answered any request, masked, in the order in which they were recorded.
    public var unusedEntries: [HAR.Entry] { matcher.withLock { $0.unused }.map(\.entry) }

    /// Answers from the recording.
    ///
    /// - Throws: ``HARMismatch`` if no entry answers the request; ``HARAnswerError`` if the one that does has no answer
    ///   that can be given again; what the request failed with when it was recorded; `RequestBodyError` if its body
    ///   can't be read.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await log.watch(request) { [self] in try await answer(to: $0) }
    }

    /// Answers, without a note in the log.
    func answer(to request: TransportRequest) async throws -> TransportResponse {
        try await answer(to: request, body: try await request.readBody(limit: bodyLimit))
    }

    /// - Parameter body: The request's, read already.
    func answer(to request: TransportRequest, body: CapturedBody?) async throws -> TransportResponse {
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
        return try await HARAnswer(entry, index: index).response(to: request)
    }

    /// Does nothing: nothing is held.
    public func shutdown() async {}
}

extension TransportRequest {
    /// Reads the body as a transport would: whoever follows it sees it leave, and one that can't be read fails.
    func readBody(limit: Int) async throws -> CapturedBody? {
        guard let body else { return nil }
        if let data = body.data { return CapturedBody(data, limit: limit) }
        let reader = try body.open()
        var captured = CapturedBody(limit: limit)
        while let piece = try await reader.next() { captured.append(piece) }
        return captured
    }
}
