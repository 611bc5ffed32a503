#if NIO && !canImport(Darwin)
import Foundation
import TestServers
import Testing

@testable import MoyaHTTP

@Suite("Messages are values of the application", .timeLimit(.minutes(5)))
struct WebSocketCodableTests {
    private struct Price: Codable, Equatable, Sendable {
        var symbol: String
        var amount: Double
    }

    @Test("values are sent as JSON texts, and decoded from texts and bytes")
    func values() async throws {
        try await withWebSocketServer { peer in
            let frame = try await peer.read()
            try await peer.send(.text(String(decoding: frame?.payload ?? Data(), as: UTF8.self)))
            try await peer.send(.text("no JSON"), .binary(Data(#"{"symbol":"B","amount":2.5}"#.utf8)), .close(1000))
        } test: { session, server in
            let socket = try await session.open(server)
            try await socket.send(encodable: Price(symbol: "A", amount: 1))
            var prices = socket.values(of: Price.self).makeAsyncIterator()
            #expect(try await prices.next() == Price(symbol: "A", amount: 1))
            // A message that can't be decoded does not end the messages.
            await #expect(throws: DecodingError.self) { try await prices.next() }
            #expect(try await prices.next() == Price(symbol: "B", amount: 2.5))
            #expect(try await prices.next() == nil)
        }
    }

    @Test("a function decodes any format")
    func function() async throws {
        try await withWebSocketServer { peer in
            try await peer.send(.text("1"), .text("2"), .close(1000))
        } test: { session, server in
            let socket = try await session.open(server)
            var numbers: [Int] = []
            for try await number in socket.values(decodedBy: { Int($0.text ?? "") ?? 0 }) { numbers.append(number) }
            #expect(numbers == [1, 2])
        }
    }
}
#endif
