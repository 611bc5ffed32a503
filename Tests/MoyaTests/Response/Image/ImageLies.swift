#if !canImport(UIKit) && !canImport(AppKit)
    extension ImageSample {
        /// Images of which one thing isn't true.
        static let lies = png + jpeg + gif + webp + bmp

        private static func png(_ name: String, _ chunks: [UInt8]...) -> ImageSample {
            ImageSample("PNG, \(name)", PNGBytes.file(Array(chunks.joined())))
        }

        private static let png: [ImageSample] = [
            png("width 0", PNGBytes.header(0, 3), PNGBytes.pixels(21)),
            png("height 0", PNGBytes.header(2, 0), PNGBytes.pixels(21)),
            png(
                "width beyond 31 bits",
                PNGBytes.header(1 << 31, 1, depth: 1, color: 0),
                PNGBytes.chunk("IDAT", Array(repeating: 0, count: 300_000))
            ),
            png(
                "a long header",
                PNGBytes.chunk("IHDR", .big(2, 4) + .big(3, 4) + [8, 2, 0, 0, 0, 0]),
                PNGBytes.pixels(21)
            ),
            png(
                "a size that overflows",
                PNGBytes.header(0x7FFF_FFFF, 0x7FFF_FFFF, depth: 16, color: 6),
                PNGBytes.pixels(21)
            ),
            png("more pixels than the data can stand for", PNGBytes.header(60_000, 60_000), PNGBytes.pixels(21)),
            png("an unknown colour type", PNGBytes.header(2, 3, color: 1), PNGBytes.pixels(21)),
            png("a depth that the colour type doesn't have", PNGBytes.header(2, 3, depth: 4), PNGBytes.pixels(21)),
            png("an unknown compression", PNGBytes.header(2, 3, method: [1, 0, 0]), PNGBytes.pixels(21)),
            png("an unknown filter", PNGBytes.header(2, 3, method: [0, 1, 0]), PNGBytes.pixels(21)),
            png("an unknown interlacing", PNGBytes.header(2, 3, method: [0, 0, 2]), PNGBytes.pixels(21)),
            png("no palette", PNGBytes.header(2, 3, color: 3), PNGBytes.pixels(9)),
            png("no header", PNGBytes.pixels(21)),
            png("two headers", PNGBytes.header(2, 3), PNGBytes.header(2, 3), PNGBytes.pixels(21)),
            png("no pixels", PNGBytes.header(2, 3)),
            png("a short header", PNGBytes.chunk("IHDR", .big(2, 4) + .big(3, 4)), PNGBytes.pixels(21)),
            png("a name of no letters", PNGBytes.header(2, 3), PNGBytes.chunk("a\0b1"), PNGBytes.pixels(21)),
            png("an end with data", PNGBytes.header(2, 3), PNGBytes.pixels(21), PNGBytes.chunk("IEND", [0])),
            png(
                "a chunk of 4 GB",
                PNGBytes.header(2, 3),
                Array(repeating: 0xFF, count: 4) + "IDAT".utf8,
                PNGBytes.pixels(21)
            ),
        ]

        private static func jpeg(_ name: String, _ segments: [UInt8]...) -> ImageSample {
            ImageSample("JPEG, \(name)", JPEGBytes.file(Array(segments.joined())))
        }

        private static let jpeg: [ImageSample] = [
            jpeg("width 0", JPEGBytes.frame(0, 3), JPEGBytes.scan),
            jpeg("height 0", JPEGBytes.frame(2, 0), JPEGBytes.scan),
            jpeg("no frame", JPEGBytes.segment(0xE0, [])),
            jpeg("no scan", JPEGBytes.frame(2, 3)),
            jpeg("a scan before the frame", JPEGBytes.scan, JPEGBytes.frame(2, 3)),
            jpeg("two frames", JPEGBytes.frame(2, 3), JPEGBytes.frame(4, 5), JPEGBytes.scan),
            jpeg("no components", JPEGBytes.frame(2, 3, components: []), JPEGBytes.scan),
            jpeg("a component without sampling", JPEGBytes.frame(2, 3, components: [1, 0, 0]), JPEGBytes.scan),
            jpeg("no bits", JPEGBytes.frame(2, 3, precision: 0), JPEGBytes.scan),
            jpeg(
                "a frame that is longer than it says",
                JPEGBytes.segment(0xC0, [8, 0, 3, 0, 2, 1, 1, 0x11, 0, 0]),
                JPEGBytes.scan
            ),
            jpeg("a scan of no components", JPEGBytes.frame(2, 3), JPEGBytes.segment(0xDA, [0, 0, 63, 0])),
            jpeg("a component with half a sampling", JPEGBytes.frame(2, 3, components: [1, 0x10, 0]), JPEGBytes.scan),
            jpeg("too much sampling", JPEGBytes.frame(2, 3, components: [1, 0x15, 0]), JPEGBytes.scan),
            jpeg("a second beginning with a length", [0xFF, 0xD8, 0, 2], JPEGBytes.frame(2, 3), JPEGBytes.scan),
            jpeg("a restart with a length", [0xFF, 0xD0, 0, 2], JPEGBytes.frame(2, 3), JPEGBytes.scan),
            jpeg(
                "a segment that is shorter than its length",
                [0xFF, 0xE0, 0, 1],
                JPEGBytes.frame(2, 3),
                JPEGBytes.scan
            ),
            jpeg("a segment of no length", JPEGBytes.frame(2, 3), [0xFF, 0xE0, 0, 0], JPEGBytes.scan),
            jpeg("a second beginning", [0xFF, 0xD8], JPEGBytes.frame(2, 3), JPEGBytes.scan),
            jpeg("a restart outside of a scan", [0xFF, 0xD0], JPEGBytes.frame(2, 3), JPEGBytes.scan),
            jpeg("only a preview inside", JPEGBytes.segment(0xE1, JPEGBytes.small)),
            jpeg("a frame that is a table", JPEGBytes.frame(2, 3, code: 0xC4), JPEGBytes.scan),
        ]

        private static let gif: [ImageSample] = [
            ImageSample("GIF, width 0", GIFBytes.screen(0, 3) + GIFBytes.frame(2, 3) + GIFBytes.trailer),
            ImageSample("GIF, height 0", GIFBytes.screen(2, 0) + GIFBytes.frame(2, 3) + GIFBytes.trailer),
            ImageSample("GIF, no frame", GIFBytes.screen(2, 3) + GIFBytes.comment + GIFBytes.trailer),
            ImageSample("GIF, a frame of width 0", GIFBytes.screen(2, 3) + GIFBytes.frame(0, 3) + GIFBytes.trailer),
            ImageSample("GIF, no bits", GIFBytes.screen(2, 3) + GIFBytes.frame(2, 3, codeSize: 0) + GIFBytes.trailer),
            ImageSample(
                "GIF, codes too long",
                GIFBytes.screen(2, 3) + GIFBytes.frame(2, 3, codeSize: 12) + GIFBytes.trailer
            ),
            ImageSample(
                "GIF, a frame without data",
                GIFBytes.screen(2, 3) + GIFBytes.frame(2, 3).dropLast(4) + [0] + GIFBytes.trailer
            ),
            ImageSample(
                "GIF, an unknown block",
                GIFBytes.screen(2, 3) + GIFBytes.frame(2, 3) + [0x99] + GIFBytes.trailer
            ),
            ImageSample("GIF, colours that aren't there", GIFBytes.small.replacing(at: 10, with: [0x87])),
        ]

        private static func webp(_ name: String, _ chunks: [UInt8]...) -> ImageSample {
            ImageSample("WebP, \(name)", WebPBytes.file(Array(chunks.joined())))
        }

        private static let still = WebPBytes.file(WebPBytes.lossy(2, 3))

        private static let webp: [ImageSample] = [
            webp("width 0", WebPBytes.lossy(0, 3)),
            webp("height 0", WebPBytes.lossy(2, 0)),
            webp("no key frame", WebPBytes.lossy(2, 3, tag: 1 << 4 | 1)),
            webp("a frame that isn't shown", WebPBytes.lossy(2, 3, tag: 0)),
            webp("an unknown version", WebPBytes.lossy(2, 3, tag: 1 << 4 | 7 << 1)),
            webp("a partition that isn't there", WebPBytes.lossy(2, 3, tag: 1 << 4 | 9 << 5)),
            webp("an unknown lossless version", WebPBytes.lossless(2, 3, version: 1)),
            webp("a canvas of another size", WebPBytes.canvas(4, 3), WebPBytes.lossy(2, 3)),
            webp("a canvas without an image", WebPBytes.canvas(2, 3)),
            webp("a canvas with two images", WebPBytes.canvas(2, 3), WebPBytes.lossy(2, 3), WebPBytes.lossless(2, 3)),
            webp("two canvases", WebPBytes.canvas(2, 3), WebPBytes.canvas(2, 3), WebPBytes.lossy(2, 3)),
            webp(
                "a canvas of too many pixels",
                WebPBytes.canvas(1 << 24, 1 << 24, flags: 2),
                WebPBytes.frame(2, 3, WebPBytes.lossy(2, 3))
            ),
            webp("frames and no animation", WebPBytes.canvas(2, 3), WebPBytes.frame(2, 3, WebPBytes.lossy(2, 3))),
            webp("an animation without frames", WebPBytes.canvas(2, 3, flags: 2)),
            webp(
                "a frame beside the canvas",
                WebPBytes.canvas(2, 3, flags: 2),
                WebPBytes.frame(2, 3, left: 2, WebPBytes.lossy(2, 3))
            ),
            webp(
                "a frame of another size",
                WebPBytes.canvas(8, 8, flags: 2),
                WebPBytes.frame(3, 3, WebPBytes.lossy(2, 3))
            ),
            webp("a frame without an image", WebPBytes.canvas(8, 8, flags: 2), WebPBytes.frame(3, 3, [])),
            webp("a first chunk of something else", WebPBytes.chunk("EXIF", [0, 0]), WebPBytes.lossy(2, 3)),
            webp("a chunk of 4 GB", WebPBytes.lossy(2, 3), "EXIF".utf8 + Array(repeating: 0xFF, count: 4)),
            webp("nothing"),
            webp(
                "a frame below the canvas",
                WebPBytes.canvas(8, 3, flags: 2),
                WebPBytes.frame(2, 3, top: 2, WebPBytes.lossy(2, 3))
            ),
            webp(
                "an animation with a still image",
                WebPBytes.canvas(2, 3, flags: 2),
                WebPBytes.lossy(2, 3),
                WebPBytes.frame(2, 3, WebPBytes.lossy(2, 3))
            ),
            webp("only a lossless header", WebPBytes.chunk("VP8L", [0x2F, 1, 0, 0, 0])),
            ImageSample("WebP, a length that is too small", still.replacing(at: 4, with: .little(still.count - 10, 4))),
            ImageSample("WebP, a length that is too large", still.replacing(at: 4, with: .little(still.count - 6, 4))),
            ImageSample("WebP, a length of 4 GB", still.replacing(at: 4, with: Array(repeating: 0xFF, count: 4))),
        ]

        private static func bmp(_ name: String, _ header: [UInt8], colors: Int = 0, pixels: Int = 24) -> ImageSample {
            ImageSample("BMP, \(name)", BMPBytes.file(header, colors: colors, pixels: pixels))
        }

        private static let bmp: [ImageSample] = [
            bmp("width 0", BMPBytes.header(0, 3)),
            bmp("height 0", BMPBytes.header(2, 0)),
            bmp("a negative width", BMPBytes.header(-2, 3)),
            bmp("the least height", BMPBytes.header(1, Int(Int32.min))),
            bmp("a size that overflows", BMPBytes.header(Int(Int32.max), Int(Int32.max))),
            bmp("pixels that aren't there", BMPBytes.header(2, 4)),
            bmp("rows that are not filled up", BMPBytes.header(2, 3), pixels: 18),
            bmp("a pixels' length that isn't there", BMPBytes.header(2, 3, pixels: 25)),
            bmp("no depth", BMPBytes.header(2, 3, bits: 0)),
            bmp("an unknown depth", BMPBytes.header(2, 3, bits: 7)),
            bmp("an unknown compression", BMPBytes.header(2, 3, compression: 9)),
            bmp("runs of the wrong depth", BMPBytes.header(2, 3, compression: 1)),
            bmp(
                "runs with the first row first",
                BMPBytes.header(2, -3, bits: 8, compression: 1, colors: 1),
                colors: 4
            ),
            bmp("a JPEG inside", BMPBytes.header(2, 3, bits: 0, compression: 4)),
            bmp("masks that aren't there", BMPBytes.header(2, 3, bits: 32, compression: 3)),
            bmp("colours that aren't there", BMPBytes.header(2, 3, bits: 8), colors: 1020),
            bmp("4 billion colours", BMPBytes.header(2, 3, bits: 8, colors: 0xFFFF_FFFF), colors: 1024),
            bmp("an unknown header", BMPBytes.header(2, 3, length: 41)),
            bmp("two planes", BMPBytes.core(2, 3, planes: 2)),
            bmp("OS/2, width 0", BMPBytes.core(0, 3)),
            bmp("OS/2, a depth that it doesn't have", BMPBytes.core(2, 3, bits: 16)),
            ImageSample("BMP, a length that is too small", BMPBytes.small.replacing(at: 2, with: .little(77, 4))),
            ImageSample("BMP, a length that is too large", BMPBytes.small.replacing(at: 2, with: .little(79, 4))),
            ImageSample("BMP, no length", BMPBytes.small.replacing(at: 2, with: .little(0, 4))),
            ImageSample("BMP, pixels inside of the header", BMPBytes.small.replacing(at: 10, with: .little(53, 4))),
            ImageSample("BMP, pixels behind the end", BMPBytes.small.replacing(at: 10, with: .little(79, 4))),
            ImageSample(
                "BMP, pixels at 4 GB",
                BMPBytes.small.replacing(at: 10, with: Array(repeating: 0xFF, count: 4))
            ),
        ]
    }
#endif
