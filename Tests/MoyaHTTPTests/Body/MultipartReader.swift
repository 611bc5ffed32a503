import Foundation

/// A minimal reader of multipart bodies that shares no code with the implementation.
///
/// It knows only the positions of the delimiters (RFC 2046, section 5.1.1).
struct MultipartReader {
    struct Part: Equatable {
        var headers: [String]
        var content: Data
    }

    /// The parts; `nil` if the bytes are not exactly a multipart body.
    static func parts(of body: Data, boundary: String) -> [Part]? {
        // A line break before the first delimiter makes it equal to the others.
        let bytes = Data("\r\n".utf8) + body
        let delimiter = Data("\r\n--\(boundary)".utf8)
        guard var start = bytes.range(of: delimiter, options: .anchored)?.upperBound else { return nil }
        var parts: [Part] = []
        while true {
            let line = bytes[start...].prefix(2)
            guard line == Data("\r\n".utf8) else {
                return bytes[start...] == Data("--\r\n".utf8) ? parts : nil
            }
            guard let next = bytes.range(of: delimiter, in: start + 2..<bytes.endIndex),
                let part = part(bytes[start..<next.lowerBound])
            else { return nil }
            parts.append(part)
            start = next.upperBound
        }
    }

    /// Parses a part, which starts with the line break before it.
    private static func part(_ bytes: Data) -> Part? {
        guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        let head = String(bytes: bytes[bytes.startIndex..<end.lowerBound], encoding: .utf8)?.unicodeScalars ?? .init()
        let lines = head.split { $0 == "\n" }.map { String(String.UnicodeScalarView($0.filter { $0 != "\r" })) }
        return Part(headers: lines.filter { !$0.isEmpty }, content: bytes.subdata(in: end.upperBound..<bytes.endIndex))
    }
}
