#if NIO && !canImport(Darwin)
import NIOCore
import NIOSSL

/// A handler below TLS that reads the cipher suite from the server's first message, since SwiftNIO's TLS library does not name it.
///
/// It is removed after the handshake.
final class ServerHelloReader: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private var hello = ServerHello()

    /// The cipher suite that the server has selected; `nil` before its message, and if that has another form.
    var cipherSuite: UInt16? { hello.cipherSuite }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !hello.isComplete { hello.receive(unwrapInboundIn(data)) }
        context.fireChannelRead(data)
    }
}

extension ExchangeConnection.TLS {
    /// Creates the facts of the handshake of a channel.
    init(_ channel: any Channel, _ hello: ServerHelloReader) {
        let version = try? channel.pipeline.syncOperations.nioSSL_tlsVersion()
        self.init(
            version: (version ?? nil)?.name,
            cipherSuite: hello.cipherSuite.map { ServerHello.name(ofCipherSuite: $0) }
        )
    }
}

extension NIOSSL.TLSVersion {
    /// The name in the form of BoringSSL and OpenSSL.
    fileprivate var name: String {
        switch self {
        case .tlsv1: "TLSv1"
        case .tlsv11: "TLSv1.1"
        case .tlsv12: "TLSv1.2"
        case .tlsv13: "TLSv1.3"
        }
    }
}
#endif
