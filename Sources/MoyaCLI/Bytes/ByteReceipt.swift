/// What somebody says of bytes that they have got.
struct ByteReceipt: Codable, Equatable, Sendable {
    /// How many there were.
    var bytes: Int64
    /// How many of them were the pattern's, from its beginning on and in one row.
    var content: Int64
}
