#if !canImport(UIKit) && !canImport(AppKit)
/// The image that ``Response/mapImage()`` returns: Moya's ``Image``, because the platform has no image type.
public typealias ImageType = Image
#endif
