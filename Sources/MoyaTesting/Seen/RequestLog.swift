import Foundation
import Moya
import MoyaHAR

/// A log of the requests of a transport, in order.
///
/// Each transport of this module has one, and ``WatchingTransport`` adds one to any other:
///
///     let transport = WatchingTransport(over: Session().transport)
///     …
///     #expect(transport.requests.map(\.url.path) == ["/zen"])
///     let request = try await transport.log.wait(for: .post("/users"))
///
/// The size of a log is limited: it keeps the last ``limit`` requests, and ``bodyLimit`` bytes of each body.
public final class RequestLog: Sendable {
    struct State: Sendable {
        var ring: SeenRing
        /// Incremented when the log is emptied.
        var era = 0
        /// The number of requests that have been sent completely or have ended.
        var sent = 0
        var waiters = RequestWaiters()
    }

    /// The number of requests that are kept: the last ones.
    public let limit: Int
    /// The number of bytes of each body that are kept.
    public let bodyLimit: Int
    /// What descriptions and errors mask.
    public let secrets: HARSecrets
    let state: Locked<State>

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - limit: The number of requests that are kept, at least 1.
    ///   - bodyLimit: The number of bytes of each body that are kept; 1 MiB by default.
    ///   - secrets: What descriptions and errors mask; the requests themselves are not masked.
    public init(limit: Int = 10_000, bodyLimit: Int = 1 << 20, secrets: HARSecrets = .standard) {
        self.limit = max(1, limit)
        self.bodyLimit = max(0, bodyLimit)
        self.secrets = secrets
        state = Locked(State(ring: SeenRing(limit: limit)))
    }

    /// The requests in the log with their current state, including unfinished ones.
    public var requests: [SeenRequest] { state.withLock { $0.ring.exchanges }.map(\.request) }

    /// The number of requests, including those that are no longer kept.
    public var count: Int { state.withLock { $0.ring.count } }

    /// Removes all requests, and restarts numbering at 0; unfinished requests are no longer logged.
    public func removeAll() {
        state.withLock { state in
            state.ring = SeenRing(limit: limit)
            state.era += 1
            state.sent = 0
        }
    }

    /// Logs a request whose body is known.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: The body, if any.
    /// - Returns: The exchange, which records the response.
    @discardableResult
    package func note(_ request: TransportRequest, body: CapturedBody?) -> SeenExchange {
        let exchange = begin(request)
        exchange.sent(body)
        return exchange
    }

    /// Performs an exchange and logs it; the body is captured while it is sent.
    package func watch(
        _ request: TransportRequest,
        _ send: @Sendable (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        let exchange = begin(request)
        var watched = request
        watched.body = exchange.watching(request.body)
        return try await exchange.answer { [watched] in try await send(watched) }
    }

    private func begin(_ request: TransportRequest) -> SeenExchange {
        state.withLock { state in
            let exchange = SeenExchange(
                request,
                number: state.ring.count,
                era: state.era,
                secrets: secrets,
                bodyLimit: bodyLimit
            ) { [weak self] in self?.sent($0) }
            state.ring.append(exchange)
            return exchange
        }
    }

    private func sent(_ exchange: SeenExchange) {
        let reached = state.withLock { state in
            guard exchange.era == state.era else { return [OneShot<Bool>]() }
            state.sent += 1
            return state.waiters.reached(state.sent)
        }
        reached.forEach { $0.fulfil(true) }
    }
}

extension RequestLog: CustomStringConvertible, CustomReflectable {
    /// The number of requests and the first of them, with secrets masked.
    public var description: String { "\(SeenList(requests))" }

    /// An empty mirror, which hides secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SeenExchange {
    /// Sends the request and records its response or error.
    package func answer(
        _ send: @Sendable () async throws -> TransportResponse
    ) async throws -> TransportResponse {
        do {
            let response = try await send()
            answered(response.status)
            return response
        } catch {
            failed(error)
            throw error
        }
    }
}
