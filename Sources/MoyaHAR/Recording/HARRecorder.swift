import Foundation
import MoyaHTTP

/// A transport that forwards requests to another one and records the exchanges for a HAR file.
///
///     let recorder = HARRecorder(over: session.transport)
///     let provider = MoyaProvider<GitHub>(session: Session(transport: recorder))
///     _ = try await provider.request(.zen)
///     try recorder.har.write(to: file)
///
/// Responses from a session's cache do not pass through the transport. To record them with their ``HAR/Entry/source``, also pass the
/// recorder as middleware:
///
///     let session = Session(transport: recorder, cache: cache, middleware: [recorder])
///
/// Secrets are masked before they are stored. Bodies are still streamed; only the first ``HARRecordingOptions/bodyLimit`` bytes of
/// each are recorded. An exchange is added when its body has been read or released; a failed exchange is added with its error.
public final class HARRecorder: HTTPTransport {
    private struct State: Sendable {
        var count = 0
        var entries: [(number: Int, entry: HAR.Entry)] = []
    }

    private let base: any HTTPTransport
    private let options: HARRecordingOptions
    private let state = Locked(State())

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - base: The transport that performs the exchanges; `Session().transport` is the platform's own.
    ///   - options: The secrets to mask, and the limit for bodies.
    public init(over base: any HTTPTransport, options: HARRecordingOptions = HARRecordingOptions()) {
        self.base = base
        self.options = options
    }

    /// The recording so far, in the order in which the requests began.
    public var har: HAR { HAR(entries: numberedEntries.map(\.entry)) }

    /// The recorded entries with the number of each request.
    package var numberedEntries: [(number: Int, entry: HAR.Entry)] {
        state.withLock { $0.entries }.sorted { $0.number < $1.number }
    }

    /// Performs an exchange and records it.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let entry = beginEntry(request)
        do {
            return entry.record(try await base.send(entry.observedRequest()).decoded(for: request))
        } catch {
            entry.end(with: error)
            throw error
        }
    }

    private func beginEntry(_ request: TransportRequest) -> HAREntryRecorder {
        let number = state.withLock { state in
            defer { state.count += 1 }
            return state.count
        }
        return HAREntryRecorder(request, options: options) { [self] entry in
            state.withLock { $0.entries.append((number, entry)) }
        }
    }

    /// The executors of the other transport.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public var taskExecutors: [any TaskExecutor] { base.taskExecutors }

    /// The state of the other transport.
    public var status: TransportStatus? { base.status }

    /// Shuts down the other transport.
    public func shutdown() async { await base.shutdown() }

    /// Shuts down the other transport when its running exchanges have ended, at the latest after the grace period.
    @discardableResult
    public func shutdown(grace: Duration) async -> ShutdownResult { await base.shutdown(grace: grace) }
}

extension HARRecorder: ObservableTransport {
    package func addConnectionObserver(_ observer: any ConnectionObserver) {
        (base as? any ObservableTransport)?.addConnectionObserver(observer)
    }
}

extension HARRecorder: HTTPMiddleware {
    /// Passes a request on, and records the response if it comes from the cache without a request to the server.
    ///
    /// The body is recorded if the caller wants data, but not if the response is a download or a stream.
    public func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> TransportResponse {
        let entry = beginEntry(request)
        let response = try await next(request)
        if response.source == .cache || response.source == .stale { entry.recordCached(response) }
        return response
    }
}

/// Options for recording.
public struct HARRecordingOptions: Hashable, Sendable {
    /// The secrets that are masked before an entry is stored.
    public var secrets: HARSecrets
    /// The number of bytes of each body that are recorded; 1 MiB by default.
    public var bodyLimit: Int

    /// Creates options.
    public init(secrets: HARSecrets = .standard, bodyLimit: Int = 1 << 20) {
        self.secrets = secrets
        self.bodyLimit = max(0, bodyLimit)
    }
}
