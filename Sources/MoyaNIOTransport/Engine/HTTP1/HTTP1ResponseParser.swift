#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes
import MoyaJSON
import NIOCore

/// A parser for the response to one request (RFC 9112): bytes in, events out.
///
/// Each exchange has a new parser, so that no bytes of a response can become part of the next one. It is strict
/// where implementations could disagree about the end of a message, and otherwise as lenient as curl and
/// browsers:
///
/// - A line of a head or of trailers may end with LF only (section 2.2). The lines of a chunked body may not.
/// - A line break in a field value followed by a space or tab is one space (section 5.2).
/// - The reason phrase and the space before it may be missing. A status is a number from 100 to 999.
/// - Control characters in a value are replaced by spaces, but CR and NUL are errors (RFC 9110, section 5.5).
/// - A field whose name is not a token is dropped, as browsers do: its name is empty, or has a space within it or before the
///   colon, for example. The name must not resemble one that determines the framing, because other implementations could read
///   it as that one (RFC 9112, sections 5.1 and 11.2).
struct HTTP1ResponseParser: Sendable {
    enum Event: Equatable, Sendable {
        /// A response with a status below 200, which is followed by another one; also a 101 that does not agree to the upgrade of the
        /// request.
        case interim(ResponseHead)
        /// The head of the response; after a 101 that agrees to the upgrade of the request, the bytes of the other protocol follow as
        /// its body, until the end of the connection.
        case head(ResponseHead)
        case body(ByteBuffer)
        case end
    }

    private enum Phase: Equatable, Sendable {
        case statusLine
        case fields
        case body(Int64)
        case untilClose
        case chunkLine
        case chunk(Int64)
        case chunkEnd
        case trailers
        /// The response is complete, but its end has not been reported.
        case ending
        case ended
    }

    /// Whether the connection can be reused after this response.
    private(set) var isPersistent = false
    /// The time for which the server keeps the connection open after this response, if it has said so.
    private(set) var keepAliveTime: Duration?
    /// Whether any bytes have been received.
    private(set) var hasReceivedBytes = false
    /// The minor version of the last head: 1 for HTTP/1.1.
    private(set) var minorVersion: UInt8 = 1
    /// The reason phrase of the last head; bytes that are not UTF-8 are ISO 8859-1.
    private(set) var reasonPhrase = ""
    /// The size of the last head.
    private(set) var headSize = 0
    /// The bytes that have not been parsed.
    ///
    /// After the end they do not belong to the response.
    private(set) var unparsed = ByteBuffer()

    /// The trailer fields, after the end; those that are not allowed there are left out.
    var trailers: HTTPFields { fields }

    private let isHead: Bool
    private let isConnect: Bool
    private let upgradeName: String?
    private var phase = Phase.statusLine
    /// The number of bytes of `unparsed` that do not contain the end of a line.
    private var scanned = 0
    /// The size of the parsed lines of this head, or of the trailers.
    private var size = 0
    private var status = 0
    private var isHTTP10: Bool { minorVersion == 0 }
    /// The fields of this head, or of the trailers.
    private var fields = HTTPFields()
    private var fieldCount = 0
    private var framing = HTTP1ResponseFraming()
    private var interimResponses = InterimResponseBudget()
    /// The size of the chunk lines in excess of the allowance for the sizes of the chunks.
    private var chunkOverhead = 0

    /// Creates a parser for the response to a request with this method, and with the name of the protocol that it asks to upgrade to, if
    /// any.
    init(method: String, upgradeName: String? = nil) {
        isHead = method == "HEAD"
        isConnect = method == "CONNECT"
        self.upgradeName = upgradeName
    }

    /// Whether interim responses have been counted in this interval, so that ``intervalPassed()`` must be called.
    var isCountingInterimResponses: Bool { interimResponses.isUsed }

    /// Starts another interval in which interim responses are counted: ``InterimResponseBudget/interval``.
    mutating func intervalPassed() { interimResponses.intervalPassed() }

    /// Appends bytes from the connection.
    mutating func feed(_ bytes: ByteBuffer) {
        if bytes.readableBytes > 0 { hasReceivedBytes = true }
        if unparsed.readableBytes == 0 {
            unparsed = bytes
        } else {
            unparsed.discardReadBytes()
            unparsed.writeImmutableBuffer(bytes)
        }
    }

    /// Returns the next event, or `nil` if more bytes are needed.
    mutating func next() throws(HTTP1ResponseError) -> Event? {
        while true {
            switch phase {
            case .statusLine:
                if let head = takeWholeHead() { return try endHead(head) }
                guard try parseStatusLine() else { return nil }
            case .fields:
                guard let isLast = try parseField(limit: HTTP1Limits.head, .headTooLarge) else { return nil }
                if isLast { return try endHead(ResponseHead(status: status, headers: fields)) }
            case .body(let remaining):
                guard let bytes = takeBody(upTo: remaining) else { return nil }
                let left = remaining - Int64(bytes.readableBytes)
                phase = left > 0 ? .body(left) : .ending
                return .body(bytes)
            case .untilClose:
                return takeBody(upTo: .max).map { .body($0) }
            case .chunkLine:
                guard try parseChunkLine() else { return nil }
            case .chunk(let remaining):
                guard let bytes = takeBody(upTo: remaining) else { return nil }
                let left = remaining - Int64(bytes.readableBytes)
                phase = left > 0 ? .chunk(left) : .chunkEnd
                return .body(bytes)
            case .chunkEnd:
                guard try parseChunkEnd() else { return nil }
            case .trailers:
                guard let isLast = try parseField(limit: HTTP1Limits.trailers, .trailersTooLarge) else {
                    return nil
                }
                if isLast { phase = .ending }
            case .ending:
                phase = .ended
                return .end
            case .ended:
                return nil
            }
        }
    }

    /// Handles the end of the connection, after all events have been returned.
    ///
    /// - Returns: The end of a body that ends with the connection; `nil` if the response was complete before.
    /// - Throws: ``HTTP1ResponseError/truncated``.
    mutating func finish() throws(HTTP1ResponseError) -> Event? {
        switch phase {
        case .ended: return nil
        case .untilClose:
            phase = .ended
            return .end
        default: throw .truncated
        }
    }

    // MARK: Head

    /// Parses a head that has arrived in one piece and has the usual form (``HTTP1WholeHead``).
    private mutating func takeWholeHead() -> ResponseHead? {
        // A head whose beginning has been scanned is incomplete, or has another form.
        guard scanned == 0, let head = unparsed.withUnsafeReadableBytes({ HTTP1WholeHead($0) }) else { return nil }
        (status, minorVersion, reasonPhrase) = (head.status, head.minorVersion, head.reasonPhrase)
        framing = head.framing
        consumeLine(head.length)
        return ResponseHead(status: status, fields: head.fields)
    }

    private static let prefix = Array("HTTP/".utf8)

    private mutating func parseStatusLine() throws(HTTP1ResponseError) -> Bool {
        let isHTTP = unparsed.withUnsafeReadableBytes { zip($0, Self.prefix).allSatisfy { $0 == $1 } }
        guard isHTTP else { throw .notHTTP }
        guard let length = try lineLength(isField: false, limit: HTTP1Limits.head, .headTooLarge) else {
            return false
        }
        let result = unparsed.withUnsafeReadableBytes { bytes -> Result<(Int, UInt8, String), HTTP1ResponseError> in
            let line = Self.withoutLineEnd(bytes, length)
            // HTTP/1.1 200
            guard line.count >= 12, line[6] == UInt8(ascii: "."), line[5].isDigit, line[7].isDigit,
                line[8] == UInt8(ascii: " "), line[9..<12].allSatisfy(\.isDigit), line[9] != UInt8(ascii: "0"),
                line.count == 12 || line[12] == UInt8(ascii: " "), !line.contains(where: \.isForbiddenInFields)
            else { return .failure(.invalidStatusLine) }
            // A higher minor version is processed as the highest known one (RFC 9110, section 2.5).
            guard line[5] == UInt8(ascii: "1") else { return .failure(.unsupportedVersion) }
            let status = line[9..<12].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            let phrase = UnsafeRawBufferPointer(rebasing: line.dropFirst(13))
            return .success((status, line[7] - UInt8(ascii: "0"), Self.decodedReasonPhrase(phrase)))
        }
        (status, minorVersion, reasonPhrase) = try result.get()
        consumeLine(length)
        fields.reserveCapacity(16)
        phase = .fields
        return true
    }

    static func decodedReasonPhrase(_ bytes: UnsafeRawBufferPointer) -> String {
        if bytes.isEqual(to: "OK") { return "OK" }
        // The phrase may be printed. So control characters, which RFC 9112 (section 4) does not allow, are replaced by
        // spaces.
        guard !bytes.contains(where: \.isControlCharacter) else {
            let printable = bytes.map { $0.isControlCharacter ? UInt8(ascii: " ") : $0 }
            return String(validUTF8: printable) ?? latin1(printable)
        }
        return String(validUTF8: bytes) ?? latin1(bytes)
    }

    private static func latin1(_ bytes: some Collection<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Parses a field, or the empty line after the last one; returns whether it was the empty line, or `nil` if
    /// more bytes are needed.
    private mutating func parseField(
        limit: Int,
        _ tooLarge: HTTP1ResponseError
    ) throws(HTTP1ResponseError) -> Bool? {
        guard let length = try lineLength(isField: true, limit: limit, tooLarge) else { return nil }
        let result = unparsed.withUnsafeReadableBytes { bytes -> Result<FieldLine, HTTP1ResponseError> in
            let line = Self.withoutLineEnd(bytes, length)
            return line.isEmpty ? .success(.end) : Self.field(line)
        }
        let line = try result.get()
        consumeLine(length)
        if case .end = line { return true }
        fieldCount += 1
        guard fieldCount <= HTTP1Limits.fields else { throw .tooManyFields }
        guard case .field(let field) = line else { return false }
        if phase == .fields {
            framing.take(field)
            fields.append(field)
        } else if field.name.isAllowedInTrailers {
            fields.append(field)
        }
        return false
    }

    private enum FieldLine: Sendable {
        case field(HTTPField)
        /// The name is not a token.
        case dropped
        /// The empty line after the last field.
        case end
    }

    private static func field(_ line: UnsafeRawBufferPointer) -> Result<FieldLine, HTTP1ResponseError> {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return .failure(.invalidFieldName) }
        let nameBytes = UnsafeRawBufferPointer(rebasing: line[..<colon])
        let value = UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]).withoutOptionalWhitespace
        guard let name = Self.name(nameBytes) else { return dropped(nameBytes, value) }
        guard value.contains(where: \.isControlCharacter) else {
            return .success(.field(HTTPField(name: name, value: value)))
        }
        if value.contains(UInt8(ascii: "\n")) {
            let unfolded = unfold(value)
            guard !unfolded.contains(where: \.isForbiddenInFields) else {
                return .failure(.invalidFieldValue(name: name.rawName))
            }
            return .success(.field(HTTPField(name: name, value: unfolded)))
        }
        guard !value.contains(where: \.isForbiddenInFields) else {
            return .failure(.invalidFieldValue(name: name.rawName))
        }
        return .success(.field(HTTPField(name: name, valueWithControlCharacters: value)))
    }

    /// Returns whether a line whose name is not a token can be dropped.
    ///
    /// It cannot if others could find another line in it, or a field that determines the framing: a line that begins
    /// with a space continues the one before, and CR or NUL may end a line.
    private static func dropped(
        _ name: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer
    ) -> Result<FieldLine, HTTP1ResponseError> {
        guard name.first.map({ !$0.isFieldSpace }) ?? true, !name.contains(where: \.isForbiddenInFields),
            !HTTP1ResponseFraming.isResembled(by: name)
        else { return .failure(.invalidFieldName) }
        guard !unfold(value).contains(where: \.isForbiddenInFields) else { return .failure(.invalidFieldName) }
        return .success(.dropped)
    }

    private static func name(_ bytes: UnsafeRawBufferPointer) -> HTTPField.Name? {
        KnownFieldNames.name(bytes) ?? HTTPField.Name(String(decoding: bytes, as: UTF8.self))
    }

    /// Replaces each line break, and adjacent whitespace, by one space (RFC 9112, section 5.2).
    private static func unfold(_ value: UnsafeRawBufferPointer) -> [UInt8] {
        var unfolded: [UInt8] = []
        unfolded.reserveCapacity(value.count)
        for line in value.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let part = UnsafeRawBufferPointer(rebasing: line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
                .withoutOptionalWhitespace
            if part.isEmpty { continue }
            if !unfolded.isEmpty { unfolded.append(UInt8(ascii: " ")) }
            unfolded += part
        }
        return unfolded
    }

    private mutating func endHead(_ head: ResponseHead) throws(HTTP1ResponseError) -> Event {
        let framing = framing
        headSize = size
        (fields, fieldCount, size, self.framing) = (HTTPFields(), 0, 0, HTTP1ResponseFraming())
        if status == 101, agreesToUpgrade(head) {
            var head = head
            head.isUpgraded = true
            (isPersistent, keepAliveTime, phase) = (false, nil, .untilClose)
            return .head(head)
        }
        guard status >= 200 else {
            guard interimResponses.spend(headSize) else { throw .tooManyInterimResponses }
            phase = .statusLine
            return .interim(head)
        }
        isPersistent = framing.isPersistent(isHTTP10: isHTTP10)
        keepAliveTime = framing.keepAliveTime
        // RFC 9112, section 6.3.
        if isConnect, status < 300 {
            isPersistent = false
            phase = .ending
        } else if isHead || status == 204 || status == 304 {
            phase = .ending
        } else {
            switch try framing.body() {
            case .length(0): phase = .ending
            case .length(let length): phase = .body(length)
            case .chunked: phase = .chunkLine
            case .untilClose:
                isPersistent = false
                phase = .untilClose
            }
        }
        return .head(head)
    }

    /// Returns whether a 101 names the protocol that the request asks for (RFC 9110, section 7.8), whose name is not case-sensitive.
    private func agreesToUpgrade(_ head: ResponseHead) -> Bool {
        guard let name = upgradeName?.lowercased(), !isHTTP10 else { return false }
        return head.headers[values: .upgrade].contains { $0.lowercasedListElements.contains(name) }
    }

    // MARK: Chunks (RFC 9112, section 7.1)

    private mutating func parseChunkLine() throws(HTTP1ResponseError) -> Bool {
        // Checked early, since a server may pause after invalid bytes.
        if let first = unparsed.readableBytesView.first, first.hexValue == nil { throw .invalidChunk }
        guard let length = try lineLength(isField: false, limit: HTTP1Limits.chunkLine, .chunkLineTooLong)
        else { return false }
        let chunk = unparsed.withUnsafeReadableBytes { Self.chunkSize(.init(rebasing: $0[..<length])) }
        guard let chunk else { throw .invalidChunk }
        let allowance = 16 + 2 * Int(min(chunk, Int64(HTTP1Limits.chunkOverhead)))
        chunkOverhead = max(0, chunkOverhead + length - allowance)
        guard chunkOverhead <= HTTP1Limits.chunkOverhead else { throw .chunkLineTooLong }
        consumeLine(length)
        size = 0
        phase = chunk == 0 ? .trailers : .chunk(chunk)
        return true
    }

    private static func chunkSize(_ line: UnsafeRawBufferPointer) -> Int64? {
        guard line.count >= 3, line[line.count - 2] == UInt8(ascii: "\r") else { return nil }
        let line = line.dropLast(2)
        var (size, index) = (Int64(0), line.startIndex)
        while index < line.endIndex, let digit = line[index].hexValue {
            guard size <= Int64.max >> 4 else { return nil }
            size = size << 4 | Int64(digit)
            index += 1
        }
        guard index > line.startIndex else { return nil }
        // Some servers send spaces after the size.
        let rest = line[index...].drop(while: \.isFieldSpace)
        guard rest.isEmpty || rest.first == UInt8(ascii: ";"), !rest.contains(where: \.isForbiddenInFields) else {
            return nil
        }
        return size
    }

    private mutating func parseChunkEnd() throws(HTTP1ResponseError) -> Bool {
        let bytes = unparsed.readableBytesView.prefix(2)
        guard zip(bytes, "\r\n".utf8).allSatisfy({ $0 == $1 }) else { throw .invalidChunk }
        guard bytes.count == 2 else { return false }
        unparsed.moveReaderIndex(forwardBy: 2)
        phase = .chunkLine
        return true
    }

    private mutating func takeBody(upTo limit: Int64) -> ByteBuffer? {
        let count = Int(min(limit, Int64(unparsed.readableBytes)))
        return count > 0 ? unparsed.readSlice(length: count) : nil
    }

    // MARK: Lines

    /// Returns the length of the next line with its terminator; a field includes its continuation lines.
    private mutating func lineLength(
        isField: Bool,
        limit: Int,
        _ tooLarge: HTTP1ResponseError
    ) throws(HTTP1ResponseError) -> Int? {
        let length = findLine(isField: isField)
        guard size + (length ?? unparsed.readableBytes) <= limit else { throw tooLarge }
        return length
    }

    private mutating func findLine(isField: Bool) -> Int? {
        let from = scanned
        let (length, scanned) = unparsed.withUnsafeReadableBytes { bytes -> (Int?, Int) in
            guard let start = bytes.baseAddress else { return (nil, 0) }
            var from = from
            while from < bytes.count, let found = memchr(start + from, 0x0A, bytes.count - from) {
                let end = UnsafeRawPointer(found) - start + 1
                let isEmpty = end == 1 || end == 2 && bytes[0] == UInt8(ascii: "\r")
                if !isField || isEmpty { return (end, 0) }
                // The next line may be a continuation.
                guard end < bytes.count else { return (nil, end - 1) }
                if !bytes[end].isFieldSpace { return (end, 0) }
                from = end
            }
            return (nil, bytes.count)
        }
        self.scanned = scanned
        return length
    }

    private mutating func consumeLine(_ length: Int) {
        unparsed.moveReaderIndex(forwardBy: length)
        size += length
    }

    private static func withoutLineEnd(_ bytes: UnsafeRawBufferPointer, _ length: Int) -> UnsafeRawBufferPointer {
        var end = length - 1
        if end > 0, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: bytes[..<end])
    }
}
#endif
