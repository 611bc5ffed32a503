@_exported import AppleFoundation

open class UIImage: NSObject, @unchecked Sendable {
    public init?(data: Data) { nil }
}
