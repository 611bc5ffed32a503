import Foundation
import Moya
import MoyaHAR

/// A transport that forwards requests to another one and logs them.
///
///     let transport = CapturingTransport(over: Session().transport)
///     let provider = MoyaProvider<GitHub>(session: Session(transport: transport))
///     _ = try await provider.request(.zen)
///     try transport.requests.expect(.get("https://api.github.com/zen"))
///
/// The transport does not change the exchange: it captures bodies while they are sent. Stubbed requests of a provider do not reach a
/// transport; log them with ``RequestLogPlugin``.
public final class CapturingTransport: HTTPTransport {
    /// The requests.
    public let log: RequestLog
    private let base: any HTTPTransport

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - base: The transport that performs the exchanges; `Session().transport` is the platform's own.
    ///   - log: The log, which several transports can share.
    public init(over base: any HTTPTransport, log: RequestLog = RequestLog()) {
        self.base = base
        self.log = log
    }

    /// The requests so far.
    public var requests: [CapturedRequest] { log.requests }

    /// Performs an exchange and logs it.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await log.capture(request) { [base] in try await base.send($0) }
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

extension CapturingTransport: ObservableTransport {
    package func addConnectionObserver(_ observer: any ConnectionObserver) {
        (base as? any ObservableTransport)?.addConnectionObserver(observer)
    }
}
