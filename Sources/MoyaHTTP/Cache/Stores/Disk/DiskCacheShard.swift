/// A folder of a cache's directory, with the entries whose hashes begin with the same byte.
///
/// A lookup reads the file names of one shard instead of the whole directory.
struct DiskCacheShard: Hashable, Sendable {
    let number: UInt8

    init(_ number: UInt8) { self.number = number }

    /// The shard of the entries with a hash.
    init(of hash: UInt64) { number = UInt8(hash >> 56) }

    /// The name of its folder.
    var name: String { (number < 16 ? "0" : "") + String(number, radix: 16) }

    static var all: [DiskCacheShard] { (UInt8.min...UInt8.max).map { DiskCacheShard($0) } }
}
