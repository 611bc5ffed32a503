#if NIO && !canImport(Darwin)
import NIOCore
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("A value decides when an exchange gets the parts of its response")
struct ResponseDeliveryTests {
    enum Event: Sendable { case head, body(Int), readEnd, taken, end }

    private static let limit = ResponseDelivery.longestJoined

    @Test(
        "the parts of one read are delivered together, and one chunk at a time",
        arguments: [
            // A response that is complete in one read is one value.
            ([.head, .end], ["", "head"]),
            ([.head, .body(1), .body(2), .end], ["", "", "", "head 3"]),
            // The parts of one read are joined, and delivered at its end.
            ([.head, .readEnd, .body(1), .body(2), .readEnd], ["", "head", "", "", "3"]),
            ([.head, .body(1), .readEnd, .taken, .body(2), .readEnd], ["", "", "head 1", "", "", "2"]),
            // Only short parts are joined.
            ([.head, .body(limit), .body(1), .end], ["", "", "head \(limit)", "1"]),
            ([.head, .body(1), .body(limit - 1), .readEnd], ["", "", "", "head \(limit)"]),
            ([.head, .body(limit + 1), .readEnd], ["", "", "head \(limit + 1)"]),
            // Until the exchange has taken the chunk, bytes are held, however many.
            ([.head, .body(1), .readEnd, .body(2), .readEnd, .taken], ["", "", "head 1", "", "", "2"]),
            ([.head, .body(1), .readEnd, .body(limit), .body(1), .readEnd], ["", "", "head 1", "", "", ""]),
            ([.body(limit), .body(1), .body(limit), .readEnd, .taken], ["", "\(limit)", "", "", "\(limit + 1)"]),
            // A chunk that is taken during a read lets it deliver at the end of the read.
            ([.body(limit), .body(1), .taken, .body(2), .readEnd], ["", "\(limit)", "", "", "3"]),
            ([.body(1), .readEnd, .body(2), .taken, .readEnd], ["", "1", "", "", "2"]),
            // The end delivers all, even if the exchange has no room.
            ([.head, .body(1), .readEnd, .body(2), .end], ["", "", "head 1", "", "2"]),
            ([.head, .readEnd, .end], ["", "head", ""]),
            ([.readEnd, .taken, .end], ["", "", ""]),
        ] as [([Event], [String])]
    )
    func delivery(events: [Event], expected: [String]) {
        var delivery = ResponseDelivery()
        #expect(events.map { Self.text(Self.apply($0, to: &delivery)) } == expected)
    }

    private static func apply(_ event: Event, to delivery: inout ResponseDelivery) -> ResponseDelivery.Parts {
        switch event {
        case .head:
            delivery.receivedHead(ResponseHead(status: 200, headers: [:]))
            return ResponseDelivery.Parts()
        case .body(let count): return delivery.receivedBody(ByteBuffer(repeating: 0, count: count))
        case .readEnd: return delivery.readEnded()
        case .taken: return delivery.chunkTaken()
        case .end: return delivery.removeAll()
        }
    }

    private static func text(_ parts: ResponseDelivery.Parts) -> String {
        [parts.head.map { _ in "head" }, parts.chunk.map { "\($0.readableBytes)" }].compactMap(\.self)
            .joined(separator: " ")
    }

    @Test(
        "an exchange gets all bytes of a body in their order, whenever it takes a chunk",
        arguments: 0..<10 as Range<UInt64>
    )
    func order(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var delivery = ResponseDelivery()
        var (sent, delivered) = ([UInt8](), [UInt8]())
        func deliver(_ parts: ResponseDelivery.Parts) {
            guard let chunk = parts.chunk else { return }
            delivered += [UInt8](buffer: chunk)
            #expect(delivery.hasUntakenChunk)
        }
        for _ in 0..<200 {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: deliver(delivery.readEnded())
            case 1 where delivery.hasUntakenChunk: deliver(delivery.chunkTaken())
            default:
                let count = Int.random(in: 1..<ResponseDelivery.longestJoined / 2, using: &generator)
                let bytes = [UInt8](repeating: .random(in: 0...255, using: &generator), count: count)
                sent += bytes
                deliver(delivery.receivedBody(ByteBuffer(bytes: bytes)))
            }
        }
        deliver(delivery.removeAll())
        // Without the texts of long arrays.
        let isEqual = delivered == sent
        #expect(isEqual)
    }
}
#endif
