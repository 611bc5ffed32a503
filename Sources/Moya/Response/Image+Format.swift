import Foundation

#if !canImport(UIKit) && !canImport(AppKit)
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

    extension Image.Format {
        /// Creates the format whose signature the data begins with.
        init?(signatureOf data: Data) {
            if data.starts(with: PNGHeader.signature) {
                self = .png
            } else if data.starts(with: [0xFF, 0xD8, 0xFF]) {
                self = .jpeg
            } else if data.starts(with: Data("GIF87a".utf8)) || data.starts(with: Data("GIF89a".utf8)) {
                self = .gif
            } else if data.starts(with: Data("RIFF".utf8)), data.dropFirst(8).starts(with: Data("WEBP".utf8)) {
                self = .webp
            } else if data.starts(with: Data("BM".utf8)) {
                self = .bmp
            } else {
                return nil
            }
        }

        /// Returns the size of an image of this format, after reading it from beginning to end.
        func readSize(of data: Data) throws(ImageFault) -> ImageSize {
            var cursor = ImageCursor(data)
            return switch self {
            case .png: try PNGHeader.readSize(&cursor)
            case .jpeg: try JPEGHeader.readSize(&cursor)
            case .gif: try GIFHeader.readSize(&cursor)
            case .webp: try WebPHeader.readSize(&cursor)
            case .bmp: try BMPHeader.readSize(&cursor)
            }
        }
    }
#endif
