import Foundation
import MoyaHTTP

/// The transports that every rule is tested on.
enum TransportKind: String, CaseIterable, Sendable {
    #if AsyncHTTPClient && !canImport(Darwin)
        case asyncHTTPClient
    #endif
    case urlSession

    func make() -> any HTTPTransport {
        switch self {
        #if AsyncHTTPClient && !canImport(Darwin)
            case .asyncHTTPClient: AsyncHTTPClientTransport()
        #endif
        case .urlSession: URLSessionTransport()
        }
    }
}

#if canImport(FoundationNetworking)
    let foundationIsOnLinux = true
#else
    let foundationIsOnLinux = false
#endif
