import Foundation

/// The bytes that no part of a multipart body may contain: two hyphens and the boundary (RFC 2046, section 5.1.1).
///
/// Receivers end a part there. Parts are searched only for a boundary that the application chose, because a random one does not
/// occur in any content.
package struct MultipartDelimiter: Hashable, Sendable {
    let boundary: String
    private let bytes: [UInt8]
    /// For each number of matching bytes, the number of bytes that still match if the next byte does not (Knuth, Morris and Pratt).
    private let fallbacks: [Int]

    init(boundary: String) {
        self.boundary = boundary
        let bytes = Array("--\(boundary)".utf8)
        var fallbacks = [0, 0]
        for end in 1..<bytes.count {
            var length = fallbacks[end]
            while length > 0, bytes[length] != bytes[end] { length = fallbacks[length] }
            fallbacks.append(bytes[length] == bytes[end] ? length + 1 : 0)
        }
        self.bytes = bytes
        self.fallbacks = fallbacks
    }

    /// Returns whether an occurrence of the delimiter ends in these bytes.
    ///
    /// - Parameters:
    ///   - content: The next bytes of a part.
    ///   - matched: The number of bytes of the delimiter at the end of the earlier bytes; updated.
    /// - Returns: Whether an occurrence ends in the bytes.
    func isFound(in content: UnsafeRawBufferPointer, matched: inout Int) -> Bool {
        for byte in content {
            while matched > 0, bytes[matched] != byte { matched = fallbacks[matched] }
            if bytes[matched] == byte { matched += 1 }
            if matched == bytes.count { return true }
        }
        return false
    }

    /// Returns whether the delimiter occurs in the bytes.
    func isFound(in content: Data) -> Bool {
        var matched = 0
        return content.withUnsafeBytes { isFound(in: $0, matched: &matched) }
    }
}
