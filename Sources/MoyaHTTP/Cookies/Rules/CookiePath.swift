import Foundation

/// The rules for cookie paths (RFC 6265bis, section 5.1.4).
///
/// Paths are compared byte by byte, without decoding.
enum CookiePath {
    /// Returns the default path of a cookie, from the path of the request.
    static func defaultPath(for path: String) -> String {
        let slash = UInt8(ascii: "/")
        guard path.utf8.first == slash, let end = path.utf8.lastIndex(of: slash), end > path.startIndex else {
            return "/"
        }
        return String(path[..<end])
    }

    /// Returns whether a request's path is the cookie's path or below it.
    static func matches(_ requestPath: String, _ cookiePath: String) -> Bool {
        let request = requestPath.utf8
        let cookie = cookiePath.utf8
        guard request.starts(with: cookie) else { return false }
        return request.count == cookie.count || cookie.last == UInt8(ascii: "/")
            || request.dropFirst(cookie.count).first == UInt8(ascii: "/")
    }
}
