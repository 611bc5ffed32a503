#if !canImport(UIKit) && !canImport(AppKit)
import Foundation

extension Image {
    /// A raster image format that is detected by its first bytes.
    public enum Format: String, CaseIterable, Sendable {
        /// Portable Network Graphics, also animated ones (W3C PNG, third edition).
        case png
        /// JPEG: sequential, progressive or lossless (ITU-T T.81).
        case jpeg
        /// Graphics Interchange Format, of 1987 or 1989.
        case gif
        /// WebP: lossy, lossless or animated (RFC 9649).
        case webp
        /// Windows bitmap, with a header of OS/2 or of Windows 3 to 5.
        case bmp
    }
}

/// The signature of an image, and its size in pixels, from the first bytes of the data.
struct ImageHeader {
    let format: Image.Format
    let width: Int
    let height: Int

    /// Reads the header; `nil` if the format is unknown, or the size is missing or zero.
    init?(_ data: Data) {
        let bytes = Bytes(data)
        let found: (format: Image.Format, size: (width: Int, height: Int)?)
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            found = (.png, Self.png(bytes))
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            found = (.jpeg, Self.jpeg(bytes))
        } else if bytes.starts(with: Array("GIF87a".utf8)) || bytes.starts(with: Array("GIF89a".utf8)) {
            found = (.gif, Self.size(bytes.littleEndian(at: 6, count: 2), bytes.littleEndian(at: 8, count: 2)))
        } else if bytes.starts(with: Array("RIFF".utf8)), bytes.starts(with: Array("WEBP".utf8), at: 8) {
            found = (.webp, Self.webP(bytes))
        } else if bytes.starts(with: Array("BM".utf8)) {
            found = (.bmp, Self.bmp(bytes))
        } else {
            return nil
        }
        guard let size = found.size, size.width > 0, size.height > 0 else { return nil }
        (format, width, height) = (found.format, size.width, size.height)
    }

    private static func size(_ width: Int?, _ height: Int?) -> (width: Int, height: Int)? {
        guard let width, let height else { return nil }
        return (width, height)
    }

    /// Returns the size in the chunk IHDR, which is the first one and has 13 bytes.
    private static func png(_ bytes: Bytes) -> (width: Int, height: Int)? {
        guard bytes.bigEndian(at: 8, count: 4) == 13, bytes.starts(with: Array("IHDR".utf8), at: 12),
            let size = size(bytes.bigEndian(at: 16, count: 4), bytes.bigEndian(at: 20, count: 4)),
            max(size.width, size.height) <= Int32.max
        else { return nil }
        return size
    }

    /// Returns the size in the frame header (T.81, section B.2.2), which follows other segments.
    private static func jpeg(_ bytes: Bytes) -> (width: Int, height: Int)? {
        var position = 2
        while bytes.bigEndian(at: position, count: 1) == 0xFF,
            let marker = bytes.bigEndian(at: position + 1, count: 1)
        {
            switch marker {
            case 0xFF: position += 1
            case 0x01, 0xD0...0xD7: position += 2
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                return size(
                    bytes.bigEndian(at: position + 7, count: 2),
                    bytes.bigEndian(at: position + 5, count: 2)
                )
            case 0xD8...0xDA: return nil
            default:
                guard let length = bytes.bigEndian(at: position + 2, count: 2), length >= 2 else { return nil }
                position += 2 + length
            }
        }
        return nil
    }

    /// Returns the size in the first chunk (RFC 9649, sections 2.5 to 2.7, and RFC 6386, section 9.1).
    private static func webP(_ bytes: Bytes) -> (width: Int, height: Int)? {
        if bytes.starts(with: Array("VP8X".utf8), at: 12) {
            return size(
                bytes.littleEndian(at: 24, count: 3).map { $0 + 1 },
                bytes.littleEndian(at: 27, count: 3).map { $0 + 1 }
            )
        }
        if bytes.starts(with: Array("VP8L".utf8), at: 12) {
            guard bytes.littleEndian(at: 20, count: 1) == 0x2F, let bits = bytes.littleEndian(at: 21, count: 4)
            else { return nil }
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        }
        guard bytes.starts(with: Array("VP8 ".utf8), at: 12), bytes.starts(with: [0x9D, 0x01, 0x2A], at: 23) else {
            return nil
        }
        return size(
            bytes.littleEndian(at: 26, count: 2).map { $0 & 0x3FFF },
            bytes.littleEndian(at: 28, count: 2).map { $0 & 0x3FFF }
        )
    }

    /// Returns the size; a negative height means that the first row is the top one.
    private static func bmp(_ bytes: Bytes) -> (width: Int, height: Int)? {
        guard let header = bytes.littleEndian(at: 14, count: 4) else { return nil }
        if header == 12 { return size(bytes.littleEndian(at: 18, count: 2), bytes.littleEndian(at: 20, count: 2)) }
        guard (16...256).contains(header),
            let size = size(bytes.littleEndian(at: 18, count: 4), bytes.littleEndian(at: 22, count: 4))
        else {
            return nil
        }
        let height = Int(Int32(truncatingIfNeeded: size.height)).magnitude
        return (Int(Int32(truncatingIfNeeded: size.width)), Int(height))
    }

    /// Reads numbers and compares bytes in data; beyond its end the results are `nil` and false.
    private struct Bytes {
        private let data: Data

        init(_ data: Data) { self.data = data }

        func starts(with bytes: [UInt8], at offset: Int = 0) -> Bool { data.dropFirst(offset).starts(with: bytes) }

        func bigEndian(at offset: Int, count: Int) -> Int? {
            let bytes = data.dropFirst(offset).prefix(count)
            return bytes.count == count ? bytes.reduce(0) { $0 << 8 | Int($1) } : nil
        }

        func littleEndian(at offset: Int, count: Int) -> Int? {
            let bytes = data.dropFirst(offset).prefix(count)
            return bytes.count == count ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) } : nil
        }
    }
}
#endif
