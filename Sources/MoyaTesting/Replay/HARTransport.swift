import Foundation
import Moya
import MoyaHAR

/// A transport for tests that records real traffic once, and answers from the recording ever after.
///
///     @Test func zen() async throws {
///         let transport = try HARTransport(file: fixtures.appendingPathComponent("zen.har"))
///         let provider = MoyaProvider<GitHub>(session: Session(transport: transport))
///         #expect(try await provider.request(.zen).mapString() == "…")
///         try transport.finish()
///     }
///
/// Without more, it replays; `MOYA_HAR=record swift test` records. See ``HARMode``.
public final class HARTransport: HTTPTransport {
    /// What it does with requests.
    public let mode: HARMode
    /// The recording.
    public let file: URL
    /// What was asked, whether it was sent or answered from the file.
    public let log: RequestLog

    private let makeBase: @Sendable () -> any HTTPTransport
    private let options: HARRecordingOptions
    private let recorded: HAR
    private let replayer: HARReplayer
    private let sender = Locked<Sender?>(nil)

    private struct Sender: Sendable {
        let transport: any HTTPTransport
        let recorder: HARRecorder?
    }

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - file: The recording. It is read now where it answers, and written by ``finish()``.
    ///   - mode: What to do with requests. Without one the environment says: `MOYA_HAR`.
    ///   - matching: What makes a request the same as a recorded one.
    ///   - options: What is masked, and how much of each body is kept.
    ///   - base: Makes the transport that sends, when the first request is sent. By default it is the platform's own.
    /// - Throws: `HARError` if the file can't be read, or there is none to answer from; ``HARModeError``.
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

    /// What was asked so far, whether it was sent or answered from the file.
    public var requests: [SeenRequest] { log.requests }

    /// The entries of the file that have not answered any request. There are none where it does not answer from the file.
    public var unusedEntries: [HAR.Entry] { replayer.unusedEntries }

    /// What the file holds, or will hold after ``finish()``: what it had, and what was recorded since.
    public var har: HAR {
        var har = recorded
        har.entries += recordedNow
        return har
    }

    /// Answers from the file, or sends: as the mode says.
    ///
    /// - Throws: As `HARReplayer` does, or as the transport does that sends.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        switch mode {
        case .replay: try await log.watch(request) { [replayer] in try await replayer.answer(to: $0) }
        case .record, .passthrough: try await log.watch(request) { [live] in try await live.send($0) }
        case .recordMissing: try await sendMissing(request)
        }
    }

    private func sendMissing(_ request: TransportRequest) async throws -> TransportResponse {
        // What can be read once is not read before it is known who gets it.
        guard request.body?.isRepeatable ?? true else {
            return try await log.watch(request) { [live] in try await live.send($0) }
        }
        var unobserved = request
        unobserved.body = request.body?.unobserved
        let body: CapturedBody?
        do {
            body = try await unobserved.readBody(limit: options.bodyLimit)
        } catch {
            log.note(request, body: nil).failed(error)
            throw error
        }
        return try await log.note(request, body: body).answer {
            do {
                return try await replayer.answer(to: request, body: body)
            } catch is HARMismatch {
                return try await live.send(request)
            }
        }
    }

    /// Ends the test: what was recorded is written to the file, in one step.
    ///
    /// Requests that are still under way are not in it. Where all traffic is replayed, or none is recorded, the file stays
    /// as it is. It may be called several times.
    ///
    /// - Parameter allowsUnused: Whether entries may be left over that answered nothing, in mode `replay`.
    /// - Throws: `HARError` if the file can't be written; ``UnusedEntriesError`` for entries that are left over.
    public func finish(allowsUnused: Bool = false) throws {
        switch mode {
        case .passthrough:
            break
        case .replay:
            let unused = unusedEntries
            if !allowsUnused, !unused.isEmpty { throw UnusedEntriesError(entries: unused) }
        case .record:
            try har.write(to: file)
        case .recordMissing:
            if !recordedNow.isEmpty { try har.write(to: file) }
        }
    }

    /// Shuts down the transport that sends, if there is one.
    public func shutdown() async { await sender.withLock { $0 }?.transport.shutdown() }

    private var recordedNow: [HAR.Entry] { sender.withLock { $0 }?.recorder?.har.entries ?? [] }

    /// Made when it is first needed: who replays opens nothing.
    private var live: any HTTPTransport {
        sender.withLock { sender in
            if let sender { return sender.transport }
            let base = makeBase()
            let recorder = mode == .passthrough ? nil : HARRecorder(over: base, options: options)
            let made = Sender(transport: recorder ?? base, recorder: recorder)
            sender = made
            return made.transport
        }
    }

    private static func existing(_ file: URL) throws -> HAR {
        do throws(HARError) {
            return try HAR(contentsOf: file)
        } catch  where error.reason == .missing {
            return HAR()
        }
    }
}

/// Entries of a recording that no request asked for: the test has changed, or the code has.
public struct UnusedEntriesError: Error, Hashable, Sendable, LocalizedError {
    /// The entries, in the order in which they were recorded.
    public let entries: [HAR.Entry]

    /// Which they are, and what to do.
    public var errorDescription: String? {
        let names = entries.map { "\n- \($0.request.method) \($0.request.url)" }.joined()
        return "Nothing asked for \(entries.count) of the recorded entries: record anew, or find out why.\(names)"
    }
}

extension UnusedEntriesError: CustomStringConvertible {
    /// The text of the error, which is what tests print.
    public var description: String { errorDescription ?? "" }
}
