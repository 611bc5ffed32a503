import TestSupport

/// A frame of HTTP/2, valid or not (RFC 9113, section 4.1).
struct FuzzFrame: Sendable {
    enum Stream: Sendable {
        /// The offset from the stream of the request.
        case request(offset: UInt32 = 0)
        case fixed(UInt32)
    }

    enum Kind: UInt8, CaseIterable {
        case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    static let endStream: UInt8 = 0x1
    static let acknowledgment: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4
    static let padded: UInt8 = 0x8
    static let hasPriority: UInt8 = 0x20

    var type: UInt8
    var flags: UInt8 = 0
    var stream = Stream.request()
    var payload: [UInt8] = []
    /// The declared length, if it is not the payload's.
    var declaredLength: Int?

    init(_ kind: Kind, flags: UInt8 = 0, stream: Stream = .request(), payload: [UInt8] = []) {
        type = kind.rawValue
        self.flags = flags
        self.stream = stream
        self.payload = payload
    }

    func append(to bytes: inout [UInt8], requestStream: UInt32) {
        let length = declaredLength ?? payload.count
        bytes.append(contentsOf: [UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)])
        bytes.append(contentsOf: [type, flags])
        switch stream {
        case .request(let offset): bytes.append(contentsOf: Self.bytes(requestStream &+ offset))
        case .fixed(let stream): bytes.append(contentsOf: Self.bytes(stream))
        }
        bytes.append(contentsOf: payload)
    }

    static func bytes(_ number: UInt32) -> [UInt8] {
        [UInt8(number >> 24), UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
    }

    static func settings(_ settings: [(UInt16, UInt32)]) -> FuzzFrame {
        FuzzFrame(
            .settings,
            stream: .fixed(0),
            payload: settings.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 0xFF)] + bytes($0.1) }
        )
    }

    /// Returns a frame for a wrong place or with unusual contents.
    static func strange(using random: inout SeededGenerator) -> FuzzFrame {
        let numbers: [UInt32] = [0, 1, 2, 3, 16_383, 16_384, 65_535, 1 << 24, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF]
        func number(_ random: inout SeededGenerator) -> UInt32 { numbers[random.below(numbers.count)] }
        let anyStream: Stream = random.one(
            of: .request(),
            .fixed(0),
            .fixed(2),
            .request(offset: 2),
            .fixed(0x7FFF_FFFF)
        )
        switch random.below(14) {
        case 0: return settings((0..<1 + random.below(4)).map { _ in (UInt16(random.below(8)), number(&random)) })
        case 1: return FuzzFrame(.windowUpdate, stream: anyStream, payload: bytes(number(&random)))
        case 2: return FuzzFrame(.reset, stream: anyStream, payload: bytes(UInt32(random.below(15))))
        case 3:
            let last = bytes(number(&random))
            return FuzzFrame(
                .goAway,
                stream: .fixed(0),
                payload: last + bytes(UInt32(random.below(15))) + random.bytes(4)
            )
        case 4: return FuzzFrame(.ping, flags: UInt8(random.below(2)), stream: .fixed(0), payload: random.bytes(8))
        case 5: return FuzzFrame(.continuation, flags: endHeaders, stream: anyStream, payload: [0x88])
        case 6: return FuzzFrame(.headers, flags: random.one(of: 0, 1), stream: anyStream, payload: [0x88])
        case 7: return FuzzFrame(.pushPromise, flags: endHeaders, stream: anyStream, payload: bytes(2) + [0x88])
        case 8:
            return FuzzFrame(.data, flags: padded, stream: anyStream, payload: [UInt8(random.below(256))] + [1, 2, 3])
        case 9:
            return FuzzFrame(
                .headers,
                flags: hasPriority | endHeaders,
                stream: anyStream,
                payload: random.bytes(random.below(8))
            )
        case 10: return FuzzFrame(.priority, stream: anyStream, payload: bytes(number(&random)) + [0])
        case 11: return FuzzFrame(.data, stream: anyStream)
        case 12: return FuzzFrame(.settings, flags: acknowledgment, stream: .fixed(0))
        default:
            var frame = FuzzFrame(
                .ping,
                flags: UInt8(random.below(256)),
                stream: anyStream,
                payload: random.bytes(random.below(40))
            )
            frame.type = UInt8(random.below(256))
            return frame
        }
    }

    mutating func mutate(using random: inout SeededGenerator) {
        switch random.below(8) {
        case 0: type = UInt8(random.below(random.oneIn(4) ? 256 : 10))
        case 1: flags ^= 1 << UInt8(random.below(8))
        case 2:
            stream = random.one(of: .fixed(0), .fixed(2), .fixed(1), .request(offset: 2), .request(offset: 0x7FFF_FFFE))
        case 3: declaredLength = random.one(of: 0, payload.count + 1, max(0, payload.count - 1), 16_385, 0xFF_FFFF)
        case 4: payload.removeLast(min(payload.count, 1 + random.below(10)))
        case 5: payload.append(contentsOf: random.bytes(1 + random.below(20)))
        default: ByteMutation(using: &random).apply(to: &payload)
        }
    }
}

/// A block of fields in HPACK (RFC 7541), valid or not.
struct HPACKBlock {
    var bytes: [UInt8] = []

    /// Adds a literal without Huffman code.
    mutating func add(_ name: String, _ value: String, isIndexed: Bool = false) {
        bytes.append(isIndexed ? 0x40 : 0)
        for text in [name, value] {
            Self.append(text.utf8.count, prefix: 7, to: &bytes)
            bytes.append(contentsOf: text.utf8)
        }
    }

    static func append(_ number: Int, prefix: Int, to bytes: inout [UInt8]) {
        let most = 1 << prefix - 1
        guard number >= most else { return bytes.append(UInt8(number)) }
        bytes.append(UInt8(most))
        var rest = number - most
        while rest >= 128 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Adds input that a decoder must refuse or survive.
    mutating func addGarbage(using random: inout SeededGenerator) {
        switch random.below(9) {
        case 0: bytes.append(0x80)  // Index 0.
        case 1: bytes.append(contentsOf: [0xFF, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01])
        case 2: bytes.append(contentsOf: [0xFE])  // An index beyond the tables.
        case 3: bytes.append(contentsOf: [0x3F, 0xFF, 0xFF, 0xFF, 0xFF, 0x07])  // A huge table.
        case 4: bytes.append(contentsOf: [0x00, 0x7F, 0xFF, 0xFF, 0xFF, 0x7F])  // A name longer than the block.
        case 5: bytes.append(contentsOf: [0x00, 0x81, 0xFF, 0x01, 0x61])  // Huffman padding that is too long.
        case 6: bytes.append(contentsOf: [0x00, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0x61])  // Huffman's EOS.
        case 7: bytes.append(contentsOf: [0x00, 0x00, 0x01, 0x61])  // An empty name.
        default: bytes.append(contentsOf: random.bytes(1 + random.below(40)))
        }
    }
}
