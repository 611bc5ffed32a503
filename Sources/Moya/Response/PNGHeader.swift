import Foundation

/// Reads PNG (W3C PNG, third edition).
enum PNGHeader {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The allowed bit depths for each color type (section 11.2.1).
    private static let depths: [UInt8: [UInt8]] = [
        0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]
    private static let channels: [UInt8: Int] = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]

    /// Reads the chunks up to the end chunk, and ignores what follows it, as decoders do.
    static func readSize(_ cursor: inout ImageCursor) throws(ImageFault) -> ImageSize {
        try cursor.skip(signature.count)
        let first = try Chunk(&cursor)
        guard first.type == "IHDR" else { throw .contradiction }
        let header = try Header(first.data)
        var compressed = 0
        var hasPalette = false
        while true {
            let chunk = try Chunk(&cursor)
            switch chunk.type {
            case "IHDR": throw .contradiction
            case "PLTE": hasPalette = true
            case "IDAT": compressed += chunk.data.count
            case "IEND":
                guard chunk.data.isEmpty, hasPalette || !header.needsPalette else { throw .contradiction }
                // One byte of deflate expands to at most 1032 bytes (RFC 1951: 258 bytes for two one-bit codes).
                guard header.byteCount / 1032 < compressed else { throw .contradiction }
                return header.size
            default: break
            }
        }
    }

    private struct Header {
        let size: ImageSize
        let byteCount: Int
        let needsPalette: Bool

        init(_ data: Data) throws(ImageFault) {
            guard data.count == 13 else { throw .contradiction }
            var cursor = ImageCursor(data)
            let width = try cursor.bigEndian(4)
            let height = try cursor.bigEndian(4)
            let depth = try cursor.byte()
            let color = try cursor.byte()
            let compression = try cursor.byte()
            let filter = try cursor.byte()
            let interlace = try cursor.byte()
            guard width <= Int32.max, height <= Int32.max, compression == 0, filter == 0, interlace <= 1,
                let channels = channels[color], depths[color]?.contains(depth) == true
            else { throw .contradiction }
            size = try ImageSize(width: width, height: height)
            byteCount = try size.byteCount(bitsPerPixel: channels * Int(depth))
            needsPalette = color == 3
        }
    }

    private struct Chunk {
        let type: String
        let data: Data

        init(_ cursor: inout ImageCursor) throws(ImageFault) {
            let length = try cursor.bigEndian(4)
            let name = try cursor.take(4)
            guard name.allSatisfy({ 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 }) else { throw .contradiction }
            data = try cursor.take(length)
            let expected = try cursor.take(4)
            var checksum = CRC32()
            checksum.update(name)
            checksum.update(data)
            guard withUnsafeBytes(of: checksum.value.bigEndian, { expected.elementsEqual($0) }) else {
                throw .contradiction
            }
            type = String(decoding: name, as: UTF8.self)
        }
    }
}
