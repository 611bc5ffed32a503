#if NIO && !canImport(Darwin)
    import Foundation
    import NIOCore

    @testable import MoyaHTTP

    /// What a parser makes of a server's bytes, however they are split.
    struct ParsedResponse: Equatable {
        var interim: [Int] = []
        var head: ResponseHead?
        var body = ""
        var isComplete = false
        /// What came after the end.
        var rest = ""
        var isKeepAlive = false
        var keepAlive: Duration?
        var error: HTTP1ResponseError?

        /// - Parameters:
        ///   - pieces: What the connection brings, one piece after the other, and then its end.
        ///   - method: The request's.
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
            isKeepAlive = parser.isKeepAlive
            keepAlive = parser.keepAlive
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

        /// Status, fields as `name=value`, and body: what most rows are about.
        var summary: String {
            if let error { return "error \(error)" }
            let fields = (head?.headers ?? [:]).map { "\($0.name.rawName)=\($0.value)" }.joined(separator: "|")
            return "\(head?.status ?? 0) [\(fields)] \(body)"
        }
    }
#endif
