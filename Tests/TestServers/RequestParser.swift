import Foundation
import NIOCore

/// A request's head as received.
public struct RequestHead: Equatable, Sendable {
    /// One line of the head.
    public struct Field: Equatable, Sendable {
        /// The name in lower case.
        public let name: String
        /// The value without space around it.
        public let value: String
    }

    /// The method.
    public let method: String
    /// The target: path and query.
    public let target: String
    /// All headers in order.
    public let fields: [Field]

    /// The target without its query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The values of a header, joined by a comma.
    public subscript(name: String) -> String? {
        let values = fields.filter { $0.name == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    private static let usual = ["host", "connection", "user-agent", "accept", "accept-language", "accept-encoding"]

    /// The headers that distinguish requests, without the usual headers of every request.
    public var ownFields: [String] {
        fields.filter { !Self.usual.contains($0.name) }
            .map { "\($0.name): \($0.value)" }.sorted()
    }
}

/// An incremental parser for requests (RFC 9112, sections 2 and 7).
///
/// The parser is strict: an invalid line is an error.
struct RequestParser {
    enum Event: Equatable {
        case head(RequestHead)
        case body(ByteBuffer)
        /// The request is complete.
        case end
    }

    struct Malformed: Error {}

    private enum Phase { case head, counted(Int), chunkSize, chunk(Int), chunkEnd, trailers, end }

    private var buffer = ByteBuffer()
    private var phase = Phase.head
    /// The number of bytes of the buffer that were searched for the end of a line.
    private var scanned = 0
    private var lines: [String] = []
    /// The trailers of the last request whose body was chunked.
    private(set) var trailers: [RequestHead.Field] = []

    mutating func push(_ bytes: ByteBuffer) {
        buffer.discardReadBytes()
        buffer.writeImmutableBuffer(bytes)
    }

    /// Returns the next event; `nil` if bytes are missing.
    mutating func next() throws -> Event? {
        while true {
            switch phase {
            case .head:
                guard let line = takeLine() else { return nil }
                lines.append(line)
                guard line.isEmpty else { continue }
                return .head(try takeHead())
            case .counted(0), .end:
                phase = .head
                return .end
            case .counted(let count):
                guard let piece = takePiece(count) else { return nil }
                phase = .counted(count - piece.readableBytes)
                return .body(piece)
            case .chunkSize:
                guard let line = takeLine() else { return nil }
                guard let size = Int(line.prefix { $0 != ";" }, radix: 16), size >= 0 else { throw Malformed() }
                phase = size == 0 ? .trailers : .chunk(size)
            case .chunk(0):
                phase = .chunkEnd
            case .chunk(let count):
                guard let piece = takePiece(count) else { return nil }
                phase = .chunk(count - piece.readableBytes)
                return .body(piece)
            case .chunkEnd:
                guard let line = takeLine() else { return nil }
                guard line.isEmpty else { throw Malformed() }
                phase = .chunkSize
            case .trailers:
                guard let line = takeLine() else { return nil }
                if line.isEmpty { phase = .end } else { trailers.append(try Self.field(line)) }
            }
        }
    }

    private mutating func takePiece(_ count: Int) -> ByteBuffer? {
        buffer.readableBytes > 0 ? buffer.readSlice(length: min(count, buffer.readableBytes)) : nil
    }

    private mutating func takeLine() -> String? {
        let bytes = buffer.readableBytesView
        guard let end = bytes.dropFirst(scanned).firstIndex(of: UInt8(ascii: "\n")) else {
            scanned = bytes.count
            return nil
        }
        scanned = 0
        let text = buffer.readString(length: end - bytes.startIndex + 1) ?? ""
        // CR and LF form one Character.
        return String(text.dropLast())
    }

    private mutating func takeHead() throws -> RequestHead {
        defer { (lines, trailers) = ([], []) }
        let words = lines[0].split(separator: " ").map(String.init)
        guard words.count == 3, words[2] == "HTTP/1.1" else { throw Malformed() }
        let fields = try lines.dropFirst().dropLast().map(Self.field)
        let head = RequestHead(method: words[0], target: words[1], fields: fields)
        switch (head["transfer-encoding"], head["content-length"]) {
        case (nil, nil): phase = .end
        case ("chunked", nil): phase = .chunkSize
        case (nil, let length?):
            guard let length = Int(length), length >= 0 else { throw Malformed() }
            phase = .counted(length)
        default: throw Malformed()
        }
        return head
    }

    private static func field(_ line: String) throws -> RequestHead.Field {
        guard let colon = line.firstIndex(of: ":") else { throw Malformed() }
        return RequestHead.Field(
            name: line[..<colon].lowercased(),
            value: line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        )
    }
}
