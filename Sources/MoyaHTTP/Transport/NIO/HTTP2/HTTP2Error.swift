#if AsyncHTTPClient && !canImport(Darwin)
    import Foundation
    import FoundationNetworking

    /// An error of HTTP/2, of one stream or of the whole connection (RFC 9113, section 5.4).
    struct HTTP2Error: TransportFailure, Equatable, CustomStringConvertible {
        enum Scope: Sendable { case stream, connection }
        enum Side: Sendable { case client, server }

        let scope: Scope
        let code: HTTP2ErrorCode
        /// Who ended the stream or the connection: we, because of what the server sent, or the server.
        let endedBy: Side
        let text: String

        /// What the server sent breaks the rules of a connection.
        static func connection(_ code: HTTP2ErrorCode, _ reason: String) -> HTTP2Error {
            HTTP2Error(scope: .connection, code: code, endedBy: .client, text: reason)
        }

        /// What the server sent breaks the rules of a stream.
        static func stream(_ code: HTTP2ErrorCode, _ reason: String) -> HTTP2Error {
            HTTP2Error(scope: .stream, code: code, endedBy: .client, text: reason)
        }

        /// The server has reset a stream.
        static func reset(_ code: HTTP2ErrorCode) -> HTTP2Error {
            HTTP2Error(scope: .stream, code: code, endedBy: .server, text: "The server has reset the stream.")
        }

        /// What the server sent breaks the rules, or is more than is accepted; or the server has given up.
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
