import Foundation
import Moya
import MoyaHAR

/// A transport that hands requests to another one, and keeps what was asked.
///
///     let transport = WatchingTransport(over: Session().transport)
///     let provider = MoyaProvider<GitHub>(session: Session(transport: transport))
///     _ = try await provider.request(.zen)
///     try transport.requests.expect(.get("https://api.github.com/zen"))
///
/// The exchange is as it would be without: bodies are seen as they leave, and are not read for it. The stubs of a provider
/// reach no transport: for those there is ``RequestLogPlugin``.
public final class WatchingTransport: HTTPTransport {
    /// What was asked.
    public let log: RequestLog
    private let base: any HTTPTransport

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - base: Does the exchanges: `Session().transport` is the platform's own.
    ///   - log: Where to keep the requests. Several transports may share one.
    public init(over base: any HTTPTransport, log: RequestLog = RequestLog()) {
        self.base = base
        self.log = log
    }

    /// What was asked so far.
    public var requests: [SeenRequest] { log.requests }

    /// Does an exchange, and takes note of it.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await log.watch(request) { [base] in try await base.send($0) }
    }

    /// Shuts the other transport down.
    public func shutdown() async { await base.shutdown() }
}
