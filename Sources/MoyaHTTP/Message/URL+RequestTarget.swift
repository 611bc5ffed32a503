import Foundation

extension URL {
    /// The request target: path and query as in the request line, without the fragment (RFC 9112, section 3.2.1).
    var requestTarget: String {
        var text = absoluteString
        return text.withUTF8 { bytes in
            var start = 0
            if let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) {
                start = colon + 3
            }
            let isEnd = { (byte: UInt8) in
                byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
            }
            guard let path = bytes[start...].firstIndex(where: isEnd) else { return "/" }
            let end = bytes[path...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
            let target = String(decoding: bytes[path..<end], as: UTF8.self)
            return bytes[path] == UInt8(ascii: "/") ? target : "/\(target)"
        }
    }
}
