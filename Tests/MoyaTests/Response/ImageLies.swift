#if !canImport(UIKit) && !canImport(AppKit)
extension ImageSample {
    /// Images whose header has no valid size.
    static let lies = png + jpeg + gif + webp + bmp

    private static func png(_ name: String, _ chunks: [UInt8]...) -> ImageSample {
        ImageSample("PNG, \(name)", PNGBytes.file(Array(chunks.joined())))
    }

    private static let png: [ImageSample] = [
        png("width 0", PNGBytes.header(0, 3), PNGBytes.pixels(21)),
        png("height 0", PNGBytes.header(2, 0), PNGBytes.pixels(21)),
        png("width beyond 31 bits", PNGBytes.header(1 << 31, 1, depth: 1, color: 0)),
        png("a long header", PNGBytes.chunk("IHDR", .big(2, 4) + .big(3, 4) + [8, 2, 0, 0, 0, 0])),
        png("a short header", PNGBytes.chunk("IHDR", .big(2, 4) + .big(3, 4)), PNGBytes.pixels(21)),
        png("no header", PNGBytes.pixels(21)),
    ]

    private static func jpeg(_ name: String, _ segments: [UInt8]...) -> ImageSample {
        ImageSample("JPEG, \(name)", JPEGBytes.file(Array(segments.joined())))
    }

    private static let jpeg: [ImageSample] = [
        jpeg("width 0", JPEGBytes.frame(0, 3), JPEGBytes.scan),
        jpeg("height 0", JPEGBytes.frame(2, 0), JPEGBytes.scan),
        jpeg("no frame", JPEGBytes.segment(0xE0, [])),
        jpeg("a scan before the frame", JPEGBytes.scan, JPEGBytes.frame(2, 3)),
        jpeg("a segment of no length", [0xFF, 0xE0, 0, 0], JPEGBytes.frame(2, 3), JPEGBytes.scan),
        jpeg("a second beginning", [0xFF, 0xD8], JPEGBytes.frame(2, 3), JPEGBytes.scan),
        jpeg("only a preview inside", JPEGBytes.segment(0xE1, JPEGBytes.small)),
        jpeg("a frame that is a table", JPEGBytes.frame(2, 3, code: 0xC4), JPEGBytes.scan),
    ]

    private static let gif: [ImageSample] = [
        ImageSample("GIF, width 0", GIFBytes.screen(0, 3) + GIFBytes.frame(2, 3) + GIFBytes.trailer),
        ImageSample("GIF, height 0", GIFBytes.screen(2, 0) + GIFBytes.frame(2, 3) + GIFBytes.trailer),
    ]

    private static func webp(_ name: String, _ chunks: [UInt8]...) -> ImageSample {
        ImageSample("WebP, \(name)", WebPBytes.file(Array(chunks.joined())))
    }

    private static let webp: [ImageSample] = [
        webp("width 0", WebPBytes.lossy(0, 3)),
        webp("height 0", WebPBytes.lossy(2, 0)),
        webp("a first chunk of something else", WebPBytes.chunk("EXIF", [0, 0]), WebPBytes.lossy(2, 3)),
        webp("nothing"),
        webp("an unknown lossless signature", WebPBytes.chunk("VP8L", [0x2E, 1, 0, 0, 0])),
    ]

    private static func bmp(_ name: String, _ header: [UInt8]) -> ImageSample {
        ImageSample("BMP, \(name)", BMPBytes.file(header, colors: 0, pixels: 24))
    }

    private static let bmp: [ImageSample] = [
        bmp("width 0", BMPBytes.header(0, 3)),
        bmp("height 0", BMPBytes.header(2, 0)),
        bmp("a negative width", BMPBytes.header(-2, 3)),
        bmp("OS/2, width 0", BMPBytes.core(0, 3)),
    ]
}
#endif
