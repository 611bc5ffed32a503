/// A version of TLS.
public enum TLSVersion: Int, Comparable, CaseIterable, Sendable {
    /// TLS 1.0 (RFC 2246), which nobody should use any more (RFC 8996).
    case tls10
    /// TLS 1.1 (RFC 4346), which nobody should use any more (RFC 8996).
    case tls11
    /// TLS 1.2 (RFC 5246).
    case tls12
    /// TLS 1.3 (RFC 8446).
    case tls13

    /// Whether one is older than the other.
    public static func < (one: TLSVersion, other: TLSVersion) -> Bool { one.rawValue < other.rawValue }
}
