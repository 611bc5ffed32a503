/// Reads Windows bitmaps (Microsoft's BITMAPFILEHEADER and the headers that may follow it).
enum BMPHeader {
    private static let fileHeaderLength = 14
    /// OS/2; Windows 3, and with masks for three or four channels; Windows 4 and 5.
    private static let coreLength = 12
    private static let lengths: Set<Int> = [coreLength, 40, 52, 56, 108, 124]

    /// Reads the headers, and checks that colours and pixels are there; the file's length is the data's.
    static func readSize(_ cursor: inout ImageCursor) throws(ImageFault) -> ImageSize {
        let count = cursor.remaining
        try cursor.skip(2)
        let declared = try cursor.littleEndian(4)
        guard declared == count else { throw .contradiction }
        try cursor.skip(4)
        let start = try cursor.littleEndian(4)
        let length = try cursor.littleEndian(4)
        guard lengths.contains(length) else { throw .contradiction }
        var rest = ImageCursor(try cursor.take(length - 4))
        let header = length == coreLength ? try Header(core: &rest) : try Header(&rest)
        // Three masks follow a header that has no place for them, or four.
        let masks = length == 40 ? header.compression.masksLength : 0
        let colours = start - fileHeaderLength - length - masks
        guard colours >= 0, header.colourCount <= colours / (length == coreLength ? 3 : 4) else {
            throw .contradiction
        }
        let pixels = try header.pixelLength()
        guard pixels <= count - start, header.declaredLength <= count - start else { throw .cutOff }
        return header.size
    }

    private enum Compression: Int {
        case none, runs8, runs4, masks
        case masksWithAlpha = 6

        var masksLength: Int {
            switch self {
            case .none, .runs8, .runs4: 0
            case .masks: 12
            case .masksWithAlpha: 16
            }
        }

        var isInRuns: Bool { self == .runs8 || self == .runs4 }

        /// The bits that a pixel can have.
        var depths: Set<Int> {
            switch self {
            case .none: [1, 4, 8, 16, 24, 32]
            case .runs8: [8]
            case .runs4: [4]
            case .masks, .masksWithAlpha: [16, 32]
            }
        }
    }

    private struct Header {
        let size: ImageSize
        let bitsPerPixel: Int
        let compression: Compression
        /// The pixels' bytes as the header says them; 0 where it doesn't.
        let declaredLength: Int
        let colourCount: Int

        init(core cursor: inout ImageCursor) throws(ImageFault) {
            size = try ImageSize(width: cursor.littleEndian(2), height: cursor.littleEndian(2))
            let planes = try cursor.littleEndian(2)
            bitsPerPixel = try cursor.littleEndian(2)
            guard planes == 1, [1, 4, 8, 24].contains(bitsPerPixel) else { throw .contradiction }
            compression = .none
            declaredLength = 0
            colourCount = bitsPerPixel <= 8 ? 1 << bitsPerPixel : 0
        }

        init(_ cursor: inout ImageCursor) throws(ImageFault) {
            let width = try cursor.littleEndianSigned()
            let height = try cursor.littleEndianSigned()
            // A negative height says that the first row is the uppermost; such rows are not compressed. The least number
            // has no counterpart where an Int has 32 bits.
            guard height != Int(Int32.min) else { throw .contradiction }
            size = try ImageSize(width: width, height: abs(height))
            let planes = try cursor.littleEndian(2)
            bitsPerPixel = try cursor.littleEndian(2)
            guard planes == 1, let compression = Compression(rawValue: try cursor.littleEndian(4)),
                compression.depths.contains(bitsPerPixel), height > 0 || !compression.isInRuns
            else { throw .contradiction }
            self.compression = compression
            declaredLength = try cursor.littleEndian(4)
            // The resolution.
            try cursor.skip(8)
            let used = try cursor.littleEndian(4)
            colourCount = used == 0 && bitsPerPixel <= 8 ? 1 << bitsPerPixel : used
        }

        /// The bytes that the pixels have at least.
        func pixelLength() throws(ImageFault) -> Int {
            // Runs can skip to the end at once, with two bytes.
            guard !compression.isInRuns else { return 2 }
            return try size.byteCount(bitsPerPixel: bitsPerPixel, rowMultiple: 4)
        }
    }
}
