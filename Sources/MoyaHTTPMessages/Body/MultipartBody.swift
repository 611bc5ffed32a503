import Foundation
import HTTPTypes

/// The parts of a `multipart/form-data` body (RFC 7578), from which an ``HTTPBody`` is created.
///
/// Use it to build such a body from bytes, files, streams and sequences without reading them.
public struct MultipartBody: Sendable, Hashable {
    /// The boundary between the parts.
    public let boundary: String
    /// The parts in the order in which they are sent.
    public var parts: [Part]
    private let isBoundaryRandom: Bool

    /// Creates a body.
    ///
    /// - Parameters:
    ///   - boundary: A boundary that does not occur in the content; random by default. ``body()`` searches the bytes of the parts for a
    ///     given one, and files, streams and sequences are searched while they are sent.
    ///   - parts: The parts.
    public init(boundary: String? = nil, parts: [Part] = []) {
        self.init(boundary: boundary ?? Self.randomBoundary(), isRandom: boundary == nil, parts: parts)
    }

    /// Creates a body with a boundary that may have been created by another body.
    init(boundary: String, isRandom: Bool, parts: [Part]) {
        self.boundary = boundary
        self.parts = parts
        isBoundaryRandom = isRandom
    }

    /// The value of the request's `Content-Type` (RFC 7578, section 4.1), quoted if RFC 2045, section 5.1, requires
    /// it.
    public var contentType: String {
        let isToken = boundary.utf8.allSatisfy { !"()<>@,;:\\\"/[]?= ".utf8.contains($0) }
        return "multipart/form-data; boundary=\(isToken ? boundary : "\"\(boundary)\"")"
    }

    /// Creates the body from the parts (RFC 2046, section 5.1.1).
    ///
    /// Files are not accessed. The length is determined when the body is opened, if the length of each part is
    /// known.
    ///
    /// If the boundary was given, and a file, a stream or a sequence contains it, reading the body fails with
    /// ``RequestBodyError/Reason/containsBoundary(_:)`` before the boundary is sent.
    ///
    /// - Throws: ``MultipartError`` if the boundary, a name or a header cannot be sent, a part is compressed or has trailers, or
    ///   a given boundary is in a part that is in memory.
    public func body() throws(MultipartError) -> HTTPBody {
        try Self.check(boundary)
        let avoided = isBoundaryRandom ? nil : MultipartDelimiter(boundary: boundary)
        var segments: [BodySegment] = []
        var delimiter = "--\(boundary)\r\n"
        for (index, part) in parts.enumerated() {
            let name = part.name ?? "#\(index + 1)"
            guard !part.body.isGzipped else { throw .compressedPart(part: name) }
            guard !part.body.hasTrailers else { throw .trailersOfPart(part: name) }
            let head = try part.headerLines(name: name)
            segments.append(.bytes(Data("\(delimiter)\(head)\r\n".utf8)))
            for segment in part.body.segments {
                segments.append(try segment.asContent(ofPart: name, avoiding: avoided))
            }
            delimiter = "\r\n--\(boundary)\r\n"
        }
        segments.append(.bytes(Data("\(parts.isEmpty ? "" : "\r\n")--\(boundary)--\r\n".utf8)))
        return HTTPBody(segments: segments)
    }

    private static func randomBoundary() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return "moya.boundary." + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Checks the boundary (RFC 2046, section 5.1.1).
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
