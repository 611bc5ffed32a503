#if !canImport(UIKit) && !canImport(AppKit)
    /// The image that ``Response/mapImage()`` returns: Moya's own, as the platform has none.
    public typealias ImageType = Image
#endif
