/// Stands for a transport that could not be made: every request fails with the reason.
struct RefusingTransport: HTTPTransport {
    let error: TransportConfigurationError

    func send(_ request: TransportRequest) async throws -> TransportResponse { throw error }

    func shutdown() async {}
}
