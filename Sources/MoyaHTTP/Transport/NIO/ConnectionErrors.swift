#if AsyncHTTPClient && !canImport(Darwin)
    import Foundation
    import FoundationNetworking
    import NIOCore
    import NIOSSL

    /// The server speaks another protocol from here on, which nobody has asked for (RFC 9110, section 15.2.2).
    struct SwitchedProtocol: Error, CustomStringConvertible {
        var description: String { "The server has switched to another protocol." }
    }

    /// The server, or somebody on the way, has closed the connection before anything of the response was there.
    struct ConnectionClosed: Error, CustomStringConvertible {
        /// Whether the connection had carried another request before: then the server may have closed it before it saw this
        /// one.
        var isReused = false
        /// What the layer that noticed it reported; `nil` for the plain end of a connection.
        var cause: (any Error)?

        var description: String {
            "The connection was closed before the response began." + (cause.map { " (\($0))" } ?? "")
        }
    }

    /// The server, or somebody on the way, has closed the connection in the middle of the response.
    struct ResponseTruncated: TransportFailure, CustomStringConvertible {
        /// What the layer that noticed it reported; `nil` for the plain end of a connection.
        var cause: (any Error)?

        var urlErrorCode: URLError.Code { .networkConnectionLost }
        var reason: String? { nil }
        var description: String {
            "The connection was closed before the response was complete." + (cause.map { " (\($0))" } ?? "")
        }
    }

    /// Returns the error of a request whose connection has ended: one error, whatever layer noticed it, unless that layer
    /// reported something else than the end.
    func connectionLost(_ cause: (any Error)?, hasResponse: Bool, isReused: Bool) -> any Error {
        if let cause, !cause.isEndOfConnection { return cause }
        return hasResponse ? ResponseTruncated(cause: cause) : ConnectionClosed(isReused: isReused, cause: cause)
    }

    extension Error {
        /// Whether it says that the connection has ended, and nothing else, in the words of some layer.
        var isEndOfConnection: Bool {
            switch self {
            case let error as IOError: [ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN].contains(error.errnoCode)
            case let error as ChannelError:
                switch error {
                case .eof, .ioOnClosedChannel, .alreadyClosed, .inputClosed, .outputClosed: true
                default: false
                }
            case let error as NIOSSLError:
                if case .uncleanShutdown = error { true } else { false }
            case let error as BoringSSLError:
                switch error {
                case .zeroReturn, .syscallError: true
                default: false
                }
            default: false
            }
        }
    }
#endif
