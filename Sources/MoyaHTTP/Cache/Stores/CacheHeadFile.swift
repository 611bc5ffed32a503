import Foundation
import HTTPTypes

/// The content of the head file of a stored response.
///
/// The file begins with 8 bytes that identify the format and its version. The number of hits, the CRC-32 of the rest, and the
/// values follow. Numbers have 8 bytes in little-endian order. Texts and the bytes of field values are preceded by their
/// length.
struct CacheHeadFile: Equatable, Sendable {
    let key: CacheKey
    var response: CachedResponse
    let bodySize: Int64
    /// The CRC-32 of the body.
    let bodyChecksum: UInt32
    /// The number of times that the body was used.
    ///
    /// It is written in place, so the checksum does not cover it.
    var hits = 0

    /// The position of the number of hits.
    static let hitsOffset = off_t(magic.count)
    /// The first bytes of the file; the last of them is the version of the format.
    static let magic = Array("moyaC\r\n\u{01}".utf8)
    /// The maximum size of a file in bytes; a larger one is damaged.
    static let maximumSize = 1 << 20

    /// The bytes of the file.
    var bytes: [UInt8] {
        var serializer = Serializer()
        serializer.add(key.url)
        serializer.add(UInt64(truncatingIfNeeded: response.status))
        serializer.add(response.requestTime.bitPattern)
        serializer.add(response.responseTime.bitPattern)
        serializer.add(response.isDecoded ? 1 : 0)
        serializer.add(UInt64(bitPattern: bodySize))
        serializer.add(UInt64(bodyChecksum))
        serializer.add(optional: response.credentials)
        serializer.add(response.part == nil ? 0 : response.part?.completeLength == nil ? 1 : 2)
        if let part = response.part {
            serializer.add(UInt64(bitPattern: part.start))
            if let length = part.completeLength { serializer.add(UInt64(bitPattern: length)) }
        }
        serializer.add(UInt64(response.selectingFields.count))
        for (name, value) in response.selectingFields.sorted(by: { $0.key < $1.key }) {
            serializer.add(name)
            serializer.add(optional: value)
        }
        serializer.add(UInt64(response.headers.count))
        for field in response.headers {
            serializer.add(field.name.rawName)
            field.withUnsafeBytesOfValue { serializer.add($0) }
        }
        var checksum = CRC32()
        checksum.update(Data(serializer.bytes))
        var start = Serializer()
        start.add(UInt64(clamping: hits))
        start.add(UInt64(checksum.value))
        return Self.magic + start.bytes + serializer.bytes
    }

    init(key: CacheKey, response: CachedResponse, bodySize: Int64, bodyChecksum: UInt32) {
        self.key = key
        self.response = response
        self.bodySize = bodySize
        self.bodyChecksum = bodyChecksum
    }

    /// Reads a file; `nil` if it is damaged or has another format.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.magic) else { return nil }
        var parser = Parser(bytes: bytes.dropFirst(Self.magic.count))
        guard let hits = parser.number(), let expected = parser.number() else { return nil }
        var checksum = CRC32()
        checksum.update(Data(parser.bytes))
        guard UInt64(checksum.value) == expected, let url = parser.text(), let status = parser.number(),
            let requestTime = parser.number(), let responseTime = parser.number(), let isDecoded = parser.number(),
            let size = parser.number().map({ Int64(bitPattern: $0) }), size >= 0,
            let bodyChecksum = parser.number().flatMap({ UInt32(exactly: $0) }),
            let credentials = parser.optionalText(),
            let partKind = parser.number(), (100...999).contains(status)
        else { return nil }
        var part: CachedResponse.Part?
        if partKind > 0 {
            guard let start = parser.number().map({ Int64(bitPattern: $0) }), start >= 0 else { return nil }
            part = CachedResponse.Part(start: start, completeLength: nil)
            if partKind > 1 {
                guard let length = parser.number().map({ Int64(bitPattern: $0) }), length >= start else { return nil }
                part?.completeLength = length
            }
        }
        guard let selectingCount = parser.number() else { return nil }
        var selectingFields: [String: String?] = [:]
        // A damaged count must not cause more iterations than there are bytes.
        for _ in 0..<min(selectingCount, UInt64(bytes.count)) {
            guard let name = parser.text(), let value = parser.optionalText() else { return nil }
            selectingFields[name] = .some(value)
        }
        guard let count = parser.number() else { return nil }
        var headers = HTTPFields()
        for _ in 0..<min(count, UInt64(bytes.count)) {
            guard let name = parser.text().flatMap({ HTTPField.Name($0) }), let value = parser.value(),
                HTTPField.isValidValue(value)
            else { return nil }
            headers.append(HTTPField(name: name, value: value))
        }
        guard parser.bytes.isEmpty else { return nil }
        key = CacheKey(normalized: url)
        bodySize = size
        self.bodyChecksum = bodyChecksum
        // A value from the file must not overflow when hits are added.
        self.hits = Int(min(hits, UInt64(Int32.max / 2)))
        response = CachedResponse(
            status: Int(status),
            headers: headers,
            selectingFields: selectingFields,
            credentials: credentials,
            requestTime: Double(bitPattern: requestTime),
            responseTime: Double(bitPattern: responseTime),
            isDecoded: isDecoded != 0,
            part: part
        )
    }

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

    /// Reads values, each of which is `nil` if the bytes end before it.
    private struct Parser {
        var bytes: ArraySlice<UInt8>

        mutating func number() -> UInt64? {
            guard bytes.count >= 8 else { return nil }
            var number: UInt64 = 0
            for byte in bytes.prefix(8).reversed() { number = number << 8 | UInt64(byte) }
            bytes = bytes.dropFirst(8)
            return number
        }

        mutating func text() -> String? { value().flatMap { String(validUTF8: $0) } }

        mutating func value() -> ArraySlice<UInt8>? {
            guard let count = number(), count <= UInt64(bytes.count) else { return nil }
            defer { bytes = bytes.dropFirst(Int(count)) }
            return bytes.prefix(Int(count))
        }

        mutating func optionalText() -> String?? {
            guard let isPresent = number() else { return nil }
            guard isPresent != 0 else { return .some(nil) }
            return text().map { .some($0) }
        }
    }
}
