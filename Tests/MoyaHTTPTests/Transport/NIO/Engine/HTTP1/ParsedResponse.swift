#if NIO && !canImport(Darwin)
import Foundation
import NIOCore

@testable import MoyaHTTP
@testable import MoyaNIOTransport

/// The result of parsing a server's bytes, which must not depend on how they are split.
struct ParsedResponse: Equatable {
    var interim: [Int] = []
    var head: ResponseHead?
    var body = ""
    var isComplete = false
    /// The bytes after the end.
    var rest = ""
    var isPersistent = false
    var keepAliveTime: Duration?
    var minorVersion: UInt8 = 1
    var reasonPhrase = ""
    var error: HTTP1ResponseError?

    /// - Parameters:
    ///   - pieces: The received pieces before the end of the connection.
    ///   - method: The request's method.
    init(_ pieces: [ArraySlice<UInt8>], method: String = "GET") {
        var parser = HTTP1ResponseParser(method: method)
        do throws(HTTP1ResponseError) {
            for piece in pieces {
                parser.feed(ByteBuffer(bytes: piece))
                while let event = try parser.next() { take(event) }
            }
            if let event = try parser.finish() { take(event) }
        } catch {
            self.error = error
            return
        }
        rest = String(buffer: parser.unparsed)
        isPersistent = parser.isPersistent
        keepAliveTime = parser.keepAliveTime
        minorVersion = parser.minorVersion
        reasonPhrase = parser.reasonPhrase
    }

    init(_ text: String, method: String = "GET") { self.init([Array(text.utf8)[...]], method: method) }

    private mutating func take(_ event: HTTP1ResponseParser.Event) {
        switch event {
        case .interim(let head): interim.append(head.status)
        case .head(let head): self.head = head
        case .body(let piece): body += String(piece.readableBytesView.map { Character(UnicodeScalar($0)) })
        case .end: isComplete = true
        }
    }

    /// A summary, about which most rows are: status, fields as `name=value`, and body.
    var summary: String {
        if let error { return "error \(error)" }
        let fields = (head?.headers ?? [:]).map { "\($0.name.rawName)=\($0.value)" }.joined(separator: "|")
        return "\(head?.status ?? 0) [\(fields)] \(body)"
    }
}
#endif
