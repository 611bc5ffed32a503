#if NIO && !canImport(Darwin)
import Foundation
import NIOCore
import NIOPosix

// Exchanges for upgrades to other protocols (RFC 9110, section 7.8; RFC 8441).
extension NIOTransport {
    /// Sends a request for an upgrade: on a connection of its origin, over HTTP/2 if the server allows it there, and otherwise over
    /// HTTP/1.1.
    ///
    /// A proxy that gets requests in absolute form opens a tunnel. Alternatives of the origin are not used.
    @inline(never)
    nonisolated(nonsending) func sendForUpgrade(
        _ request: TransportRequest,
        through proxy: HTTPProxy?
    ) async throws -> TransportResponse {
        try request.validateUpgrade()
        var request = request
        // To a caller on another thread, the tasks of a connection are nearer there.
        if MultiThreadedEventLoopGroup.currentEventLoop == nil { request.upgrade?.taskStarter = nil }
        guard proxy == nil else { return try await performExchange(of: request, on: upgradePool(for: request)) }
        let start = NIODeadline.now()
        do {
            return try await performExchange(of: request)
        } catch let error as URLError where error.isUpgradeNotAllowed {
            request.setTimeLeft(request.exchangeTimeout - .nanoseconds((NIODeadline.now() - start).nanoseconds))
            try request.throwIfOverdue()
            return try await performExchange(of: request, on: upgradePool(for: request))
        }
    }

    private func upgradePool(for request: TransportRequest) throws(URLError) -> ConnectionPool {
        try poolManager.upgradePool(for: request.url)
    }
}
#endif
