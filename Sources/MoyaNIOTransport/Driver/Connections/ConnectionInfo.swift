#if NIO && !canImport(Darwin)
import NIOCore

/// The facts of the responses on one connection, which become text only when they are read.
struct ConnectionInfo {
    private let remote: SocketAddress?
    private let local: SocketAddress?
    /// The facts of the last response over HTTP/1: most responses on a connection have the same.
    private var last: (minorVersion: UInt8, info: ResponseInfo)?

    /// Creates the facts of a channel, on its event loop.
    init(_ channel: any Channel) {
        remote = channel.remoteAddress
        local = channel.localAddress
    }

    /// Returns the facts of a response over HTTP/2.
    func http2() -> ResponseInfo { info(nil, "HTTP/2") }

    /// Returns the facts of a response over HTTP/1.
    mutating func http1(minorVersion: UInt8, reasonPhrase: String) -> ResponseInfo {
        if let last, last.minorVersion == minorVersion, last.info.reasonPhrase == reasonPhrase { return last.info }
        let made = info(reasonPhrase, "HTTP/1.\(minorVersion)")
        last = (minorVersion, made)
        return made
    }

    /// Returns the facts of the connection, for the times of its exchanges.
    func connection(_ opening: ConnectAttemptLog, _ version: String) -> ExchangeConnection {
        ExchangeConnection(number: opening.number, tls: opening.tls, facts: facts(version))
    }

    private func info(_ reasonPhrase: String?, _ version: String) -> ResponseInfo {
        ResponseInfo(reasonPhrase: reasonPhrase, connection: facts(version))
    }

    private func facts(_ version: String) -> @Sendable () -> ResponseInfo.Connection {
        { [remote, local] in
            ResponseInfo.Connection(
                httpVersion: version,
                remoteAddress: remote.flatMap { ResponseInfo.Address($0) },
                localAddress: local.flatMap { ResponseInfo.Address($0) }
            )
        }
    }
}

extension ResponseInfo.Address {
    /// Returns `nil` for a Unix domain socket.
    fileprivate init?(_ address: SocketAddress) {
        guard let ipAddress = address.ipAddress, let port = address.port else { return nil }
        self.init(ipAddress: ipAddress, port: port)
    }
}
#endif
