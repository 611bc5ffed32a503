// swift-format-ignore-file
public enum Insecure {
    public struct SHA1Digest: Sequence, Sendable {
        public func makeIterator() -> AnyIterator<UInt8> { fatalError() }
    }
    public enum SHA1 {
        public static func hash(data: [UInt8]) -> SHA1Digest { fatalError() }
    }
}
