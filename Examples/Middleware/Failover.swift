import Foundation
import Moya

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends a request to another server if the first one can't be reached.
///
///     Session(middleware: [Failover(from: "api.example.com", to: [URL(string: "https://api-2.example.com")!])])
///
/// Use it as `middleware`, which is around the whole request: the session then chooses cookies and credentials by the new URL.
public struct Failover: HTTPMiddleware {
    private static let unreachable: Set<URLError.Code> = [
        .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .timedOut,
    ]

    private let host: String
    private let others: [URL]

    /// Creates a middleware.
    ///
    /// - Parameters:
    ///   - host: The host of the requests.
    ///   - others: The base URLs of the other servers: scheme, host and port.
    public init(from host: String, to others: [URL]) {
        self.host = host
        self.others = others
    }

    /// Handles a request.
    public func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> TransportResponse {
        guard request.url.host == host, request.body?.isRepeatable ?? true else { return try await next(request) }
        var request = request
        for other in others {
            do {
                return try await next(request)
            } catch let error as URLError where Self.unreachable.contains(error.code) {
                request.url = request.url.moved(to: other)
            }
        }
        return try await next(request)
    }
}

extension URL {
    /// Returns the URL with the same path and query on another server.
    fileprivate func moved(to server: URL) -> URL {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        (components.scheme, components.host, components.port) = (server.scheme, server.host, server.port)
        return components.url ?? self
    }
}
