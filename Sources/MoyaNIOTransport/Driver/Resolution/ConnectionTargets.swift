#if NIO && !canImport(Darwin)
import Foundation
import NIOCore
import NIOPosix

/// The order in which the addresses of a host are used (RFC 8305, section 4).
enum HappyEyeballsOrder {
    /// The maximum number of addresses of a host that are used.
    static let maximumCount = 32

    /// Returns the addresses beginning with the first one, alternating between the versions of IP, and without
    /// duplicates.
    static func sorted(_ addresses: [SocketAddress]) -> [SocketAddress] {
        var known: Set<SocketAddress> = []
        let unique = addresses.filter { known.insert($0).inserted }
        guard let version = unique.first?.protocol else { return [] }
        let first = unique.filter { $0.protocol == version }
        let second = unique.filter { $0.protocol != version }
        var sorted: [SocketAddress] = []
        for index in 0..<max(first.count, second.count) {
            if index < first.count { sorted.append(first[index]) }
            if index < second.count { sorted.append(second[index]) }
        }
        return Array(sorted.prefix(maximumCount))
    }
}

/// The resolved addresses of a connect attempt, for SwiftNIO's implementation of RFC 8305.
///
/// SwiftNIO takes the addresses in their order as long as all are from the query for IPv6 addresses. If they were
/// separated by version, it would always begin with IPv6.
struct ConnectionTargets: Resolver, Sendable {
    let addresses: [SocketAddress]
    let loop: any EventLoop

    init(_ addresses: [SocketAddress], port: Int, on loop: any EventLoop) {
        self.addresses = addresses.map { address in
            var address = address
            address.port = port
            return address
        }
        self.loop = loop
    }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        loop.makeSucceededFuture(addresses)
    }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        loop.makeSucceededFuture([])
    }

    func cancelQueries() {}
}

extension SocketAddress {
    /// Creates an address with port 0 from the text of an IP address, which may have a zone.
    init?(numeric text: String) {
        if let address = try? SocketAddress(ipAddress: text, port: 0) {
            self = address
            return
        }
        // SwiftNIO does not parse zones, and not all forms of IPv4 addresses.
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = 1
        var info: UnsafeMutablePointer<addrinfo>?
        guard !text.utf8.contains(0), getaddrinfo(text, nil, &hints, &info) == 0, let info else { return nil }
        defer { freeaddrinfo(info) }
        guard let address = UnsafeRawPointer(info.pointee.ai_addr) else { return nil }
        switch info.pointee.ai_family {
        case AF_INET: self = SocketAddress(address.loadUnaligned(as: sockaddr_in.self), host: "")
        case AF_INET6: self = SocketAddress(address.loadUnaligned(as: sockaddr_in6.self), host: "")
        default: return nil
        }
    }

    /// Creates an address with port 0 from a host of a URL that is one, in any form that the system accepts; `nil` if
    /// the host is a name.
    init?(literal host: String) {
        // The last label of a name is not a number (RFC 3696, section 2), so that names need not be parsed.
        let last = host.split(separator: ".").last?.utf8.first
        guard host.utf8.contains(UInt8(ascii: ":")) || last.map(isDigit) ?? false else { return nil }
        self.init(numeric: host)
    }
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
#endif
