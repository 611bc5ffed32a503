/// Reads JPEG (ITU-T T.81, annex B).
enum JPEGHeader {
    private static let startOfImage: UInt8 = 0xD8
    private static let endOfImage: UInt8 = 0xD9
    private static let startOfScan: UInt8 = 0xDA
    private static let restarts: ClosedRange<UInt8> = 0xD0...0xD7
    /// The frame markers: baseline, extended, progressive, lossless, and the hierarchical or arithmetic variants.
    private static let frames: Set<UInt8> = Set(0xC0...0xCF).subtracting([0xC4, 0xC8, 0xCC])

    /// Reads the segments up to the end marker.
    ///
    /// What follows it is ignored, as decoders do: cameras append videos.
    static func readSize(_ cursor: inout ImageCursor) throws(ImageFault) -> ImageSize {
        guard try marker(&cursor) == startOfImage else { throw .contradiction }
        var size: ImageSize?
        var hasScan = false
        while true {
            let code = try marker(&cursor)
            switch code {
            case endOfImage:
                guard let size, hasScan else { throw .contradiction }
                return size
            case startOfImage, restarts, 0x00...0x01:
                throw .contradiction
            case _ where frames.contains(code):
                guard size == nil else { throw .contradiction }
                size = try readFrame(&cursor)
            case startOfScan:
                guard size != nil else { throw .contradiction }
                try readScan(&cursor)
                hasScan = true
            default:
                // Segments are skipped by their length, so that an embedded preview is not taken for the image.
                _ = try segment(&cursor)
            }
        }
    }

    private static func marker(_ cursor: inout ImageCursor) throws(ImageFault) -> UInt8 {
        guard try cursor.byte() == 0xFF else { throw .contradiction }
        var code = try cursor.byte()
        // Fill bytes (B.1.1.2).
        while code == 0xFF { code = try cursor.byte() }
        return code
    }

    private static func segment(_ cursor: inout ImageCursor) throws(ImageFault) -> ImageCursor {
        // The length counts itself.
        let length = try cursor.bigEndian(2) - 2
        return ImageCursor(try cursor.take(length))
    }

    /// Reads a frame header (B.2.2).
    private static func readFrame(_ cursor: inout ImageCursor) throws(ImageFault) -> ImageSize {
        var segment = try segment(&cursor)
        guard 2...16 ~= (try segment.byte()) else { throw .contradiction }
        let height = try segment.bigEndian(2)
        let width = try segment.bigEndian(2)
        let components = Int(try segment.byte())
        guard components > 0, segment.remaining == components * 3 else { throw .contradiction }
        for _ in 0..<components {
            try segment.skip(1)
            let sampling = try segment.byte()
            guard 1...4 ~= sampling >> 4, 1...4 ~= sampling & 0xF else { throw .contradiction }
            try segment.skip(1)
        }
        // A height of 0 means that it follows the first scan (B.2.5), which is not used in practice.
        return try ImageSize(width: width, height: height)
    }

    /// Reads a scan header (B.2.3) and the coded data up to the next marker that is not a restart marker.
    private static func readScan(_ cursor: inout ImageCursor) throws(ImageFault) {
        var segment = try segment(&cursor)
        let components = Int(try segment.byte())
        guard 1...4 ~= components, segment.remaining == components * 2 + 3 else { throw .contradiction }
        while true {
            try cursor.skip(to: 0xFF)
            var ahead = cursor
            let code = try marker(&ahead)
            guard code == 0x00 || restarts ~= code else { return }
            cursor = ahead
        }
    }
}
