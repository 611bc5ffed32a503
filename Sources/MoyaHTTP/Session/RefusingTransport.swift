import Foundation

/// A replacement for a transport that could not be created: every request fails with the error of its creation.
struct RefusingTransport: HTTPTransport {
    let error: TransportConfigurationError

    func send(_ request: TransportRequest) async throws -> TransportResponse { throw error }

    func preconnect(to url: URL, connections: Int) async throws { throw error }

    func shutdown() async {}
}
