import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The behavior of a ``MisbehavingServer`` for a request, chosen by the request's path, such as `/closesInHead`.
public enum Misbehavior: String, CaseIterable, Sendable {
    /// Responds with `ok`.
    case none
    /// Responds with the bytes of the request.
    case echoes
    /// Closes the connection after the request.
    case closesBeforeHead
    /// Closes in the middle of a header line.
    case closesInHead
    /// Closes in the middle of a chunked body.
    case closesInBody
    /// Declares 100 bytes, sends 10 and closes.
    case declaresMore
    /// Declares 4 bytes and sends 10.
    case declaresLess
    /// Sends the status line `HTTP/1.1 abc`.
    case invalidStatusLine
    /// Sends a header of 10 MiB.
    case hugeHeader
    /// Sends bytes that are not HTTP.
    case notHTTP
    /// Sends the head and a part of the body, and stalls.
    case stallsInBody
    /// Never responds.
    case neverResponds

    /// The code of the client's `URLError`; `nil` if the client gets a response.
    public var urlErrorCode: URLError.Code? {
        switch self {
        case .none, .echoes: nil
        // The declared length ends the message, so further bytes do not belong to it (RFC 9112, section 6.3).
        case .declaresLess: nil
        case .closesBeforeHead, .closesInHead, .closesInBody, .declaresMore: .networkConnectionLost
        case .invalidStatusLine, .hugeHeader, .notHTTP: .cannotParseResponse
        case .stallsInBody, .neverResponds: .timedOut
        }
    }

    /// Returns the bytes to send, and whether the server then closes the connection; `nil` for no response.
    func response(to request: [UInt8]) -> (bytes: [UInt8], closes: Bool)? {
        func text(_ text: String) -> [UInt8] { Array(text.utf8) }
        switch self {
        case .none:
            return (text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), false)
        case .echoes:
            return (text("HTTP/1.1 200 OK\r\nContent-Length: \(request.count)\r\n\r\n") + request, false)
        case .closesBeforeHead:
            return ([], true)
        case .closesInHead:
            return (text("HTTP/1.1 200 OK\r\nContent-Le"), true)
        case .closesInBody:
            return (text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n01234"), true)
        case .declaresMore:
            return (text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789"), true)
        case .declaresLess:
            return (text("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n0123456789"), true)
        case .invalidStatusLine:
            return (text("HTTP/1.1 abc\r\nContent-Length: 0\r\n\r\n"), true)
        case .hugeHeader:
            let value = [UInt8](repeating: UInt8(ascii: "a"), count: 10 * 1024 * 1024)
            return (text("HTTP/1.1 200 OK\r\nX-Huge: ") + value + text("\r\nContent-Length: 0\r\n\r\n"), true)
        case .notHTTP:
            return (text("\u{1}\u{2}\u{3} this is no HTTP at all, and goes on for a while\r\n\r\n"), true)
        case .stallsInBody:
            return (text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789"), false)
        case .neverResponds:
            return nil
        }
    }
}
