import Foundation

/// Reads WebP (RFC 9649).
enum WebPHeader {
    /// Reads the container's chunks, which must fill the data exactly.
    static func readSize(_ cursor: inout ImageCursor) throws(ImageFault) -> ImageSize {
        try cursor.skip(4)
        let length = try cursor.littleEndian(4)
        guard length == cursor.remaining else { throw .contradiction }
        try cursor.skip(4)
        var first = try Chunk(&cursor)
        switch first.type {
        case "VP8 ", "VP8L":
            let size = try bitstreamSize(&first)
            while cursor.remaining > 0 { _ = try Chunk(&cursor) }
            return size
        case "VP8X":
            return try readExtended(&first.content, &cursor)
        default:
            throw .contradiction
        }
    }

    private struct Chunk {
        let type: String
        var content: ImageCursor

        init(_ cursor: inout ImageCursor) throws(ImageFault) {
            type = String(decoding: try cursor.take(4), as: UTF8.self)
            let length = try cursor.littleEndian(4)
            content = ImageCursor(try cursor.take(length))
            // Chunks are padded to an even length.
            try cursor.skip(length % 2)
        }
    }

    /// Reads the canvas (section 2.7.1), and checks the image or at least one frame on it.
    private static func readExtended(
        _ header: inout ImageCursor,
        _ cursor: inout ImageCursor
    ) throws(ImageFault) -> ImageSize {
        guard header.remaining == 10 else { throw .contradiction }
        let isAnimated = try header.byte() & 0x02 != 0
        try header.skip(3)
        let canvas = try ImageSize(width: header.littleEndian(3) + 1, height: header.littleEndian(3) + 1)
        guard UInt64(canvas.width) * UInt64(canvas.height) <= UInt32.max else { throw .contradiction }
        var images = 0
        while cursor.remaining > 0 {
            var chunk = try Chunk(&cursor)
            switch chunk.type {
            case "VP8X":
                throw .contradiction
            case "VP8 ", "VP8L":
                guard !isAnimated, try bitstreamSize(&chunk) == canvas else { throw .contradiction }
                images += 1
            case "ANMF":
                guard isAnimated else { throw .contradiction }
                try readFrame(&chunk.content, on: canvas)
                images += 1
            default:
                break
            }
        }
        guard isAnimated ? images > 0 : images == 1 else { throw .contradiction }
        return canvas
    }

    /// Reads a frame of an animation (section 2.7.1.1).
    private static func readFrame(_ cursor: inout ImageCursor, on canvas: ImageSize) throws(ImageFault) {
        let left = try cursor.littleEndian(3) * 2
        let top = try cursor.littleEndian(3) * 2
        let size = try ImageSize(width: cursor.littleEndian(3) + 1, height: cursor.littleEndian(3) + 1)
        guard left + size.width <= canvas.width, top + size.height <= canvas.height else { throw .contradiction }
        // The duration and the blending method.
        try cursor.skip(4)
        while cursor.remaining > 0 {
            var chunk = try Chunk(&cursor)
            guard ["VP8 ", "VP8L"].contains(chunk.type) else { continue }
            guard try bitstreamSize(&chunk) == size else { throw .contradiction }
            return
        }
        throw .contradiction
    }

    private static func bitstreamSize(_ chunk: inout Chunk) throws(ImageFault) -> ImageSize {
        chunk.type == "VP8L" ? try losslessSize(&chunk.content) : try lossySize(&chunk.content)
    }

    /// Reads the size from the frame header of VP8 (RFC 6386, section 9.1).
    private static func lossySize(_ cursor: inout ImageCursor) throws(ImageFault) -> ImageSize {
        let tag = try cursor.littleEndian(3)
        let isKeyFrame = tag & 1 == 0
        let version = tag >> 1 & 0x07
        let isShown = tag >> 4 & 1 == 1
        guard isKeyFrame, version <= 3, isShown else { throw .contradiction }
        guard try cursor.take(3).elementsEqual([0x9D, 0x01, 0x2A]) else { throw .contradiction }
        // The upper two bits are for scaling, which WebP readers ignore.
        let size = try ImageSize(width: cursor.littleEndian(2) & 0x3FFF, height: cursor.littleEndian(2) & 0x3FFF)
        guard tag >> 5 <= cursor.remaining else { throw .cutOff }
        return size
    }

    /// Reads the size from the header of the lossless bitstream (RFC 9649, section 3.4).
    private static func losslessSize(_ cursor: inout ImageCursor) throws(ImageFault) -> ImageSize {
        guard try cursor.byte() == 0x2F else { throw .contradiction }
        let bits = try UInt32(cursor.littleEndian(2)) | UInt32(cursor.littleEndian(2)) << 16
        let version = bits >> 29
        guard version == 0, cursor.remaining > 0 else { throw .contradiction }
        return try ImageSize(width: Int(bits & 0x3FFF) + 1, height: Int(bits >> 14 & 0x3FFF) + 1)
    }
}
