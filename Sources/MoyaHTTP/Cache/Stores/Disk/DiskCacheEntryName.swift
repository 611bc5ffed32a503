/// The name of an entry, with which the names of its files begin: the hash of its key and its identifier.
///
/// The entries of a key are found by its hash.
struct DiskCacheEntryName: Hashable, Sendable {
    /// The kinds of files, by the end of their names.
    enum Kind: String {
        case head = ".head"
        case body = ".body"
        /// A file that is being written.
        case temporary = ".tmp"
    }

    let hash: UInt64
    let id: CacheEntry.ID

    init(hash: UInt64, id: CacheEntry.ID) {
        self.hash = hash
        self.id = id
    }

    /// Reads the name of a head file.
    init?(head name: String) {
        guard name.utf8.count == 38, name.hasSuffix(Kind.head.rawValue) else { return nil }
        let numbers = name.dropLast(5).split(separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 2, let hash = UInt64(numbers[0], radix: 16), let id = UInt64(numbers[1], radix: 16)
        else {
            return nil
        }
        self.init(hash: hash, id: CacheEntry.ID(rawValue: id))
        guard fileName(.head) == name else { return nil }
    }

    func path(in folder: String, _ kind: Kind) -> String {
        "\(folder)/\(DiskCacheShard(of: hash).name)/\(fileName(kind))"
    }

    /// Returns the name of a file.
    func fileName(_ kind: Kind) -> String {
        "\(Self.hexadecimal(hash))-\(Self.hexadecimal(id.rawValue))\(kind.rawValue)"
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    static func hash(of key: CacheKey) -> UInt64 {
        SHA256.hash(key.url).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
