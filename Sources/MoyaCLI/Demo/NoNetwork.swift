import Foundation
import Moya

/// A transport that always fails, to prove that no request is sent.
struct NoNetwork: HTTPTransport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        throw URLError(.notConnectedToInternet)
    }

    func shutdown() async {}
}
