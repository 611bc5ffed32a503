/// A version of TLS.
public enum TLSVersion: Int, Comparable, CaseIterable, Sendable {
    /// TLS 1.0 (RFC 2246), which is deprecated (RFC 8996).
    case tls10
    /// TLS 1.1 (RFC 4346), which is deprecated (RFC 8996).
    case tls11
    /// TLS 1.2 (RFC 5246).
    case tls12
    /// TLS 1.3 (RFC 8446).
    case tls13

    /// Returns whether a version is older than another.
    public static func < (one: TLSVersion, other: TLSVersion) -> Bool { one.rawValue < other.rawValue }
}
