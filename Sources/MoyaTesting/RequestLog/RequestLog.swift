import Foundation
import Moya
import MoyaHAR

/// A log of the requests of a transport, in order.
///
/// Each transport of this module has a log. ``CapturingTransport`` adds a log to any other transport:
///
///     let transport = CapturingTransport(over: Session().transport)
///     …
///     #expect(transport.requests.map(\.url.path) == ["/zen"])
///     let request = try await transport.log.wait(for: .post("/users"))
///
/// The size of a log is limited: it keeps the last ``limit`` requests, and ``bodyLimit`` bytes of each body.
public final class RequestLog: Sendable {
    struct State: Sendable {
        var ring: RequestRingBuffer
        /// Incremented when the log is emptied.
        var generation = 0
        /// The number of requests that have been sent completely or have ended.
        var sent = 0
        var waiters = RequestWaiters()
    }

    /// The number of the most recent requests that are kept.
    public let limit: Int
    /// The number of bytes of each body that are kept.
    public let bodyLimit: Int
    /// The secrets that descriptions and errors mask.
    public let secrets: HARSecrets
    let state: Locked<State>

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - limit: The number of requests that are kept, at least 1.
    ///   - bodyLimit: The number of bytes of each body that are kept; 1 MiB by default.
    ///   - secrets: The secrets that descriptions and errors mask; the requests themselves are not masked.
    public init(limit: Int = 10_000, bodyLimit: Int = 1 << 20, secrets: HARSecrets = .standard) {
        self.limit = max(1, limit)
        self.bodyLimit = max(0, bodyLimit)
        self.secrets = secrets
        state = Locked(State(ring: RequestRingBuffer(limit: limit)))
    }

    /// The requests in the log with their current state, including unfinished ones.
    public var requests: [CapturedRequest] { state.withLock { $0.ring.entries }.map(\.request) }

    /// The number of requests, including those that are no longer kept.
    public var count: Int { state.withLock { $0.ring.count } }

    /// Removes all requests, and restarts numbering at 0; unfinished requests are no longer logged.
    public func removeAll() {
        state.withLock { state in
            state.ring = RequestRingBuffer(limit: limit)
            state.generation += 1
            state.sent = 0
        }
    }

    /// Adds a request whose body is known.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: The body, if any.
    /// - Returns: The exchange, which records the response.
    @discardableResult
    package func add(_ request: TransportRequest, body: CapturedBody?) -> RequestLogEntry {
        let entry = begin(request)
        entry.recordBody(body)
        return entry
    }

    /// Performs an exchange and logs it; the body is captured while it is sent.
    package func capture(
        _ request: TransportRequest,
        _ send: @Sendable (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        let entry = begin(request)
        var captured = request
        captured.body = entry.capturedBody(request.body)
        return try await entry.captureResponse { [captured] in try await send(captured) }
    }

    private func begin(_ request: TransportRequest) -> RequestLogEntry {
        state.withLock { state in
            let entry = RequestLogEntry(
                request,
                number: state.ring.count,
                generation: state.generation,
                secrets: secrets,
                bodyLimit: bodyLimit
            ) { [weak self] in self?.recordSent($0) }
            state.ring.append(entry)
            return entry
        }
    }

    private func recordSent(_ entry: RequestLogEntry) {
        let reached = state.withLock { state in
            guard entry.generation == state.generation else { return [Promise<Bool>]() }
            state.sent += 1
            return state.waiters.removeReached(state.sent)
        }
        reached.forEach { $0.fulfill(true) }
    }
}

extension RequestLog: CustomStringConvertible, CustomReflectable {
    /// The number of requests and the first of them, with secrets masked.
    public var description: String { "\(RequestList(requests))" }

    /// An empty mirror, which hides secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension RequestLogEntry {
    /// Sends the request and records its response or error.
    package func captureResponse(
        _ send: @Sendable () async throws -> TransportResponse
    ) async throws -> TransportResponse {
        do {
            let response = try await send()
            recordStatus(response.status)
            return response
        } catch {
            recordError(error)
            throw error
        }
    }
}
