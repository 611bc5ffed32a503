import Foundation
import Moya
import Testing

/// The transports for which a rule must hold.
enum TransportKind: String, CaseIterable, Sendable {
    #if NIO && !canImport(Darwin)
    case nio
    #endif
    case urlSession

    #if NIO && !canImport(Darwin)
    /// Both transports, of which `.ci/run` tests one under the thread sanitizer: the code of providers above them is the same.
    static let allCases: [TransportKind] =
        ProcessInfo.processInfo.environment["MOYA_SANITIZED"] == nil ? [.nio, .urlSession] : [.nio]
    #endif

    func make() -> any HTTPTransport {
        switch self {
        #if NIO && !canImport(Darwin)
        case .nio: NIOTransport()
        #endif
        case .urlSession: URLSessionTransport()
        }
    }

    /// Returns the framing header of a body of known length that is read while it is sent.
    func framing(ofStream length: Int) -> String {
        #if !canImport(Darwin)
        // Foundation on Linux does not know the length of a stream.
        if self == .urlSession { return "transfer-encoding: chunked" }
        #endif
        return "content-length: \(length)"
    }

    /// Returns the framing header of a missing body.
    func framing(ofNoBodyWith method: Moya.Method) -> String? {
        switch method {
        // RFC 9110, section 8.6, recommends the field for methods with a body; URLSession also sends it with DELETE.
        case .post, .put, .patch, .delete: "content-length: 0"
        default: nil
        }
    }
}

extension TransportKind {
    /// Whether sessions use URLSession on Linux by default (`Tests/URLSESSION.md`).
    static var isDefaultURLSessionOnLinux: Bool {
        #if NIO || canImport(Darwin)
        false
        #else
        true
        #endif
    }
}

extension Trait where Self == ConditionTrait {
    /// Leaves out a test of settings that only `NIOTransport` has.
    static var ifNIO: Self {
        .enabled(if: TransportKind.allCases.contains { $0.rawValue == "nio" }, "URLSession has no such settings")
    }

    /// Leaves out a test of features that URLSession lacks on Linux.
    static var unlessURLSessionOnLinux: Self {
        .disabled(if: TransportKind.isDefaultURLSessionOnLinux, "URLSession on Linux has no such feature")
    }
}

extension Session {
    /// Returns a session that adds no headers.
    static func withoutHeaders(_ transport: any HTTPTransport) -> Session {
        let configuration = URLSessionConfiguration.default
        configuration.headers = HTTPHeaders()
        return Session(transport: transport, configuration: configuration)
    }
}
