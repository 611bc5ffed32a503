/// How often each nonce of a server was used: no two requests may have the same nonce and count (RFC 7616, section 3.4),
/// also if their credentials differ, since servers may give one nonce to all.
///
/// It remembers the nonces that were used last. A count of one that was forgotten begins again, which the server then calls
/// stale.
struct NonceCounts: Equatable, Sendable {
    struct Use: Equatable, Sendable {
        let nonce: String
        var count: UInt32 = 0
        /// Sessions (the algorithms that end in -sess) keep the client's nonce of their first request.
        let firstClientNonce: String
    }

    static let limit = 64
    /// The one used last stands last.
    private var uses: [Use] = []

    /// Counts one request more.
    mutating func next(nonce: String, clientNonce: String) -> Use {
        var use = Use(nonce: nonce, firstClientNonce: clientNonce)
        // Byte by byte: strings are also equal when only their meaning is.
        if let index = uses.firstIndex(where: { $0.nonce.utf8.elementsEqual(nonce.utf8) }) {
            use = uses.remove(at: index)
        }
        // After four thousand million requests it begins again.
        use.count = use.count == .max ? 1 : use.count + 1
        uses.append(use)
        if uses.count > Self.limit { uses.removeFirst() }
        return use
    }
}
