// swift-format-ignore-file
public enum Insecure {
    public struct SHA1Digest: Sequence, Sendable {
        let bytes: [UInt8]
        public func makeIterator() -> AnyIterator<UInt8> { AnyIterator(bytes.makeIterator()) }
    }
    public enum SHA1 {
        /// Returns bytes of the length of a hash, without hashing.
        public static func hash(data: [UInt8]) -> SHA1Digest {
            SHA1Digest(bytes: Array((data + Array(repeating: 0, count: 20)).prefix(20)))
        }
    }
}
