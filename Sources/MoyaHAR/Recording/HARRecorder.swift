import Foundation
import MoyaHTTP

/// A transport that hands requests to another one and keeps what passes, for a HAR file.
///
///     let recorder = HARRecorder(over: session.transport)
///     let provider = MoyaProvider<GitHub>(session: Session(transport: recorder))
///     _ = try await provider.request(.zen)
///     try recorder.har.write(to: file)
///
/// Secrets are masked before they are kept. Bodies are streamed as before; of each, only the first
/// ``HARRecordingOptions/bodyLimit`` bytes are kept. An exchange is there when its body has been read to its end, or
/// nobody will read it any more; one that failed is there with what it failed with.
public final class HARRecorder: HTTPTransport {
    private struct State: Sendable {
        var count = 0
        var entries: [(number: Int, entry: HAR.Entry)] = []
    }

    private let base: any HTTPTransport
    private let options: HARRecordingOptions
    private let state = Locked(State())

    /// Makes a recorder.
    ///
    /// - Parameter base: Does the exchanges: `Session().transport` is the platform's own.
    public init(over base: any HTTPTransport, options: HARRecordingOptions = HARRecordingOptions()) {
        self.base = base
        self.options = options
    }

    /// What has been recorded so far, in the order in which the requests began.
    public var har: HAR { HAR(entries: numberedEntries.map(\.entry)) }

    /// What has been recorded, with the place of each request among all.
    package var numberedEntries: [(number: Int, entry: HAR.Entry)] {
        state.withLock { $0.entries }.sorted { $0.number < $1.number }
    }

    /// Does an exchange, and takes note of it.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let number = state.withLock { state in
            defer { state.count += 1 }
            return state.count
        }
        let record = ExchangeRecord(request, options: options) { [self] entry in
            state.withLock { $0.entries.append((number, entry)) }
        }
        do {
            return record.responded(try await base.send(record.watching()).decoded(for: request))
        } catch {
            record.ended(error)
            throw error
        }
    }

    /// Shuts the other transport down.
    public func shutdown() async { await base.shutdown() }
}
