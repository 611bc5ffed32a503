// swift-format-ignore-file
@_exported import AppleFoundation

open class NSImage: NSObject, @unchecked Sendable {
    public init?(data: Data) { nil }
    open var size: CGSize { .zero }
}
