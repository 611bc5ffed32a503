// swift-format-ignore-file
@_exported import AppleFoundation

open class NSImage: NSObject {
    public init?(data: Data) { nil }
    open var size: CGSize { .zero }
}

// NSImage is not `Sendable`, unlike UIImage.
@available(*, unavailable)
extension NSImage: Sendable {}
