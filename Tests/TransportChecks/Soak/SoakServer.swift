#if NIO && !canImport(Darwin)
import Foundation
import MoyaLocks
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import TestServers
import TestSupport

/// The misbehaving server: HTTP/1.1 without TLS, or HTTP/2 in TLS, on a free loopback port.
final class SoakServer: Sendable {
    let url: URL
    private let channel: any Channel

    init(isHTTP2: Bool, ledger: SoakLedger, seed: UInt64) async throws {
        var tls: NIOSSLContext?
        if isHTTP2 {
            var configuration = try SelfSigned.serverConfiguration()
            configuration.applicationProtocols = ["h2"]
            tls = try NIOSSLContext(configuration: configuration)
        }
        let context = tls
        let connections = Locked<UInt64>(0)
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1_024)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let number = connections.withLock { count in
                        count += 1
                        return count
                    }
                    let random = SeededGenerator(seed: seed, number: number)
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(RecordGate(nil))
                    if let context {
                        try pipeline.addHandler(NIOSSLServerHandler(context: context))
                        try pipeline.addHandler(SoakHTTP2Connection(ledger, random))
                    } else {
                        try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                        try pipeline.addHandler(SoakHTTP1Connection(ledger, random))
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        let scheme = isHTTP2 ? "https" : "http"
        guard let port = channel.localAddress?.port, let url = URL(string: "\(scheme)://127.0.0.1:\(port)") else {
            throw CheckFailure("the server has no port")
        }
        self.url = url
    }

    func shutDown() async { try? await channel.close() }
}
#endif
