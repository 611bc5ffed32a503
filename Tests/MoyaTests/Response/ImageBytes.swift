/// Functions that compose the bytes of test images.
extension [UInt8] {
    static func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }

    static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// Returns a copy in which other bytes replace those from a position on.
    func replacing(at position: Int, with bytes: [UInt8]) -> [UInt8] {
        var result = self
        result.replaceSubrange(position..<position + bytes.count, with: bytes)
        return result
    }
}

/// The parts of PNG.
enum PNGBytes {
    static let signature: [UInt8] = [0x89] + "PNG\r\n".utf8 + [0x1A, 0x0A]

    static func chunk(_ name: String, _ data: [UInt8] = []) -> [UInt8] {
        .big(data.count, 4) + name.utf8 + data + .big(Int(checksum(Array(name.utf8) + data)), 4)
    }

    static func header(
        _ width: Int,
        _ height: Int,
        depth: UInt8 = 8,
        color: UInt8 = 2,
        method: [UInt8] = [0, 0, 0]
    ) -> [UInt8] {
        chunk("IHDR", .big(width, 4) + .big(height, 4) + [depth, color] + method)
    }

    /// Pixels that are all 0, stored without compression.
    static func pixels(_ count: Int) -> [UInt8] {
        let size = .little(count, 2) + .little(~count, 2)
        // The last four bytes are the Adler-32 checksum of zeros.
        return chunk("IDAT", [0x78, 0x01, 0x01] + size + Array(repeating: 0, count: count) + .big(count << 16 | 1, 4))
    }

    static func file(_ chunks: [UInt8]...) -> [UInt8] { signature + chunks.joined() + chunk("IEND") }

    /// An image with color pixels in two columns and three rows.
    static let small = file(header(2, 3), pixels(21))

    /// Returns the CRC-32 of bytes, computed bit by bit without a table.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { state, byte in
            (0..<8).reduce(state ^ UInt32(byte)) { state, _ in state >> 1 ^ (state & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }
}

/// The parts of JPEG.
enum JPEGBytes {
    static func segment(_ code: UInt8, _ data: [UInt8]) -> [UInt8] { [0xFF, code] + .big(data.count + 2, 2) + data }

    static func frame(
        _ width: Int,
        _ height: Int,
        code: UInt8 = 0xC0,
        precision: UInt8 = 8,
        components: [UInt8] = [1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
    ) -> [UInt8] {
        segment(code, [precision] + .big(height, 2) + .big(width, 2) + [UInt8(components.count / 3)] + components)
    }

    /// A scan with a stuffed byte, a restart and fill bytes in its encoded data.
    static let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56, 0xFF]

    static func file(_ segments: [UInt8]...) -> [UInt8] { [0xFF, 0xD8] + segments.joined() + [0xFF, 0xD9] }

    static let small = file(segment(0xE0, Array("JFIF\0".utf8)), frame(2, 3), scan)
}

/// The parts of GIF.
enum GIFBytes {
    static func screen(_ width: Int, _ height: Int, version: String = "89a", flags: UInt8 = 0x80) -> [UInt8] {
        let colors = flags & 0x80 == 0 ? 0 : 6 << Int(flags & 7)
        return "GIF\(version)".utf8 + .little(width, 2) + .little(height, 2) + [flags, 0, 0]
            + Array(repeating: 0, count: colors)
    }

    static func frame(_ width: Int, _ height: Int, flags: UInt8 = 0, codeSize: UInt8 = 2) -> [UInt8] {
        let colors = flags & 0x80 == 0 ? 0 : 6 << Int(flags & 7)
        return [0x2C, 0, 0, 0, 0] + .little(width, 2) + .little(height, 2) + [flags]
            + Array(repeating: 0, count: colors) + [codeSize, 2, 0x44, 0x01, 0]
    }

    static let comment: [UInt8] = [0x21, 0xFE, 2, 0x3B, 0x3B, 0]
    static let trailer: [UInt8] = [0x3B]
    static let small = screen(2, 3) + comment + frame(2, 3) + trailer
}

/// The parts of WebP.
enum WebPBytes {
    static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        name.utf8 + .little(data.count, 4) + data + Array(repeating: 0, count: data.count % 2)
    }

    static func lossy(_ width: Int, _ height: Int, tag: Int = 2 << 5 | 1 << 4) -> [UInt8] {
        chunk("VP8 ", .little(tag, 3) + [0x9D, 0x01, 0x2A] + .little(width, 2) + .little(height, 2) + [0, 0, 0])
    }

    static func lossless(_ width: Int, _ height: Int, version: Int = 0) -> [UInt8] {
        chunk("VP8L", [0x2F] + .little(width - 1 | (height - 1) << 14 | version << 29, 4) + [0])
    }

    static func canvas(_ width: Int, _ height: Int, flags: UInt8 = 0) -> [UInt8] {
        chunk("VP8X", [flags, 0, 0, 0] + .little(width - 1, 3) + .little(height - 1, 3))
    }

    static func frame(_ width: Int, _ height: Int, left: Int = 0, top: Int = 0, _ image: [UInt8]) -> [UInt8] {
        let position = .little(left / 2, 3) + .little(top / 2, 3)
        return chunk("ANMF", position + .little(width - 1, 3) + .little(height - 1, 3) + [0, 0, 0, 0] + image)
    }

    static func file(_ chunks: [UInt8]...) -> [UInt8] {
        let content = "WEBP".utf8 + Array(chunks.joined())
        return "RIFF".utf8 + .little(content.count, 4) + content
    }

    static let animated = file(canvas(8, 6, flags: 2), chunk("ANIM", [0, 0, 0, 0, 0, 0]), frame(2, 3, lossy(2, 3)))
}

/// The parts of Windows bitmaps.
enum BMPBytes {
    static func file(_ header: [UInt8], colors: Int = 0, pixels: Int) -> [UInt8] {
        let start = 14 + header.count + colors
        return "BM".utf8 + .little(start + pixels, 4) + [0, 0, 0, 0] + .little(start, 4) + header
            + Array(repeating: 0, count: colors + pixels)
    }

    static func core(_ width: Int, _ height: Int, bits: Int = 24, planes: Int = 1) -> [UInt8] {
        .little(12, 4) + .little(width, 2) + .little(height, 2) + .little(planes, 2) + .little(bits, 2)
    }

    static func header(
        _ width: Int,
        _ height: Int,
        length: Int = 40,
        bits: Int = 24,
        compression: Int = 0,
        pixels: Int = 0,
        colors: Int = 0
    ) -> [UInt8] {
        let start = .little(length, 4) + .little(width, 4) + .little(height, 4) + .little(1, 2) + .little(bits, 2)
        let end = .little(compression, 4) + .little(pixels, 4) + .little(0, 8) + .little(colors, 4) + .little(0, 4)
        return start + end + Array(repeating: 0, count: max(0, length - 40))
    }

    static let small = file(header(2, 3), pixels: 24)
}
