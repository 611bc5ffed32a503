import Foundation
import Moya
import MoyaHTTP
import TestSupport

/// A model of Stripe's API, written from its public documents, which counts the violations of the rules for clients.
///
/// Requests are POSTs to `/v1/charges`, whose body is the number of an order. The number decides what goes wrong: see ``Fault``.
final class StripeModel: Sendable {
    /// A rule of the documents.
    enum Rule: Hashable, Sendable {
        /// The number of requests per second, of an account in a sandbox and of an endpoint.
        case rate
        /// The number of concurrent requests.
        case concurrency
        /// Each POST has an `Idempotency-Key`.
        case missingKey
        /// A key is used for one request with its parameters only.
        case reusedKey
        /// An order is charged once.
        case doubleCharge
        /// `Stripe-Should-Retry: false`.
        case unwantedRetry
        /// A retry comes after a delay.
        case earlyRetry
    }

    /// The fault of an order: the remainder of its number.
    enum Fault: Int, CaseIterable, Sendable {
        case none
        /// The first attempt gets 429, because another request has locked the object.
        case locked
        /// The first attempt gets 424, which is retried only because the response says so.
        case shouldRetry
        /// The response to the first attempt is lost, and the next one is a replay.
        case lostResponse
        /// The status is 500, and the response says that a retry is useless.
        case shouldNotRetry
        /// The card is declined (402).
        case declined
        /// The first attempt gets 409, because of a conflict with another request.
        case conflict

        init(order: Int) { self = Self.allCases[order % Self.allCases.count] }

        /// The status that the client gets at the end.
        var finalStatus: Int {
            switch self {
            case .shouldNotRetry: 500
            case .declined: 402
            default: 200
            }
        }
    }

    private struct State: Sendable {
        var violations: [Rule: Int] = [:]
        var times: [Duration] = []
        var running = 0
        var orders: [String: Order] = [:]
        /// The order and the saved response of each key.
        var keys: [String: (order: String, response: TransportResponse?)] = [:]
        var replays = 0
    }

    private struct Order: Sendable {
        var attempts = 0
        var charges = 0
        var mustNotBeRetried = false
        var retryTime = Duration.zero
    }

    private let clock: TestTime.View
    private let state = Locked(State())

    static let maximumRate = 25
    static let maximumConcurrency = 20
    private static let latency = Duration.milliseconds(300)

    /// Creates a model of a sandbox.
    init(_ time: TestTime) { clock = time.clock(.server) }

    /// The number of violations of each rule.
    var violations: [Rule: Int] { state.withLock { $0.violations } }
    /// The number of responses that were saved by a key and sent again.
    var replays: Int { state.withLock { $0.replays } }
    /// The number of charges of each order.
    var charges: [Int] { state.withLock { $0.orders.values.map(\.charges) } }

    /// The transport of a session that talks with the model.
    var transport: FakeTransport {
        FakeTransport.reading { request, body in
            let result = self.state.withLock { self.receive(request, String(decoding: body, as: UTF8.self), &$0) }
            try await self.clock.sleep(for: Self.latency)
            self.state.withLock { $0.running -= 1 }
            return try result.get()
        }
    }

    /// Checks the rules at the arrival of a request, and returns its response.
    private func receive(
        _ request: TransportRequest,
        _ orderID: String,
        _ state: inout State
    ) -> Result<TransportResponse, URLError> {
        func check(_ rule: Rule, _ isKept: Bool) { if !isKept { state.violations[rule, default: 0] += 1 } }
        let now = clock.now.offset
        let key = request.headers[HTTPField.Name("Idempotency-Key")!]
        var order = state.orders[orderID] ?? Order()
        defer { state.orders[orderID] = order }
        order.attempts += 1
        check(.missingKey, key != nil)
        check(.unwantedRetry, !order.mustNotBeRetried)
        check(.earlyRetry, now >= order.retryTime)
        state.times.removeAll { $0 + .seconds(1) <= now }
        state.times.append(now)
        state.running += 1
        let (isRateKept, isConcurrencyKept) = (
            state.times.count <= Self.maximumRate, state.running <= Self.maximumConcurrency
        )
        check(.rate, isRateKept)
        check(.concurrency, isConcurrencyKept)

        func failure(_ status: Int, shouldRetry: Bool? = nil) -> TransportResponse {
            // The delays of a client begin with half a second, of which a part is random.
            order.retryTime = now + Self.latency + .milliseconds(250)
            if shouldRetry == false { order.mustNotBeRetried = true }
            var headers = HTTPFields()
            if let shouldRetry { headers[HTTPField.Name("Stripe-Should-Retry")!] = "\(shouldRetry)" }
            return TransportResponse(status: status, headers: headers)
        }
        // The limiters run before the layer of the keys.
        guard isRateKept, isConcurrencyKept else { return .success(failure(429)) }
        if let key, let known = state.keys[key] {
            check(.reusedKey, known.order == orderID)
            guard known.order == orderID else { return .success(failure(400, shouldRetry: false)) }
            if var response = known.response {
                state.replays += 1
                response.headers[HTTPField.Name("Idempotent-Replayed")!] = "true"
                return .success(response)
            }
        }
        if let key { state.keys[key] = (orderID, nil) }

        let fault = Fault(order: Int(orderID) ?? 0)
        if order.attempts == 1 {
            switch fault {
            case .locked: return .success(failure(429))
            case .shouldRetry: return .success(failure(424, shouldRetry: true))
            case .conflict: return .success(failure(409))
            default: break
            }
        }
        // The operation runs, and its result is saved, whatever it is.
        let response: TransportResponse
        switch fault {
        case .shouldNotRetry: response = failure(500, shouldRetry: false)
        case .declined: response = failure(402, shouldRetry: false)
        default:
            order.charges += 1
            check(.doubleCharge, order.charges == 1)
            response = TransportResponse(status: 200)
        }
        if let key { state.keys[key] = (orderID, response) }
        if fault == .lostResponse, order.attempts == 1 { return .failure(URLError(.networkConnectionLost)) }
        return .success(response)
    }
}
