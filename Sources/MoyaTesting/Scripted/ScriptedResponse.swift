import Foundation

/// A scripted response, and what happens to it on the way. Pure.
struct ScriptedResponse: Sendable {
    /// Where the body breaks off.
    struct Interruption: Equatable, Sendable {
        var after: Int64
        /// What it ends with; `nil` where nothing comes any more.
        var fault: ScriptedFault.Kind?
    }

    /// How a body ends.
    enum End: Equatable, Sendable {
        case complete
        case fault(ScriptedFault.Kind)
        case silence
    }

    var status: Int
    var headers: HTTPFields = [:]
    var body: ScriptedBody
    /// What the body is, unless the headers say it.
    var type: String?
    var declaredLength: Int64?
    /// Not less than zero.
    var bytesPerSecond: Double?
    var interruption: Interruption?

    /// How many bytes come at once over a slow line.
    var pieceSize: Int { bytesPerSecond.map { Int(min(max(1, $0 / 10), 65_536)) } ?? .max }

    /// When so many bytes can have come, after the head.
    func due(_ count: Int64) -> Duration {
        bytesPerSecond.map { Duration(clampingSeconds: Double(count) / $0) } ?? .zero
    }

    /// Whether the body is sent (RFC 9110, sections 9.3.2, 15.3.5 and 15.4.5).
    func hasBody(for method: HTTPMethod) -> Bool { method != .head && status != 204 && status != 304 }

    /// The headers as a server sends them.
    ///
    /// - Parameter length: How many bytes the body has; `nil` if that is not to be declared.
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

    /// How many bytes arrive, and how it ends then.
    ///
    /// - Parameters:
    ///   - length: How many bytes there are.
    ///   - fields: The headers that were sent.
    func course(length: Int64, head fields: HTTPFields) -> (count: Int64, end: End) {
        let declared = fields[.contentLength].flatMap { Int64($0) }
        // What comes after the declared length is no part of the message; without one its end is seen when it comes.
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
