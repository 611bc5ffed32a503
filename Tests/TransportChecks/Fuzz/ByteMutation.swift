import TestSupport

/// One mutation of bytes; positions are taken modulo the length, so that it can be applied to any bytes.
struct ByteMutation: Sendable {
    enum Kind: Sendable { case flip, replace([UInt8]), insert([UInt8]), delete(Int), duplicate(Int), cut, swap(Int) }

    var kind: Kind
    var place: UInt64
    var bit: UInt8 = 0

    /// Bytes and texts with a meaning for HTTP parsers.
    static let interesting: [[UInt8]] =
        [
            "\0", "\r", "\n", "\r\n", "\r\n\r\n", ":", " ", "\t", ";", ",", "-1", "+5", "0x10", "00", "0\r\n\r\n",
            "99999999999999999999", "9223372036854775807", "9223372036854775808", "18446744073709551615",
            "FFFFFFFFFFFFFFFF",
            "7FFFFFFFFFFFFFFF", "HTTP/1.1 200 OK\r\n", "HTTP/2.0 200\r\n", "Content-Length: 3\r\n",
            "Content-Length: -3\r\n", "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip, chunked\r\n",
            "Content-Encoding: gzip\r\n", "Connection: close\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\n\r\n", "\"", "é", "\u{2028}",
        ].map { Array($0.utf8) } + [[0xFF], [0x80], [0xC0, 0x80], [0x7F], [0xFF, 0xFF, 0xFF, 0xFF]]

    init(using random: inout SeededGenerator) {
        place = random.next()
        bit = UInt8(random.below(8))
        switch random.below(10) {
        case 0...2: kind = .flip
        case 3: kind = .replace(Self.interesting[random.below(Self.interesting.count)])
        case 4: kind = .insert(Self.interesting[random.below(Self.interesting.count)])
        case 5: kind = .insert(random.bytes(1 + random.below(32)))
        case 6: kind = .delete(1 + random.below(24))
        case 7: kind = .duplicate(1 + random.below(64))
        case 8: kind = .cut
        default: kind = .swap(1 + random.below(16))
        }
    }

    func apply(to bytes: inout [UInt8]) {
        let place = Int(self.place % UInt64(bytes.count + 1))
        let rest = bytes.count - place
        switch kind {
        case .flip:
            if rest > 0 { bytes[place] ^= 1 << bit }
        case .replace(let new): bytes.replaceSubrange(place..<place + min(rest, new.count), with: new)
        case .insert(let new): bytes.insert(contentsOf: new, at: place)
        case .delete(let count): bytes.removeSubrange(place..<place + min(rest, count))
        case .duplicate(let count):
            bytes.insert(contentsOf: Array(bytes[place..<place + min(rest, count)]), at: place)
        case .cut: bytes.removeSubrange(place...)
        case .swap(let count):
            let size = min(count, rest / 2)
            for index in place..<place + size { bytes.swapAt(index, index + size) }
        }
    }
}

extension Array {
    /// Drops, repeats or exchanges elements.
    mutating func mutateOrder(using random: inout SeededGenerator) {
        guard !isEmpty else { return }
        let place = random.below(count)
        switch random.below(3) {
        case 0: remove(at: place)
        case 1: insert(self[place], at: random.below(count + 1))
        default: swapAt(place, random.below(count))
        }
    }
}
