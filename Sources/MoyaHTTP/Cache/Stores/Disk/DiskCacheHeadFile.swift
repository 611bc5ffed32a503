import Foundation
import HTTPTypes

/// The content of the head file of a stored response.
///
/// The file begins with 8 bytes that identify the format and its version. The number of uses, the CRC-32 of the rest, and the
/// values follow. Numbers have 8 bytes in little-endian order. Texts and the bytes of field values are preceded by their
/// length.
struct DiskCacheHeadFile: Equatable, Sendable {
    let key: CacheKey
    var head: CachedHead
    let bodySize: Int64
    /// The CRC-32 of the body.
    let bodyChecksum: UInt32
    /// The number of times that the body was used.
    ///
    /// It is written in place, so the checksum does not cover it.
    var useCount = 0

    /// The position of the number of uses.
    static let useCountOffset = off_t(magic.count)
    /// The first bytes of the file; the last of them is the version of the format.
    static let magic = Array("moyaC\r\n\u{01}".utf8)
    /// The maximum size of a file in bytes; a larger one is damaged.
    static let maximumSize = 1 << 20

    /// The bytes of the file.
    var bytes: [UInt8] {
        var serializer = Serializer()
        serializer.add(key.url)
        serializer.add(UInt64(truncatingIfNeeded: head.status))
        serializer.add(head.requestTime.bitPattern)
        serializer.add(head.responseTime.bitPattern)
        serializer.add(head.isDecoded ? 1 : 0)
        serializer.add(UInt64(bitPattern: bodySize))
        serializer.add(UInt64(bodyChecksum))
        serializer.add(optional: head.credentials)
        serializer.add(head.part == nil ? 0 : head.part?.completeLength == nil ? 1 : 2)
        if let part = head.part {
            serializer.add(UInt64(bitPattern: part.start))
            if let length = part.completeLength { serializer.add(UInt64(bitPattern: length)) }
        }
        serializer.add(UInt64(head.selectingFields.count))
        for (name, value) in head.selectingFields.sorted(by: { $0.key < $1.key }) {
            serializer.add(name)
            serializer.add(optional: value)
        }
        serializer.add(UInt64(head.headers.count))
        for field in head.headers {
            serializer.add(field.name.rawName)
            field.withUnsafeBytesOfValue { serializer.add($0) }
        }
        var checksum = CRC32()
        checksum.update(Data(serializer.bytes))
        var start = Serializer()
        start.add(UInt64(clamping: useCount))
        start.add(UInt64(checksum.value))
        return Self.magic + start.bytes + serializer.bytes
    }

    init(key: CacheKey, head: CachedHead, bodySize: Int64, bodyChecksum: UInt32) {
        self.key = key
        self.head = head
        self.bodySize = bodySize
        self.bodyChecksum = bodyChecksum
    }

    /// Reads a file; `nil` if it is damaged or has another format.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.magic) else { return nil }
        var parser = Parser(bytes: bytes.dropFirst(Self.magic.count))
        do { try self.init(&parser) } catch { return nil }
    }

    private init(_ parser: inout Parser) throws(Damage) {
        let (useCount, expected) = (try parser.number(), try parser.number())
        var checksum = CRC32()
        checksum.update(Data(parser.bytes))
        guard UInt64(checksum.value) == expected else { throw Damage() }
        key = CacheKey(normalized: try parser.text())
        let (status, requestTime, responseTime) = (try parser.number(), try parser.number(), try parser.number())
        let isDecoded = try parser.number() != 0
        bodySize = Int64(bitPattern: try parser.number())
        guard let bodyChecksum = UInt32(exactly: try parser.number()), (100...999).contains(status), bodySize >= 0
        else { throw Damage() }
        self.bodyChecksum = bodyChecksum
        let credentials = try parser.optionalText()
        let partKind = try parser.number()
        var part: CachedHead.Part?
        if partKind > 0 {
            let start = Int64(bitPattern: try parser.number())
            let length = partKind > 1 ? Int64(bitPattern: try parser.number()) : nil
            guard start >= 0, length ?? start >= start else { throw Damage() }
            part = CachedHead.Part(start: start, completeLength: length)
        }
        let selectingCount = try parser.number()
        var selectingFields: [String: String?] = [:]
        // A damaged count has no effect: the parser throws after the last byte.
        for _ in 0..<selectingCount {
            let name = try parser.text()
            selectingFields[name] = .some(try parser.optionalText())
        }
        let count = try parser.number()
        var headers = HTTPFields()
        for _ in 0..<count {
            let (name, value) = (HTTPField.Name(try parser.text()), try parser.value())
            guard let name, HTTPField.isValidValue(value) else { throw Damage() }
            headers.append(HTTPField(name: name, value: value))
        }
        guard parser.bytes.isEmpty else { throw Damage() }
        // A value from the file must not overflow when uses are added.
        self.useCount = Int(min(useCount, UInt64(Int32.max / 2)))
        head = CachedHead(
            status: Int(status),
            headers: headers,
            selectingFields: selectingFields,
            credentials: credentials,
            requestTime: Double(bitPattern: requestTime),
            responseTime: Double(bitPattern: responseTime),
            isDecoded: isDecoded,
            part: part
        )
    }

    /// The error for a damaged file.
    private struct Damage: Error {}

    private struct Serializer {
        var bytes: [UInt8] = []

        mutating func add(_ number: UInt64) {
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }

        mutating func add(_ text: String) {
            add(UInt64(text.utf8.count))
            bytes += text.utf8
        }

        mutating func add(_ value: UnsafeBufferPointer<UInt8>) {
            add(UInt64(value.count))
            bytes += value
        }

        mutating func add(optional text: String?) {
            add(text == nil ? 0 : 1)
            if let text { add(text) }
        }
    }

    /// Reads values; a value after the end of the bytes is damage.
    private struct Parser {
        var bytes: ArraySlice<UInt8>

        mutating func number() throws(Damage) -> UInt64 {
            guard bytes.count >= 8 else { throw Damage() }
            var number: UInt64 = 0
            for byte in bytes.prefix(8).reversed() { number = number << 8 | UInt64(byte) }
            bytes = bytes.dropFirst(8)
            return number
        }

        mutating func text() throws(Damage) -> String {
            guard let text = String(validUTF8: try value()) else { throw Damage() }
            return text
        }

        mutating func value() throws(Damage) -> ArraySlice<UInt8> {
            let count = try number()
            guard count <= UInt64(bytes.count) else { throw Damage() }
            defer { bytes = bytes.dropFirst(Int(count)) }
            return bytes.prefix(Int(count))
        }

        mutating func optionalText() throws(Damage) -> String? { try number() == 0 ? nil : try text() }
    }
}
