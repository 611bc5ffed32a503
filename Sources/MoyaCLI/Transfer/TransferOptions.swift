import ArgumentParser
import Moya

/// What is carried, and how.
enum TransferDirection: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// An answer goes into a file.
    case download
    /// A file is the body.
    case upload
    /// A file is part of a form.
    case multipart
    /// An answer is read as it comes, and dropped.
    case stream
}

/// The engine that carries it.
enum TransferTransport: String, CaseIterable, ExpressibleByArgument, Sendable {
    #if AsyncHTTPClient && !canImport(Darwin)
        case nio
    #endif
    case urlSession = "urlsession"

    /// The platform's own.
    static var platformDefault: TransferTransport { allCases[0] }

    func make() -> any HTTPTransport {
        switch self {
        #if AsyncHTTPClient && !canImport(Darwin)
            case .nio: NIOTransport()
        #endif
        case .urlSession: URLSessionTransport()
        }
    }
}
