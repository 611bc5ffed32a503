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
        self.init(versionNumber: (version ?? nil)?.number, cipherSuiteNumber: hello.cipherSuite)
    }
}

extension NIOSSL.TLSVersion {
    /// The number in the protocol.
    fileprivate var number: UInt16 {
        switch self {
        case .tlsv1: 0x0301
        case .tlsv11: 0x0302
        case .tlsv12: 0x0303
        case .tlsv13: 0x0304
        }
    }
}
#endif
