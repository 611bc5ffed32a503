import Foundation

/// Finds and checks loopback ports.
enum FreePorts {
    /// Returns ports on which nothing listens.
    static func find(_ count: Int) throws -> [Int] {
        let sockets = (0..<count).map { _ in socket(AF_INET, streamType, 0) }
        defer { for socket in sockets { close(socket) } }
        return try sockets.map { socket in
            var address = loopback(port: 0)
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
                }
            }
            guard result else { throw BenchFailure("There is no free port.") }
            return Int(UInt16(bigEndian: address.sin_port))
        }
    }

    /// Returns whether something listens on a port.
    static func isListening(_ port: Int) -> Bool {
        let client = socket(AF_INET, streamType, 0)
        defer { close(client) }
        var address = loopback(port: port)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static var streamType: Int32 {
        #if canImport(Glibc)
        Int32(SOCK_STREAM.rawValue)
        #else
        SOCK_STREAM
        #endif
    }
}
