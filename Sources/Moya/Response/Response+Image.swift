import Foundation

extension Response {
    /// Returns the data as an image: `UIImage` or `NSImage` where the platform has one, otherwise ``Image``.
    ///
    /// - Throws: ``MoyaError/imageMapping(_:)`` if the data is not an image; with Moya's own ``Image`` also if it is
    ///   cut off or inconsistent.
    public func mapImage() throws(MoyaError) -> Image {
        guard let image = Image(data: data) else { throw .imageMapping(self) }
        return image
    }
}
