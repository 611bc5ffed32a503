/// A receiver's report of the bytes that it received.
struct ByteReceipt: Codable, Equatable, Sendable {
    /// The number of bytes.
    var bytes: Int64
    /// The number of bytes that match the pattern, from its beginning on and without a gap.
    var content: Int64
}
