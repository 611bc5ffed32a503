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
/// The image that ``Response/mapImage()`` returns: Moya's ``Image``, because the platform has no image type.
public typealias ImageType = Image

/// An undecoded image: its format, size and bytes.
///
/// It is used where the platform has no image type. Its signature and its size are read, and its pixels are not.
public struct Image: Equatable, Sendable {
    /// The format according to the first bytes, regardless of file name and content type.
    public let format: Format
    /// The width in pixels; at least 1.
    public let width: Int
    /// The height in pixels; at least 1.
    public let height: Int
    /// The bytes of the file.
    public let data: Data
    /// The width and height in points, which are pixels here.
    public var size: CGSize { CGSize(width: width, height: height) }

    /// Creates an image from the bytes of a file; `nil` if the format is unknown, or the size is missing or zero.
    public init?(data: Data) {
        guard let header = ImageHeader(data) else { return nil }
        (format, width, height) = (header.format, header.width, header.height)
        self.data = data
    }
}
#endif
