#if !canImport(UIKit) && !canImport(AppKit)
import Foundation
import Moya
import Testing

/// The bytes of an image, with a name.
struct ImageSample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) {
        testDescription = name
        self.bytes = bytes
    }

    var response: Response { Response(statusCode: 200, data: Data(bytes)) }

    /// Images of each format, with each kind of header.
    static let images: [(ImageSample, Image.Format, Int, Int)] =
        [
            (ImageSample("PNG", PNGBytes.small), .png, 2, 3),
            (
                ImageSample(
                    "PNG with a palette",
                    PNGBytes.file(
                        PNGBytes.header(9, 2, depth: 1, color: 3, method: [0, 0, 1]),
                        PNGBytes.chunk("PLTE", [0, 0, 0]),
                        PNGBytes.pixels(6)
                    )
                ), .png, 9, 2
            ),
            (
                ImageSample("PNG, large", PNGBytes.file(PNGBytes.header(1000, 700), PNGBytes.pixels(9999))), .png,
                1000, 700
            ),
            (ImageSample("JPEG", JPEGBytes.small), .jpeg, 2, 3),
            (
                ImageSample(
                    "progressive JPEG",
                    JPEGBytes.file(JPEGBytes.frame(640, 480, code: 0xC2), JPEGBytes.scan, JPEGBytes.scan)
                ),
                .jpeg, 640, 480
            ),
            (
                ImageSample(
                    "JPEG with a preview inside",
                    JPEGBytes.file(
                        JPEGBytes.segment(0xE1, JPEGBytes.small),
                        JPEGBytes.frame(65_535, 1),
                        JPEGBytes.scan
                    )
                ),
                .jpeg, 65_535, 1
            ),
            (ImageSample("GIF89a", GIFBytes.small), .gif, 2, 3),
            (
                ImageSample(
                    "GIF87a",
                    GIFBytes.screen(65_535, 258, version: "87a", flags: 0) + GIFBytes.frame(1, 1, flags: 0x87)
                        + GIFBytes.trailer
                ),
                .gif, 65_535, 258
            ),
            (
                ImageSample(
                    "animated GIF",
                    GIFBytes.screen(4, 5) + GIFBytes.frame(2, 2) + GIFBytes.frame(9, 9) + GIFBytes.trailer
                ),
                .gif, 4, 5
            ),
            (ImageSample("lossy WebP", WebPBytes.file(WebPBytes.lossy(2, 3))), .webp, 2, 3),
            (
                ImageSample("lossy WebP to be scaled", WebPBytes.file(WebPBytes.lossy(2 | 1 << 14, 3 | 3 << 14))),
                .webp, 2, 3
            ),
            (ImageSample("lossless WebP", WebPBytes.file(WebPBytes.lossless(16_384, 3))), .webp, 16_384, 3),
            (
                ImageSample(
                    "extended WebP",
                    WebPBytes.file(
                        WebPBytes.canvas(2, 3, flags: 0x10),
                        WebPBytes.chunk("ALPH", [0]),
                        WebPBytes.lossy(2, 3),
                        WebPBytes.chunk("EXIF", [1])
                    )
                ),
                .webp, 2, 3
            ),
            (ImageSample("animated WebP", WebPBytes.animated), .webp, 8, 6),
            (ImageSample("BMP", BMPBytes.small), .bmp, 2, 3),
            (
                ImageSample("BMP of OS/2", BMPBytes.file(BMPBytes.core(9, 2, bits: 1), colors: 6, pixels: 8)),
                .bmp, 9, 2
            ),
            (ImageSample("BMP, first row first", BMPBytes.file(BMPBytes.header(2, -3), pixels: 24)), .bmp, 2, 3),
            (
                ImageSample(
                    "BMP with masks",
                    BMPBytes.file(BMPBytes.header(2, 3, bits: 16, compression: 3), colors: 12, pixels: 12)
                ), .bmp, 2, 3
            ),
            (
                ImageSample(
                    "BMP in runs",
                    BMPBytes.file(
                        BMPBytes.header(200, 300, bits: 8, compression: 1, pixels: 4, colors: 2),
                        colors: 8,
                        pixels: 4
                    )
                ), .bmp, 200, 300
            ),
        ]
        + [52, 56, 108, 124].map { length in
            (
                ImageSample(
                    "BMP with \(length) bytes",
                    BMPBytes.file(BMPBytes.header(2, 3, length: length, bits: 32), pixels: 24)
                ), .bmp, 2, 3
            )
        }
}
#endif
