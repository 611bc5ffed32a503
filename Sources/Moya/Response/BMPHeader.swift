/// Reads Windows bitmaps (Microsoft's BITMAPFILEHEADER and the headers that may follow it).
enum BMPHeader {
    private static let fileHeaderLength = 14
    /// The length of the OS/2 header; the others are Windows 3, with masks for three or four channels, Windows 4 and
    /// 5.
    private static let coreLength = 12
    private static let lengths: Set<Int> = [coreLength, 40, 52, 56, 108, 124]

    /// Reads the headers, and checks that color table and pixels are present and that the file length is correct.
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
        // A header without fields for masks is followed by three or four of them.
        let masks = length == 40 ? header.compression.masksLength : 0
        let colors = start - fileHeaderLength - length - masks
        guard colors >= 0, header.colorCount <= colors / (length == coreLength ? 3 : 4) else {
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

        /// The allowed numbers of bits per pixel.
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
        /// The length of the pixel data according to the header; 0 if unspecified.
        let declaredLength: Int
        let colorCount: Int

        init(core cursor: inout ImageCursor) throws(ImageFault) {
            size = try ImageSize(width: cursor.littleEndian(2), height: cursor.littleEndian(2))
            let planes = try cursor.littleEndian(2)
            bitsPerPixel = try cursor.littleEndian(2)
            guard planes == 1, [1, 4, 8, 24].contains(bitsPerPixel) else { throw .contradiction }
            compression = .none
            declaredLength = 0
            colorCount = bitsPerPixel <= 8 ? 1 << bitsPerPixel : 0
        }

        init(_ cursor: inout ImageCursor) throws(ImageFault) {
            let width = try cursor.littleEndianSigned()
            let height = try cursor.littleEndianSigned()
            // With a negative height the first row is the uppermost; such images are not compressed. Int32.min cannot
            // be negated where Int has 32 bits.
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
            colorCount = used == 0 && bitsPerPixel <= 8 ? 1 << bitsPerPixel : used
        }

        /// Returns the minimum length of the pixel data in bytes.
        func pixelLength() throws(ImageFault) -> Int {
            // Two bytes of run-length data can skip to the end.
            guard !compression.isInRuns else { return 2 }
            return try size.byteCount(bitsPerPixel: bitsPerPixel, rowMultiple: 4)
        }
    }
}
