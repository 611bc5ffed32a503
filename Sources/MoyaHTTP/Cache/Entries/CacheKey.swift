import Foundation

/// The key of cached responses: the URL of their request (RFC 9111, section 2).
///
/// Only responses to `GET` are stored, so the key does not contain the method. Scheme and host are in lowercase, the default port
/// of the scheme and the fragment are omitted, and an empty path is `/`.
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
        func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        return string(form.scheme).lowercased() + string(form.user) + string(form.host).lowercased()
            + (form.hasPath ? "" : "/") + string(form.rest)
    }

    /// The bytes of a URL compared with its normal form.
    private struct URLForm {
        /// Whether the URL is in normal form, as most URLs are.
        let isNormal: Bool
        /// The scheme, with `://`.
        let scheme: Range<Int>
        /// The user information, with `@`; empty if there is none.
        let user: Range<Int>
        /// Host and port, without a standard port.
        let host: Range<Int>
        /// Path and query.
        let rest: Range<Int>
        let hasPath: Bool

        /// Parses a URL; `nil` if it has no authority.
        init?(_ bytes: UnsafeBufferPointer<UInt8>) {
            let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
            guard let colon = bytes[..<end].firstIndex(of: UInt8(ascii: ":")),
                bytes[colon..<end].starts(with: "://".utf8)
            else { return nil }
            let start = colon + 3
            var index = start
            while index < end, bytes[index] != UInt8(ascii: "/"), bytes[index] != UInt8(ascii: "?") { index += 1 }
            rest = index..<end
            hasPath = index < end && bytes[index] == UInt8(ascii: "/")
            // `http:` and `https:`
            let port = colon == 4 ? ":80" : ":443"
            let hasStandardPort = bytes[start..<index].suffix(port.utf8.count).elementsEqual(port.utf8)
            scheme = 0..<start
            user = start..<(bytes[start..<index].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start)
            host = user.upperBound..<(hasStandardPort ? index - port.utf8.count : index)
            func isLowercase(_ range: Range<Int>) -> Bool {
                bytes[range].allSatisfy { !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            }
            isNormal =
                hasPath && !hasStandardPort && isLowercase(scheme) && isLowercase(host) && end == bytes.count
        }
    }
}
