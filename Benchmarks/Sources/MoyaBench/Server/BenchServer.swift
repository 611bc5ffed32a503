import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL

/// The server of the benchmarks, on one thread, so that the clients can use the other core.
struct BenchServer {
    /// The port for HTTP/1.1.
    let plainPort: Int
    /// The port for TLS with HTTP/2.
    let securePort: Int

    /// Starts the server on free loopback ports.
    static func start() async throws -> BenchServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let plain = try await bootstrap(group) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(PlainConnection())
            }
        }
        var tls = try SelfSigned.serverConfiguration()
        tls.applicationProtocols = ["h2", "http/1.1"]
        let context = try NIOSSLContext(configuration: tls)
        let secure = try await bootstrap(group) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
            }.flatMap {
                channel.configureCommonHTTPServerPipeline { stream in
                    stream.eventLoop.makeCompletedFuture {
                        try stream.pipeline.syncOperations.addHandler(SecureStream())
                    }
                }
            }
        }
        return BenchServer(plainPort: plain, securePort: secure)
    }

    private static func bootstrap(
        _ group: any EventLoopGroup,
        _ initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) async throws -> Int {
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer(initializer)
            .bind(host: "127.0.0.1", port: 0).get()
        return channel.localAddress?.port ?? 0
    }
}
