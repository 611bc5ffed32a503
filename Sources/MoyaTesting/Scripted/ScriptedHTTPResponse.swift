import Foundation

/// A scripted response with its bandwidth and interruption.
struct ScriptedHTTPResponse: Sendable {
    /// The position at which a body breaks off, and the cause.
    struct Interruption: Equatable, Sendable {
        var after: Int64
        /// The fault; `nil` for a stall.
        var fault: ScriptedFault.Kind?
    }

    /// The way in which a body ends.
    enum End: Equatable, Sendable {
        case complete
        case fault(ScriptedFault.Kind)
        case silence
    }

    var status: Int
    var headers: HTTPFields = [:]
    var body: ScriptedBody
    /// The content type, unless the headers have one.
    var type: String?
    var declaredLength: Int64?
    /// The bandwidth; never negative.
    var bytesPerSecond: Double?
    var interruption: Interruption?
    /// The steps of the server of a WebSocket; `nil` for an ordinary response.
    var webSocket: [WebSocketStep]?

    /// The maximum number of bytes of a chunk: the number of a tenth of a second, at most 64 KiB.
    var chunkSize: Int { bytesPerSecond.map { Int(min(max(1, $0 / 10), 65_536)) } ?? .max }

    /// Returns the time after the head at which `count` bytes are due.
    func dueTime(of count: Int64) -> Duration {
        bytesPerSecond.map { Duration(clampingSeconds: Double(count) / $0) } ?? .zero
    }

    /// Returns whether the response has a body (RFC 9110, sections 9.3.2, 15.3.5 and 15.4.5).
    func hasBody(for method: HTTPMethod) -> Bool { method != .head && status != 204 && status != 304 }

    /// Returns the headers that a server would send.
    ///
    /// - Parameter length: The length of the body in bytes; `nil` if it is not declared.
    /// - Returns: The headers.
    func head(length: Int64?) -> HTTPFields {
        var fields = headers
        if let type, fields[.contentType] == nil, status != 204, status != 304 { fields[.contentType] = type }
        if let declaredLength {
            fields[.contentLength] = "\(declaredLength)"
        } else if fields[.contentLength] == nil, fields[.transferEncoding] == nil, status != 204, status != 304 {
            if let length { fields[.contentLength] = "\(length)" } else { fields[.transferEncoding] = "chunked" }
        }
        return fields
    }

    /// Returns the number of bytes that are received, and how the body ends after them.
    ///
    /// - Parameters:
    ///   - length: The length of the body in bytes.
    ///   - fields: The headers that were sent.
    /// - Returns: The number of bytes and the end.
    func transfer(length: Int64, head fields: HTTPFields) -> (count: Int64, end: End) {
        let declared = fields[.contentLength].flatMap { Int64($0) }
        // Bytes after the declared length do not belong to the message. Without a declared length, the body ends after the last byte.
        let most = declared.map { min($0, length) } ?? length
        if let interruption {
            let count = min(interruption.after, most)
            if count == declared { return (count, .complete) }
            return (count, interruption.fault.map { .fault($0) } ?? .silence)
        }
        if let declared, declared > length { return (length, .fault(.truncated(at: Int(length)))) }
        return (most, .complete)
    }
}
