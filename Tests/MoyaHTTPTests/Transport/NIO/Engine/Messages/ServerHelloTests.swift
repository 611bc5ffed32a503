#if NIO && !canImport(Darwin)
import NIOCore
import Testing

@testable import MoyaNIOTransport

@Suite("The cipher suite is read from the server's first message")
struct ServerHelloTests {
    /// The bytes of a ServerHello with a session identifier of this length.
    private static func hello(idSize: Int = 32, type: UInt8 = 2, record: UInt8 = 22) -> [UInt8] {
        [record, 3, 3, 0, 100, type, 0, 0, 96, 3, 3] + [UInt8](repeating: 7, count: 32) + [UInt8(idSize)]
            + [UInt8](repeating: 9, count: idSize) + [0x13, 0x02, 0, 0, 0]
    }

    private static func suite(of pieces: [[UInt8]]) -> (suite: UInt16?, isComplete: Bool) {
        var hello = ServerHello()
        for piece in pieces { hello.receive(ByteBuffer(bytes: piece)) }
        return (hello.cipherSuite, hello.isComplete)
    }

    @Test("a message has its suite after the session identifier, in one piece or in many", arguments: [0, 1, 32])
    func pieces(idSize: Int) {
        let bytes = Self.hello(idSize: idSize)
        #expect(Self.suite(of: [bytes]) == (0x1302, true))
        #expect(Self.suite(of: bytes.map { [$0] }) == (0x1302, true))
        #expect(Self.suite(of: [[], bytes, bytes]) == (0x1302, true))
    }

    @Test("each incomplete message has no suite yet")
    func incomplete() {
        let end = Self.hello().count - 3
        for count in 0..<end {
            #expect(Self.suite(of: [Array(Self.hello().prefix(count))]) == (nil, false), "\(count)")
        }
    }

    @Test("other bytes have no suite")
    func others() {
        #expect(Self.suite(of: [Array("HTTP/1.1 400 Bad Request".utf8)]) == (nil, true))
        #expect(Self.suite(of: [Self.hello(type: 1)]) == (nil, true))
        #expect(Self.suite(of: [Self.hello(idSize: 33)]) == (nil, true))
        #expect(Self.suite(of: [Self.hello(record: 21)]) == (nil, true))
    }
}
#endif
