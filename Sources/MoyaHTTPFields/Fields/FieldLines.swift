import HTTPTypes

/// The field lines of an HTTP/1.1 head (RFC 9112, section 5) as bytes, until the fields are read.
///
/// Two texts for each field would be a large part of a small request's work, and most callers read no field. The bytes are a copy, so
/// that a few fields do not keep the buffer of a connection. Copies of the value convert the bytes once, and share the result.
struct FieldLines: Sendable {
    private enum Content: Sendable {
        /// The lines, in the form that the scan accepts.
        case bytes([UInt8])
        case fields(HTTPFields)
    }

    /// The names in the lines about which the scan keeps a record.
    let names: ScannedFieldNames
    private let content: Locked<Content>

    /// Scans the lines of a section up to its empty line, and copies them; `nil` if the empty line is missing, or if a line does not
    /// have the usual form.
    ///
    /// In the usual form, a line is a token, a colon, a value without control characters, and CR LF, and no line is a continuation.
    ///
    /// - Parameters:
    ///   - bytes: Received bytes.
    ///   - position: The position of the first line; after a scan, the position after the empty line.
    ///   - maximumCount: The maximum number of lines.
    ///   - reported: The names of fields whose values are reported.
    ///   - report: Called with a field's name and value.
    init?(
        scanning bytes: UnsafeRawBufferPointer,
        from position: inout Int,
        maximumCount: Int,
        reporting reported: ScannedFieldNames,
        to report: (ScannedFieldNames, UnsafeRawBufferPointer) -> Void
    ) {
        let start = position
        let scanned = Self.isTokenByte.withUnsafeBufferPointer { isTokenByte -> (end: Int, names: ScannedFieldNames)? in
            let size = bytes.count
            var (next, names, count) = (start, ScannedFieldNames(), 0)
            while next + 1 < size {
                if bytes[next] == 0x0D { return bytes[next + 1] == 0x0A ? (next, names) : nil }
                let name = next
                while next < size, isTokenByte[Int(bytes[next])] { next += 1 }
                guard next > name, next < size, bytes[next] == UInt8(ascii: ":") else { return nil }
                let known = ScannedFieldNames(of: UnsafeRawBufferPointer(rebasing: bytes[name..<next]))
                let value = next + 1
                next = bytes.firstControlCharacter(from: value)
                guard next + 2 < size, bytes[next] == 0x0D, bytes[next + 1] == 0x0A, !bytes[next + 2].isFieldSpace
                else { return nil }
                count += 1
                guard count <= maximumCount else { return nil }
                names.formUnion(known)
                if !known.isDisjoint(with: reported) {
                    report(known, UnsafeRawBufferPointer(rebasing: bytes[value..<next]).withoutOptionalWhitespace)
                }
                next += 2
            }
            return nil
        }
        guard let (end, names) = scanned else { return nil }
        position = end + 2
        self.names = names
        content = Locked(.bytes(UnsafeRawBufferPointer(rebasing: bytes[start..<end]).copied))
    }

    private static let isTokenByte = (0...255).map { UInt8($0).isToken }

    /// The fields, which are created when they are first read.
    var fields: HTTPFields {
        content.withLock { content in
            switch content {
            case .fields(let fields): return fields
            case .bytes(let bytes):
                let fields = bytes.withUnsafeBytes { Self.fields(of: $0) }
                content = .fields(fields)
                return fields
            }
        }
    }

    /// The number of bytes that are kept; `nil` if the fields have been created.
    var byteCount: Int? {
        content.withLock { content in
            if case .bytes(let bytes) = content { bytes.count } else { nil }
        }
    }

    private static func fields(of lines: UnsafeRawBufferPointer) -> HTTPFields {
        var (fields, start) = (HTTPFields(), 0)
        fields.reserveCapacity(16)
        while let colon = lines[start...].firstIndex(of: UInt8(ascii: ":")),
            let end = lines[colon...].firstIndex(of: 0x0D)
        {
            let name = UnsafeRawBufferPointer(rebasing: lines[start..<colon])
            // The scan has checked that the name is a token.
            if let name = KnownFieldNames.name(name) ?? HTTPField.Name(String(decoding: name, as: UTF8.self)) {
                let value = UnsafeRawBufferPointer(rebasing: lines[colon + 1..<end]).withoutOptionalWhitespace
                fields.append(HTTPField(name: name, value: value))
            }
            start = end + 2
        }
        return fields
    }
}

extension UnsafeRawBufferPointer {
    /// A copy of the bytes.
    fileprivate var copied: [UInt8] {
        // The initializer writes the count, which all empty arrays share.
        guard !isEmpty else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { copy, initializedCount in
            UnsafeMutableRawBufferPointer(copy).copyMemory(from: self)
            initializedCount = count
        }
    }

    /// Returns the position of the first control character after the spaces and tabs at a position, or the end of the bytes.
    fileprivate func firstControlCharacter(from start: Int) -> Int {
        var position = start
        while position < count, self[position].isFieldSpace { position += 1 }
        // Eight bytes at a time. The lowest mark belongs to the first control character, because a subtraction borrows only from the
        // bytes after one.
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highBits = ones &* 0x80
        while position + 8 <= count {
            let word = UInt64(littleEndian: loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let isBelowSpace = (word &- ones &* 0x20) & ~word
            let distance = word ^ ones &* 0x7F
            let isDelete = (distance &- ones) & ~distance
            let marks = (isBelowSpace | isDelete) & highBits
            if marks != 0 { return position + marks.trailingZeroBitCount / 8 }
            position += 8
        }
        while position < count, !self[position].isControlCharacter { position += 1 }
        return position
    }
}
