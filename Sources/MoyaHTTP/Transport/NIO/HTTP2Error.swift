#if NIO && !canImport(Darwin)
    import Foundation
    import FoundationNetworking

    /// An error of an HTTP/2 stream or connection (RFC 9113, section 5.4).
    struct HTTP2Error: TransportFailure, Equatable, CustomStringConvertible {
        enum Scope: Sendable { case stream, connection }
        enum Side: Sendable { case client, server }

        let scope: Scope
        let code: HTTP2ErrorCode
        /// The side that ended the stream or the connection.
        ///
        /// The client does so because of invalid data from the server.
        let endedBy: Side
        let text: String

        /// Creates a connection error caused by the server's data.
        static func connection(_ code: HTTP2ErrorCode, _ reason: String) -> HTTP2Error {
            HTTP2Error(scope: .connection, code: code, endedBy: .client, text: reason)
        }

        /// Creates a stream error caused by the server's data.
        static func stream(_ code: HTTP2ErrorCode, _ reason: String) -> HTTP2Error {
            HTTP2Error(scope: .stream, code: code, endedBy: .client, text: reason)
        }

        /// Creates the error for a stream that the server has reset.
        static func reset(_ code: HTTP2ErrorCode) -> HTTP2Error {
            HTTP2Error(scope: .stream, code: code, endedBy: .server, text: "The server has reset the stream.")
        }

        /// The code for invalid or excessive data from the server, or for a stream or connection that the server
        /// has ended.
        var urlErrorCode: URLError.Code {
            switch (endedBy, code) {
            case (.server, _): .networkConnectionLost
            case (.client, _): .cannotParseResponse
            }
        }

        var reason: String? { endedBy == .client ? description : nil }

        var description: String { "\(text) (HTTP/2 \(code))" }
    }
#endif
