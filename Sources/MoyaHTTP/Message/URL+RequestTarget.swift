import Foundation

extension URL {
    /// Path and query as they stand in a request's first line (RFC 9112, section 3.2.1): all that comes after the authority,
    /// without the fragment.
    var requestTarget: String {
        let text = absoluteString
        let bytes = text.utf8
        var start = bytes.startIndex
        if let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) {
            start = bytes.index(colon, offsetBy: 3)
        }
        let isEnd: (UInt8) -> Bool = { [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
        guard let path = bytes[start...].firstIndex(where: isEnd) else { return "/" }
        let end = bytes[path...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        let target = text[path..<end]
        return bytes[path] == UInt8(ascii: "/") ? String(target) : "/\(target)"
    }
}
