import Foundation

/// An IP address: four or sixteen bytes in network byte order.
package struct IPAddress: Hashable {
    package let bytes: Data

    /// Parses an address as `inet_pton` does, without brackets and zone.
    package init?(_ text: String) {
        var four = in_addr()
        var sixteen = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: four) { Data($0) }
        } else if inet_pton(AF_INET6, text, &sixteen) == 1 {
            bytes = withUnsafeBytes(of: sixteen) { Data($0) }
        } else {
            return nil
        }
    }

    /// Creates an address from its bytes; `nil` unless their number is 4 or 16.
    package init?(bytes: Data) {
        guard [4, 16].contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    package var isIPv6: Bool { bytes.count == 16 }

    /// The canonical text (RFC 5952 for IPv6).
    package var text: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        _ = bytes.withUnsafeBytes { bytes in
            inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes.baseAddress, &text, socklen_t(text.count))
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
