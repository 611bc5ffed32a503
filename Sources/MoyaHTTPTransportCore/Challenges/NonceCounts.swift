/// A generator of client nonces for Digest.
package enum ClientNonce {
    /// Returns 128 random bits as hexadecimal digits.
    @Sendable package static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
    }
}

/// The use counts of a server's nonces.
///
/// No two requests may have the same nonce and count (RFC 7616, section 3.4), even with different credentials,
/// since a server may send the same nonce to all.
///
/// Only the most recently used nonces are kept. The count of a removed nonce starts again, and the server responds
/// with `stale`.
struct NonceCounts: Equatable, Sendable {
    struct Use: Equatable, Sendable {
        let nonce: String
        var count: UInt32 = 0
        /// The client nonce of the first request, which `-sess` algorithms keep.
        let firstClientNonce: String
    }

    static let limit = 64
    /// The uses, from the least to the most recent.
    private var uses: [Use] = []

    /// Increments the count of a nonce and returns its use.
    mutating func next(nonce: String, clientNonce: String) -> Use {
        var use = Use(nonce: nonce, firstClientNonce: clientNonce)
        // Compares bytes, since strings are equal if they are canonically equivalent.
        if let index = uses.firstIndex(where: { $0.nonce.utf8.elementsEqual(nonce.utf8) }) {
            use = uses.remove(at: index)
        }
        // The count wraps around after 2^32 - 1 requests.
        use.count = use.count == .max ? 1 : use.count + 1
        uses.append(use)
        if uses.count > Self.limit { uses.removeFirst() }
        return use
    }
}
