import Foundation
import HTTPTypes

/// The parts of a `multipart/form-data` body (RFC 7578), which becomes an ``HTTPBody``.
///
/// Use it to build such a body of bytes, files, streams and sequences without reading them.
public struct MultipartBody: Sendable, Hashable {
    /// What stands between the parts.
    public let boundary: String
    /// The parts, in the order they are sent.
    public var parts: [Part]

    /// Makes a body.
    ///
    /// - Parameter boundary: Must not occur in what is sent, and is checked when the body is made. Best left out: then
    ///   it is a random one.
    public init(boundary: String? = nil, parts: [Part] = []) {
        self.boundary = boundary ?? Self.randomBoundary()
        self.parts = parts
    }

    /// The value of the request's `Content-Type` (RFC 7578, section 4.1; quoted where RFC 2045, section 5.1, asks for it).
    public var contentType: String {
        let isToken = boundary.utf8.allSatisfy { !"()<>@,;:\\\"/[]?= ".utf8.contains($0) }
        return "multipart/form-data; boundary=\(isToken ? boundary : "\"\(boundary)\"")"
    }

    /// Puts the parts together (RFC 2046, section 5.1.1).
    ///
    /// No file is looked at yet; the length is known when it is opened, if that of each part is.
    /// - Throws: ``MultipartError`` if the boundary, a name or a header cannot be sent, or a part is compressed.
    public func body() throws(MultipartError) -> HTTPBody {
        try Self.check(boundary)
        var segments: [BodySegment] = []
        var delimiter = "--\(boundary)\r\n"
        for (index, part) in parts.enumerated() {
            let name = part.name ?? "#\(index + 1)"
            guard !part.body.isGzipped else { throw .compressedPart(part: name) }
            let head = try part.head(name: name)
            segments.append(.bytes(Data("\(delimiter)\(head)\r\n".utf8)))
            segments += part.body.segments.map { $0.named(name) }
            delimiter = "\r\n--\(boundary)\r\n"
        }
        segments.append(.bytes(Data("\(parts.isEmpty ? "" : "\r\n")--\(boundary)--\r\n".utf8)))
        return HTTPBody(segments: segments)
    }

    private static func randomBoundary() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return "alamofire.boundary." + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// RFC 2046, section 5.1.1.
    private static func check(_ boundary: String) throws(MultipartError) {
        func isAllowed(_ character: UInt8) -> Bool {
            switch character {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default:
                "'()+_,-./:=? ".utf8.contains(character)
            }
        }
        guard (1...70).contains(boundary.utf8.count), boundary.utf8.allSatisfy(isAllowed), boundary.utf8.last != 0x20
        else { throw .invalidBoundary(boundary) }
    }
}
