// swift-format-ignore-file
@_exported import AppleFoundation

open class UIImage: NSObject, @unchecked Sendable {
    public init?(data: Data) { nil }
    open var size: CGSize { .zero }
}
