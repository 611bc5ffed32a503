import Foundation

/// A loopback port whose backlog is full, so that the system ignores further connection attempts.
public final class FullPort: Sendable {
    /// The port.
    public let port: Int

    private let descriptors: [CInt]

    /// Reserves a free port, and fills its backlog.
    public init() throws {
        #if canImport(Darwin)
        let type = SOCK_STREAM
        #else
        let type = CInt(SOCK_STREAM.rawValue)
        #endif
        let listener = socket(AF_INET, type, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var descriptors = [listener]
        let outcome = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(listener, address, size) == 0, getsockname(listener, address, &size) == 0,
                    listen(listener, 0) == 0
                else { return false }
                // The listener accepts no connection, so a few connections fill the backlog.
                for _ in 0..<4 {
                    let client = socket(AF_INET, type, 0)
                    _ = fcntl(client, F_SETFL, O_NONBLOCK)
                    _ = connect(client, address, size)
                    descriptors.append(client)
                }
                return true
            }
        }
        self.descriptors = descriptors
        port = Int(UInt16(bigEndian: address.sin_port))
        guard outcome else { throw POSIXError(.EADDRNOTAVAIL) }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }
}
