import Foundation

extension URL {
    /// The URL with the scheme `http` in place of `ws`, and `https` in place of `wss`, whose requests are the same (RFC 6455, section 3);
    /// other URLs are unchanged.
    package var withHTTPScheme: URL {
        let text = absoluteString
        guard let colon = text.firstIndex(of: ":") else { return self }
        let scheme: String
        switch text[..<colon].lowercased() {
        case "ws": scheme = "http"
        case "wss": scheme = "https"
        default: return self
        }
        return URL(strictly: scheme + text[colon...]) ?? self
    }
}
