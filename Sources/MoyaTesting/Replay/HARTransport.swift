import Foundation
import Moya
import MoyaHAR

/// A transport for tests that records real traffic once and replays the recording afterwards.
///
///     @Test func zen() async throws {
///         let transport = try HARTransport(file: fixtures.appendingPathComponent("zen.har"))
///         let provider = MoyaProvider<GitHub>(session: Session(transport: transport))
///         #expect(try await provider.request(.zen).mapString() == "…")
///         try transport.finish()
///     }
///
/// By default it replays; `MOYA_HAR=record swift test` records. See ``HARMode``.
///
/// Only ``finish(allowsUnused:)`` writes the file, so a test that fails before this call does not replace a good recording. A
/// transport that is released before its recorded requests were written prints a warning to standard error.
public final class HARTransport: HTTPTransport {
    /// The way in which requests are handled.
    public let mode: HARMode
    /// The file of the recording.
    public let file: URL
    /// The requests, both sent and replayed.
    public let log: RequestLog

    private let makeBase: @Sendable () -> any HTTPTransport
    private let options: HARRecordingOptions
    private let recorded: HAR
    private let replayer: HARReplayer
    private let sender = LazyValue<Sender>()
    /// The number of recorded requests that have been written.
    private let writtenCount = Locked(0)
    /// Reports the warning about requests that were not written; a test replaces the closure.
    let warn = Locked<@Sendable (String) -> Void> { text in
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    private struct Sender: Sendable {
        let transport: any HTTPTransport
        let recorder: HARRecorder?
    }

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - file: The recording. It is read immediately if the mode replays, and written by ``finish(allowsUnused:)``.
    ///   - mode: How requests are handled; `nil` for the mode in the environment variable `MOYA_HAR`.
    ///   - matching: How requests are matched with entries.
    ///   - options: The secrets to mask, and the limit for recorded bodies.
    ///   - base: Creates the transport that sends, at the first request that is sent; the platform's own by default.
    /// - Throws: `HARError` if the file cannot be read or is required but missing; ``HARModeError``.
    public init(
        file: URL,
        mode: HARMode? = nil,
        matching: HARMatching = HARMatching(),
        options: HARRecordingOptions = HARRecordingOptions(),
        base: @escaping @Sendable () -> any HTTPTransport = { Session().transport }
    ) throws {
        self.mode = try mode ?? HARMode()
        self.file = file
        self.options = options
        makeBase = base
        log = RequestLog(bodyLimit: options.bodyLimit, secrets: options.secrets)
        switch self.mode {
        case .record, .passthrough: recorded = HAR()
        case .replay: recorded = try HAR(contentsOf: file)
        case .recordMissing: recorded = try Self.existing(file)
        }
        replayer = HARReplayer(
            recorded,
            matching: matching,
            secrets: options.secrets,
            bodyLimit: options.bodyLimit
        )
    }

    deinit {
        let count = newEntries.count - writtenCount.withLock { $0 }
        guard count > 0 else { return }
        let requests = count == 1 ? "1 recorded request was" : "\(count) recorded requests were"
        let text = "MoyaTesting: \(requests) not written to \"\(file.path)\": call finish() at the end of the test."
        let report = warn.withLock { $0 }
        report(text)
    }

    /// The requests so far, both sent and replayed.
    public var requests: [CapturedRequest] { log.requests }

    /// The entries of the file that have not been used for a response; empty if the mode does not replay.
    public var unusedEntries: [HAR.Entry] { replayer.unusedEntries }

    /// The content of the file after ``finish(allowsUnused:)``: the existing and the new entries.
    public var har: HAR { recording(adding: newEntries) }

    /// Responds from the file or sends the request, depending on the mode.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: The errors of `HARReplayer` or of the transport that sends.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        switch mode {
        case .replay: try await log.capture(request) { [replayer] in try await replayer.respond(to: $0) }
        case .record, .passthrough: try await log.capture(request) { [live] in try await live.send($0) }
        case .recordMissing: try await sendMissing(request)
        }
    }

    private func sendMissing(_ request: TransportRequest) async throws -> TransportResponse {
        // A body that can be read only once is left to the transport that sends, so the request is not matched with the file.
        guard request.isBodyRepeatable else {
            return try await log.capture(request) { [live] in try await live.send($0) }
        }
        var unobserved = request
        unobserved.body = request.body?.withoutObservers
        let body: CapturedBody?
        do {
            body = try await unobserved.readBody(limit: options.bodyLimit)
        } catch {
            log.add(request, body: nil).recordError(error)
            throw error
        }
        return try await log.add(request, body: body).captureResponse {
            do {
                return try await replayer.respond(to: request, body: body)
            } catch is HARMismatch {
                return try await live.send(request)
            }
        }
    }

    /// Ends the test, and writes the recording to the file in one atomic step.
    ///
    /// Unfinished requests are not included. In the mode `recordMissing`, the file is not changed if nothing was recorded. The method
    /// may be called several times.
    ///
    /// - Parameter allowsUnused: Whether unused entries are allowed in the mode `replay`.
    /// - Throws: `HARError` if the file cannot be written; ``UnusedEntriesError`` for unused entries.
    public func finish(allowsUnused: Bool = false) throws {
        switch mode {
        case .passthrough:
            break
        case .replay:
            let unused = unusedEntries
            if !allowsUnused, !unused.isEmpty { throw UnusedEntriesError(entries: unused) }
        case .record:
            try write(newEntries)
        case .recordMissing:
            let entries = newEntries
            if !entries.isEmpty { try write(entries) }
        }
    }

    private func write(_ entries: [HAR.Entry]) throws {
        try recording(adding: entries).write(to: file)
        writtenCount.withLock { $0 = entries.count }
    }

    private func recording(adding entries: [HAR.Entry]) -> HAR {
        var har = recorded
        har.entries += entries
        return har
    }

    /// Shuts down the transport that sends, if it was created.
    public func shutdown() async { await sender.current?.transport.shutdown() }

    /// Shuts down the transport that sends, if it was created, when its running exchanges have ended, at the latest after the grace
    /// period.
    @discardableResult
    public func shutdown(grace: Duration) async -> ShutdownResult {
        await sender.current?.transport.shutdown(grace: grace) ?? ShutdownResult()
    }

    private var newEntries: [HAR.Entry] { sender.current?.recorder?.har.entries ?? [] }

    /// The transport that sends, created on demand so that replaying opens no connection.
    private var live: any HTTPTransport {
        sender.value {
            let base = makeBase()
            let recorder = mode == .passthrough ? nil : HARRecorder(over: base, options: options)
            return Sender(transport: recorder ?? base, recorder: recorder)
        }.transport
    }

    private static func existing(_ file: URL) throws -> HAR {
        do throws(HARError) {
            return try HAR(contentsOf: file)
        } catch  where error.reason == .missing {
            return HAR()
        }
    }
}

/// The error for entries of a recording that no request used, because the test or the code has changed.
public struct UnusedEntriesError: Error, Hashable, Sendable, MaskedError {
    /// The entries, in the order of the recording.
    public let entries: [HAR.Entry]

    /// The entries, and how to resolve the error.
    public var errorDescription: String? {
        let mask = FieldMask(.standard)
        let names = entries.map { "\n- \($0.request.method) \(mask.url($0.request.url))" }.joined()
        return "\(entries.count) of the recorded entries were not requested: record again, or find out why.\(names)"
    }
}
