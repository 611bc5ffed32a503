#if Observability
import MoyaHTTP

/// The value of `network.protocol.version`: `1.0`, `1.1`, `2` or `3`.
enum ProtocolVersion {
    /// Returns the value for a version such as `HTTP/1.1`; `nil` if it is unknown.
    static func of(_ httpVersion: String?) -> String? {
        guard let httpVersion else { return nil }
        switch httpVersion {
        case "HTTP/1.1": return "1.1"
        case "HTTP/2", "HTTP/2.0": return "2"
        case "HTTP/3": return "3"
        case "HTTP/1.0": return "1.0"
        default: return httpVersion.hasPrefix("HTTP/") ? String(httpVersion.dropFirst(5)) : nil
        }
    }
}
#endif
