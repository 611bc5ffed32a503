import Foundation
import Moya

/// A transport that proves that nothing is sent: whoever tries fails.
struct NoNetwork: HTTPTransport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        throw URLError(.notConnectedToInternet)
    }

    func shutdown() async {}
}
