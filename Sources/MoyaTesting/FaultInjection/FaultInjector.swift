import Foundation
import Moya

/// A middleware that injects faults at random, so that a test or staging environment shows how an application handles them.
///
///     let faults = FaultInjector(
///         .error(.networkConnectionLost, rate: 0.02),
///         .status(503, rate: 0.05),
///         .delay(.seconds(1)...(.seconds(3)), rate: 0.1),
///         where: { $0.url.host == "staging.example.com" }
///     )
///     let session = Session(interceptor: RetryPolicy(), exchangeMiddleware: [faults])
///     faults.isEnabled = false
///
/// ### Place
///
/// Usually the injector is an `exchangeMiddleware`: each exchange of a request may get a fault, and the session handles it like a
/// fault of the server, with retries, limits and fallbacks. As `middleware` it is around the whole request: the application gets
/// each fault, and the session does not retry it.
///
/// ### Faults
///
/// A request gets one fault at most, so that each fault has exactly its rate; if the rates exceed 1 together, the last ones are
/// cut. An injected error is a `URLError` with a ``ScriptedFault`` under `NSUnderlyingErrorKey`, whose text names the seed. A fault
/// that takes the place of the response reads the body of the request, unless it happens before a connection is established.
public final class FaultInjector: HTTPMiddleware {
    private struct State: Sendable {
        var isEnabled: Bool
        /// The number of requests so far that could get a fault.
        var count = 0
    }

    private let plan: FaultPlan
    private let clock: any Clock<Duration>
    private let isAffected: @Sendable (TransportRequest) -> Bool
    private let state: Locked<State>

    /// Creates an injector.
    ///
    /// - Parameters:
    ///   - faults: The faults with their rates.
    ///   - seed: The seed of the random choices. The choice for a request depends on the seed, and on the number of previous
    ///     requests that could get a fault, so that a series of requests with the same seed gets the same faults.
    ///   - isEnabled: Whether the injector injects faults from the beginning.
    ///   - clock: The clock of delays and slow bodies.
    ///   - isAffected: Returns whether a request may get a fault.
    public init(
        _ faults: InjectedFault...,
        seed: UInt64 = .random(in: 0 ... .max),
        isEnabled: Bool = true,
        clock: any Clock<Duration> = ContinuousClock(),
        where isAffected: @escaping @Sendable (TransportRequest) -> Bool = { _ in true }
    ) {
        plan = FaultPlan(faults: faults, seed: seed)
        self.clock = clock
        self.isAffected = isAffected
        state = Locked(State(isEnabled: isEnabled))
    }

    /// Whether the injector injects faults; it can be changed at any time.
    public var isEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set { state.withLock { $0.isEnabled = newValue } }
    }

    /// The seed of the random choices.
    public var seed: UInt64 { plan.seed }

    /// The faults with their rates.
    public var faults: [InjectedFault] { plan.faults }

    /// Passes a request on, or injects a fault.
    public func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> TransportResponse {
        guard let choice = choose(for: request) else { return try await next(request) }
        let time = ScriptedTime(request, clock: clock, draw: choice.draw)
        switch plan.faults[choice.index].effect {
        case .response(let response):
            let response = response.resolved(number: choice.draw.number, part: FaultPlan.part).response
            let injected = try await response.perform(for: request, clock: clock, draw: choice.draw) { [clock] in
                try WebSocketConversation($0, url: request.url, secrets: .standard, clock: clock)
                    .begin($1, of: request, headers: $2)
            }
            return if let injected { injected } else { try await next(request) }
        case .delay(let range):
            try await time.wait(range.lowerBound + (range.upperBound - range.lowerBound) * choice.random)
            return try await next(request)
        case .truncation(let count):
            let interruption = ScriptedHTTPResponse.Interruption(
                after: Int64(max(0, count)),
                fault: .truncated(at: count)
            )
            return try await next(request).changingBody(to: request, time, choice.draw) {
                $0.interruption = interruption
            }
        case .bandwidth(let bandwidth):
            return try await next(request).changingBody(to: request, time, choice.draw) {
                $0.bytesPerSecond = bandwidth > 0 ? bandwidth : 0
            }
        }
    }

    /// Chooses the fault of a request; `nil` for none.
    private func choose(for request: TransportRequest) -> FaultPlan.Choice? {
        // The filter is a function of the application, so it is called without the lock.
        guard isEnabled, isAffected(request) else { return nil }
        let number = state.withLock { state in
            defer { state.count += 1 }
            return state.count
        }
        return plan.choose(number: number)
    }
}

extension TransportResponse {
    /// Returns the response of a server with a body that is received as a script says.
    fileprivate func changingBody(
        to request: TransportRequest,
        _ time: ScriptedTime,
        _ draw: ScriptedDraw,
        _ change: (inout ScriptedHTTPResponse) -> Void
    ) throws -> TransportResponse {
        // The body of a download around the whole request is in its file already.
        guard !isSaved else { return self }
        let source = TransportBodyStream(of: self)
        var script = ScriptedHTTPResponse(status: status, body: .received(source, length: knownLength))
        change(&script)
        time.recordActivity()
        let changed = try ScriptedResponseStream(script, to: request, time: time, draw: draw)
        var response = self
        response.body = .stream(changed.bodyStream { source.trailers })
        return response
    }
}
