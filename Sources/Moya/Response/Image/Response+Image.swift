import Foundation

extension Response {
    /// The data as an image: `UIImage` or `NSImage` where the platform has it, and otherwise ``Image``, which has the
    /// format, the size in pixels and the data.
    ///
    /// - Throws: ``MoyaError/imageMapping(_:)`` if the data is no image; where ``Image`` is Moya's own, also if it is cut
    ///   off or contradicts itself.
    public func mapImage() throws -> Image {
        guard let image = Image(data: data) else { throw MoyaError.imageMapping(self) }
        return image
    }
}
