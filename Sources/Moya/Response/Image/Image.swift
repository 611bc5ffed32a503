import Foundation

#if canImport(UIKit)
    import UIKit

    /// The platform's image.
    public typealias ImageType = UIImage
    /// The platform's image. In a file that imports SwiftUI, whose views include an `Image`, write `Moya.Image` or
    /// ``ImageType``.
    public typealias Image = ImageType
#elseif canImport(AppKit)
    import AppKit

    /// The platform's image.
    public typealias ImageType = NSImage
    /// The platform's image. In a file that imports SwiftUI, whose views include an `Image`, write `Moya.Image` or
    /// ``ImageType``.
    public typealias Image = ImageType
#else
    /// An image as it was sent: its format, size and bytes.
    ///
    /// It stands where the platform has no image type of its own. Nothing is decompressed: the pixels are for a library
    /// that decodes them. What the format says about itself is checked, so that a file that was cut off, or whose sizes
    /// or checksums contradict its bytes, is no image.
    public struct Image: Equatable, Sendable {
        /// The format, as the first bytes say it; a name or a content type has no part in it.
        public let format: Format
        /// The width in pixels; at least 1.
        public let width: Int
        /// The height in pixels; at least 1.
        public let height: Int
        /// The bytes, as they were given.
        public let data: Data

        /// Reads an image's header, and checks that the image is whole.
        ///
        /// `nil` if the data is none of the formats, is cut off, or contradicts itself.
        public init?(data: Data) {
            guard let format = Format(signatureOf: data), let size = try? format.readSize(of: data) else { return nil }
            self.format = format
            width = size.width
            height = size.height
            self.data = data
        }
    }
#endif
