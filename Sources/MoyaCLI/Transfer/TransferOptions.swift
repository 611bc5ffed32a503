import ArgumentParser
import Moya

/// The kind of transfer.
enum TransferDirection: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Writes the response's body to a file.
    case download
    /// Sends a file as the body.
    case upload
    /// Sends a file as a part of a form.
    case multipart
    /// Streams the response's body and discards it.
    case stream
}

/// The transport of the transfer.
enum TransferTransport: String, CaseIterable, ExpressibleByArgument, Sendable {
    #if NIO && !canImport(Darwin)
        case nio
    #endif
    case urlSession = "urlsession"

    /// The platform's default transport.
    static var platformDefault: TransferTransport { allCases[0] }

    func make() -> any HTTPTransport {
        switch self {
        #if NIO && !canImport(Darwin)
            case .nio: NIOTransport()
        #endif
        case .urlSession: URLSessionTransport()
        }
    }
}
