import Foundation

/// The key of cached responses: the URL of their request (RFC 9111, section 2).
///
/// Only responses to `GET` are stored, so the key does not contain the method. Scheme and host are in lowercase; the default port
/// of the scheme and the fragment are omitted.
public struct CacheKey: Hashable, Sendable {
    /// The normalized URL.
    public let url: String

    /// Creates a key from the normalized URL of another key, for stores.
    package init(normalized url: String) { self.url = url }

    /// Creates the key of a URL.
    public init(_ url: URL) { self.init(normalized: Self.normalized(url)) }

    private static func normalized(_ url: URL) -> String {
        var text = url.absoluteString
        guard let form = text.withUTF8({ URLForm($0) }), !form.isNormal else { return text }
        let bytes = Array(text.utf8)
        let head = String(decoding: bytes[..<form.headEnd], as: UTF8.self).lowercased()
        let rest = String(decoding: bytes[form.rest], as: UTF8.self)
        return "\(head)\(form.hasPath ? "" : "/")\(rest)"
    }

    /// The bytes of a URL compared with its normal form.
    private struct URLForm {
        /// Whether the URL is in normal form, as most URLs are.
        let isNormal: Bool
        /// The end of scheme, host and port, without a standard port.
        let headEnd: Int
        /// Path and query.
        let rest: Range<Int>
        let hasPath: Bool

        /// Parses a URL; `nil` if it has no authority.
        init?(_ bytes: UnsafeBufferPointer<UInt8>) {
            let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
            guard let colon = bytes[..<end].firstIndex(of: UInt8(ascii: ":")),
                bytes[colon..<end].starts(with: "://".utf8)
            else { return nil }
            var index = colon + 3
            while index < end, bytes[index] != UInt8(ascii: "/"), bytes[index] != UInt8(ascii: "?") { index += 1 }
            rest = index..<end
            hasPath = index < end && bytes[index] == UInt8(ascii: "/")
            // `http:` and `https:`
            let port = colon == 4 ? ":80" : ":443"
            let hasStandardPort = bytes[colon + 3..<index].suffix(port.utf8.count).elementsEqual(port.utf8)
            headEnd = hasStandardPort ? index - port.utf8.count : index
            let isLowercase = bytes[..<index].allSatisfy { !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            isNormal = hasPath && !hasStandardPort && isLowercase && end == bytes.count
        }
    }
}
