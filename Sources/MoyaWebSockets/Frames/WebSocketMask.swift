/// The masking key of a frame, at a position in its payload (RFC 6455, section 5.3).
///
/// Masking and its removal are the same operation.
package struct WebSocketMask: Equatable, Sendable {
    /// The four bytes of the key, the first one in the lowest bits.
    private(set) var key: UInt32

    /// Creates a mask from a key whose first byte is in the lowest bits.
    package init(key: UInt32) { self.key = key }

    /// Creates a mask with a random key, which the application's data cannot predict (RFC 6455, section 10.3).
    package static func random(using generator: inout some RandomNumberGenerator) -> WebSocketMask {
        WebSocketMask(key: UInt32.random(in: .min ... .max, using: &generator))
    }

    /// The key at the beginning of the payload, as it is sent.
    package var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: key >> (8 * $0)) } }

    /// Masks bytes while it copies them, and moves to the position after them.
    ///
    /// The source and the destination may be the same memory. The destination must have room for the source.
    // Eight bytes at a time: byte by byte, a message of a MiB would take a millisecond.
    package mutating func apply(from source: UnsafeRawBufferPointer, to destination: UnsafeMutableRawBufferPointer) {
        let count = source.count
        guard count > 0, let input = source.baseAddress, let output = destination.baseAddress else { return }
        let wide = (UInt64(key) << 32 | UInt64(key)).littleEndian
        var index = 0
        while index &+ 8 <= count {
            let word = input.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            output.storeBytes(of: word ^ wide, toByteOffset: index, as: UInt64.self)
            index &+= 8
        }
        while index < count {
            let byte = input.load(fromByteOffset: index, as: UInt8.self)
            let mask = UInt8(truncatingIfNeeded: key &>> UInt32(8 * (index & 3)))
            output.storeBytes(of: byte ^ mask, toByteOffset: index, as: UInt8.self)
            index &+= 1
        }
        advance(by: count)
    }

    /// Moves to the position after a number of bytes.
    mutating func advance(by count: Int) {
        let shift = UInt32(8 * (count & 3))
        guard shift > 0 else { return }
        key = key >> shift | key << (32 - shift)
    }
}
