import Foundation

/// A request as a server received it, byte by byte.
struct SentRequest: Equatable, CustomStringConvertible {
    var line: String
    /// The headers, sorted, with names in lower case.
    var headers: [String]
    var body: Data

    init(line: String, headers: [String], body: Data) {
        self.line = line
        self.headers = headers.sorted()
        self.body = body
    }

    /// Parses the bytes of a request, without the fields that every transport adds, such as `Host` and `User-Agent`.
    init(bytes: Data) {
        let end = bytes.range(of: Data("\r\n\r\n".utf8)) ?? bytes.endIndex..<bytes.endIndex
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let ofEngines = ["host", "connection", "accept", "accept-encoding", "accept-language", "user-agent"]
        let headers = lines.dropFirst().compactMap { line -> String? in
            let parts = line.components(separatedBy: ": ")
            let name = parts[0].lowercased()
            guard !ofEngines.contains(name) else { return nil }
            return ([name] + parts.dropFirst()).joined(separator: ": ")
        }
        let body = Data(bytes[end.upperBound...])
        let isChunked = headers.contains("transfer-encoding: chunked")
        self.init(line: lines[0], headers: headers, body: isChunked ? Self.joinedChunks(body) : body)
    }

    /// Joins chunks (RFC 9112, section 7.1) without extensions and trailers; invalid chunks are kept, so that tests
    /// detect them.
    private static func joinedChunks(_ bytes: Data) -> Data {
        var rest = bytes
        var body = Data()
        while let end = rest.range(of: Data("\r\n".utf8)),
            let count = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16)
        {
            let chunk = rest[end.upperBound...].prefix(count)
            body += chunk
            rest = rest[end.upperBound...].dropFirst(count + 2)
        }
        return body + rest
    }

    var description: String {
        let text = String(data: body, encoding: .utf8) ?? body.map { String($0, radix: 16) }.joined(separator: " ")
        return ([line] + headers + ["", text]).joined(separator: "\n")
    }
}
