import Foundation
import Moya
import MoyaHAR

/// What a transport was asked, in the order in which it was.
///
/// The transports of this module have one each, and ``WatchingTransport`` keeps one for any other:
///
///     let transport = WatchingTransport(over: Session().transport)
///     …
///     #expect(transport.requests.map(\.url.path) == ["/zen"])
///     let request = try await transport.log.wait(for: .post("/users"))
///
/// A log is bounded: it keeps the last ``limit`` requests, and ``bodyLimit`` bytes of each body.
public final class RequestLog: Sendable {
    struct State: Sendable {
        var ring: SeenRing
        /// Counted up when the log is emptied.
        var era = 0
        /// How many requests have left as a whole, or are over.
        var sent = 0
        var waiters = RequestWaiters()
    }

    /// How many requests are kept: the last ones.
    public let limit: Int
    /// How many bytes of each body are kept.
    public let bodyLimit: Int
    /// What descriptions and errors mask.
    public let secrets: HARSecrets
    let state: Locked<State>

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - limit: How many requests are kept: the last ones. At least one.
    ///   - bodyLimit: How many bytes of each body are kept. 1 MiB by default.
    ///   - secrets: What descriptions and errors mask. Values are kept in full.
    public init(limit: Int = 10_000, bodyLimit: Int = 1 << 20, secrets: HARSecrets = .standard) {
        self.limit = max(1, limit)
        self.bodyLimit = max(0, bodyLimit)
        self.secrets = secrets
        state = Locked(State(ring: SeenRing(limit: limit)))
    }

    /// The requests that are kept, from the moment at which the transport got them, as they are known now.
    public var requests: [SeenRequest] { state.withLock { $0.ring.exchanges }.map(\.request) }

    /// How many requests there were, with those that are no longer kept.
    public var count: Int { state.withLock { $0.ring.count } }

    /// Forgets all requests. Numbers begin at 0 again; those that are under way are not seen any more.
    public func removeAll() {
        state.withLock { state in
            state.ring = SeenRing(limit: limit)
            state.era += 1
            state.sent = 0
        }
    }

    /// Takes note of a request whose body is known.
    ///
    /// - Returns: What to tell of the answer.
    @discardableResult
    package func note(_ request: TransportRequest, body: CapturedBody?) -> SeenExchange {
        let exchange = begin(request)
        exchange.sent(body)
        return exchange
    }

    /// Does an exchange, and takes note of it. The body is seen as it leaves.
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
    /// How many requests there are, and the first of them, with secrets masked.
    public var description: String { "\(SeenList(requests))" }

    /// Nothing: what looks inside must not find secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SeenExchange {
    /// Takes note of what an exchange ends with.
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
