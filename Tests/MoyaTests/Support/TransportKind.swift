import Foundation
import Moya

/// The transports that a rule must hold on.
enum TransportKind: String, CaseIterable, Sendable {
    #if NIO && !canImport(Darwin)
        case nio
    #endif
    case urlSession

    func make() -> any HTTPTransport {
        switch self {
        #if NIO && !canImport(Darwin)
            case .nio: NIOTransport()
        #endif
        case .urlSession: URLSessionTransport()
        }
    }

    /// The header for a body of known length that is read as it is sent.
    func framing(ofStream length: Int) -> String {
        #if !canImport(Darwin)
            // Foundation on Linux knows no length of a stream.
            if self == .urlSession { return "transfer-encoding: chunked" }
        #endif
        return "content-length: \(length)"
    }

    /// The header for no body.
    func framing(ofNoBodyWith method: Moya.Method) -> String? {
        switch method {
        // RFC 9110, section 8.6, and as URLSession does with DELETE.
        case .post, .put, .patch, .delete: "content-length: 0"
        default: nil
        }
    }
}

extension Session {
    /// A session that adds no headers of its own.
    static func withoutHeaders(_ transport: any HTTPTransport) -> Session {
        let configuration = URLSessionConfiguration.default
        configuration.headers = HTTPHeaders()
        return Session(transport: transport, configuration: configuration)
    }
}
