import Foundation

/// A loopback port on which no server listens, and which is reserved as long as this object exists.
public final class DeadPort: Sendable {
    /// The port.
    public let port: Int

    private let descriptor: CInt

    /// Reserves a free port.
    public init() throws {
        // The socket is bound but does not listen, so the system refuses connections.
        #if canImport(Darwin)
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let outcome = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard outcome else { throw POSIXError(.EADDRNOTAVAIL) }
    }

    deinit { close(descriptor) }

    /// A URL with the port.
    public var url: URL { URL(string: "http://127.0.0.1:\(port)/") ?? URL(fileURLWithPath: "/") }
}
