/// Reads GIF (Compuserve's specifications of 1987 and 1989).
enum GIFHeader {
    /// Reads the blocks up to the trailer, and ignores what follows it, as decoders do.
    static func readSize(_ cursor: inout ImageCursor) throws(ImageFault) -> ImageSize {
        try cursor.skip(6)
        let size = try ImageSize(width: cursor.littleEndian(2), height: cursor.littleEndian(2))
        let flags = try cursor.byte()
        // Background color and pixel aspect ratio.
        try cursor.skip(2)
        try skipColors(flags, &cursor)
        var hasFrame = false
        while true {
            switch try cursor.byte() {
            case 0x21:
                try cursor.skip(1)
                try skipBlocks(&cursor)
            case 0x2C:
                try readFrame(&cursor)
                hasFrame = true
            case 0x3B:
                guard hasFrame else { throw .contradiction }
                return size
            default:
                throw .contradiction
            }
        }
    }

    private static func readFrame(_ cursor: inout ImageCursor) throws(ImageFault) {
        // The position. Frames may be larger than the screen: decoders crop or enlarge.
        try cursor.skip(4)
        _ = try ImageSize(width: cursor.littleEndian(2), height: cursor.littleEndian(2))
        try skipColors(cursor.byte(), &cursor)
        // The initial code size in bits.
        guard 1...8 ~= (try cursor.byte()) else { throw .contradiction }
        guard try skipBlocks(&cursor) > 0 else { throw .contradiction }
    }

    /// Skips a color table, if the flags declare one.
    private static func skipColors(_ flags: UInt8, _ cursor: inout ImageCursor) throws(ImageFault) {
        guard flags & 0x80 != 0 else { return }
        try cursor.skip(3 << (Int(flags & 0x07) + 1))
    }

    /// Skips data blocks up to the one of length 0, and returns the number of bytes.
    @discardableResult
    private static func skipBlocks(_ cursor: inout ImageCursor) throws(ImageFault) -> Int {
        var count = 0
        while true {
            let length = Int(try cursor.byte())
            guard length > 0 else { return count }
            try cursor.skip(length)
            count += length
        }
    }
}
