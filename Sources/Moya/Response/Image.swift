import Foundation

#if canImport(UIKit)
    import UIKit

    /// The platform's image.
    public typealias ImageType = UIImage
    /// The platform's image.
    ///
    /// In a file that imports SwiftUI, which also declares an `Image`, write `Moya.Image` or ``ImageType``.
    public typealias Image = ImageType
#elseif canImport(AppKit)
    import AppKit

    /// The platform's image.
    public typealias ImageType = NSImage
    /// The platform's image.
    ///
    /// In a file that imports SwiftUI, which also declares an `Image`, write `Moya.Image` or ``ImageType``.
    public typealias Image = ImageType
#else
    /// An undecoded image: its format, size and bytes.
    ///
    /// It is used where the platform has no image type. The pixels are not decompressed. The file's structure is
    /// checked, so that data that is cut off, or whose sizes or checksums contradict its bytes, is rejected.
    public struct Image: Equatable, Sendable {
        /// The format according to the first bytes, regardless of file name and content type.
        public let format: Format
        /// The width in pixels; at least 1.
        public let width: Int
        /// The height in pixels; at least 1.
        public let height: Int
        /// The bytes of the file.
        public let data: Data

        /// Creates an image after reading its header and checking that it is complete.
        ///
        /// The result is `nil` if the format is unknown, or the data is cut off or inconsistent.
        public init?(data: Data) {
            guard let format = Format(signatureOf: data), let size = try? format.readSize(of: data) else { return nil }
            self.format = format
            width = size.width
            height = size.height
            self.data = data
        }
    }
#endif
