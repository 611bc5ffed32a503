import Foundation

/// The reason why data is not an image.
enum ImageFault: Error, Equatable {
    /// The data ends before the image does.
    case cutOff
    /// The data contradicts its format, or itself.
    case contradiction
}

/// An image's width and height in pixels; both are at least 1.
struct ImageSize: Equatable, Sendable {
    let width: Int
    let height: Int

    init(width: Int, height: Int) throws(ImageFault) {
        guard width > 0, height > 0 else { throw .contradiction }
        self.width = width
        self.height = height
    }

    /// Returns the number of bytes of all rows, each of which is padded to a multiple of bytes.
    func byteCount(bitsPerPixel: Int, rowMultiple: Int = 1) throws(ImageFault) -> Int {
        let (bits, isTooWide) = width.multipliedReportingOverflow(by: bitsPerPixel)
        guard !isTooWide else { throw .contradiction }
        let rowBits = rowMultiple * 8
        let (row, isRowTooLong) = (bits / rowBits + (bits % rowBits == 0 ? 0 : 1))
            .multipliedReportingOverflow(by: rowMultiple)
        let (bytes, isTooHigh) = row.multipliedReportingOverflow(by: height)
        guard !isRowTooLong, !isTooHigh else { throw .contradiction }
        return bytes
    }
}

/// Reads data from its front, with bounds checks.
struct ImageCursor {
    private var rest: Data

    init(_ data: Data) { rest = data }

    var remaining: Int { rest.count }

    /// Returns the next bytes without copying them; fails if `count` is negative.
    mutating func take(_ count: Int) throws(ImageFault) -> Data {
        guard count >= 0, count <= rest.count else { throw .cutOff }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func skip(_ count: Int) throws(ImageFault) { _ = try take(count) }

    mutating func byte() throws(ImageFault) -> UInt8 {
        guard let byte = rest.popFirst() else { throw .cutOff }
        return byte
    }

    /// Returns the next bytes as a number, most significant byte first.
    mutating func bigEndian(_ count: Int) throws(ImageFault) -> Int { try number(take(count)) }

    /// Returns the next bytes as a number, least significant byte first.
    mutating func littleEndian(_ count: Int) throws(ImageFault) -> Int { try number(take(count).reversed()) }

    /// Returns the next four bytes as a signed number, least significant byte first.
    mutating func littleEndianSigned() throws(ImageFault) -> Int {
        let unsigned = try take(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Int(Int32(bitPattern: unsigned))
    }

    /// Skips the bytes before the next one with the given value.
    mutating func skip(to byte: UInt8) throws(ImageFault) {
        let distance = rest.withUnsafeBytes { $0.firstIndex(of: byte) }
        guard let distance else { throw .cutOff }
        try skip(distance)
    }

    private func number(_ bytes: some Sequence<UInt8>) throws(ImageFault) -> Int {
        let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // An Int may have 32 bits.
        guard let number = Int(exactly: number) else { throw .contradiction }
        return number
    }
}
