#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes
import NIOCore
import NIOPosix
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("An HTTP/1.1 connection is upgraded to another protocol (RFC 9110, section 7.8)")
struct HTTP1UpgradeTests {
    /// The bytes of a server after a request for an upgrade, and the events of the parser.
    struct Row: Sendable, CustomTestStringConvertible {
        let reason: String
        let upgradeName: String?
        let bytes: String
        let events: [String]
        var isPersistent = false

        init(
            _ reason: String,
            asking upgradeName: String? = "websocket",
            _ bytes: String,
            _ events: [String],
            isPersistent: Bool = false
        ) {
            (self.reason, self.upgradeName, self.bytes, self.events) = (reason, upgradeName, bytes, events)
            self.isPersistent = isPersistent
        }

        var testDescription: String { reason }
    }

    private static let switching = "HTTP/1.1 101 Switching Protocols\r\n"
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    static let rows: [Row] = [
        Row("a 101 with the protocol", "\(switching)Upgrade: websocket\r\n\r\n", ["upgraded 101", "end"]),
        Row("bytes after the head", "\(switching)Upgrade: websocket\r\n\r\nHTTP", ["upgraded 101", "HTTP", "end"]),
        Row(
            "bytes that look like a response",
            "\(switching)Upgrade: websocket\r\n\r\n\(ok)",
            ["upgraded 101", ok, "end"]
        ),
        Row("another case", "\(switching)UPGRADE: WebSocket\r\n\r\n", ["upgraded 101", "end"]),
        Row("a list of protocols", "\(switching)Upgrade: tls/1.0, websocket\r\n\r\n", ["upgraded 101", "end"]),
        Row(
            "a length, which does not count",
            "\(switching)Upgrade: websocket\r\nContent-Length: 1\r\nConnection: close\r\n\r\nabc",
            ["upgraded 101", "abc", "end"]
        ),
        Row(
            "a coding, which does not count",
            "\(switching)Upgrade: websocket\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            ["upgraded 101", "0\r\n\r\n", "end"]
        ),
        Row(
            "after another interim response",
            "HTTP/1.1 103 Early Hints\r\n\r\n\(switching)Upgrade: websocket\r\n\r\na",
            ["interim 103", "upgraded 101", "a", "end"]
        ),
        Row("no protocol", "\(switching)\r\n", ["interim 101"]),
        Row("another protocol", "\(switching)Upgrade: websocket2\r\n\r\n", ["interim 101"]),
        Row("HTTP/1.0", "HTTP/1.0 101 x\r\nUpgrade: websocket\r\n\r\n", ["interim 101"]),
        Row("not asked for", asking: nil, "\(switching)Upgrade: websocket\r\n\r\n", ["interim 101"]),
        Row("an ordinary response", ok, ["head 200", "ok", "end"], isPersistent: true),
        Row(
            "an ordinary response with the field, which only offers the protocol",
            "HTTP/1.1 426 x\r\nUpgrade: websocket\r\nContent-Length: 0\r\n\r\n",
            ["head 426", "end"],
            isPersistent: true
        ),
    ]

    @Test("the parser recognizes the server's agreement, and does not parse what follows it", arguments: rows)
    func parser(_ row: Row) {
        let whole = [Array(row.bytes.utf8)[...]]
        let single = Array(row.bytes.utf8).map { [$0][...] }
        for pieces in [whole, single] {
            let (events, parser) = events(of: pieces, asking: row.upgradeName)
            #expect(events == row.events)
            #expect(parser.isPersistent == row.isPersistent)
        }
    }

    private func events(
        of pieces: [ArraySlice<UInt8>],
        asking upgradeName: String?
    ) -> ([String], HTTP1ResponseParser) {
        var parser = HTTP1ResponseParser(method: "GET", upgradeName: upgradeName)
        var events: [String] = []
        func take(_ event: HTTP1ResponseParser.Event) {
            switch event {
            case .interim(let head): events.append("interim \(head.status)")
            case .head(let head): events.append("\(head.isUpgraded ? "upgraded" : "head") \(head.status)")
            case .body(let piece):
                // The pieces of a body are joined.
                let text = String(buffer: piece)
                if events.last?.hasPrefix("upgraded ") ?? true || events.last?.hasPrefix("head ") ?? true {
                    events.append(text)
                } else {
                    events[events.count - 1] += text
                }
            case .end: events.append("end")
            }
        }
        for piece in pieces {
            parser.feed(ByteBuffer(bytes: piece))
            while let event = try? parser.next() { take(event) }
        }
        if let event = try? parser.finish() { take(event) }
        return (events, parser)
    }

    @Test(
        "the head of a request for an upgrade has the fields of the upgrade in place of the caller's, and no framing",
        arguments: [
            ([:], "Connection: Upgrade\r\nUpgrade: websocket\r\n"),
            ([.connection: "close", .upgrade: "h2c"], "Connection: Upgrade\r\nUpgrade: websocket\r\n"),
            ([.te: "trailers"], "TE: trailers\r\nConnection: Upgrade, TE\r\nUpgrade: websocket\r\n"),
        ] as [(HTTPFields, String)]
    )
    func head(fields: HTTPFields, written: String) throws {
        let url = try #require(URL(string: "http://h/p"))
        var request = TransportRequest(method: .get, url: url, headers: fields)
        request.upgrade = ProtocolUpgrade(to: "websocket", sending: .data(Data("output".utf8)))
        let settings = ConnectionSettings(maximumConnectionsPerHost: 1)
        let connector = try settings.connector(for: try #require(Origin(url)), host: "h")
        let pool = ConnectionPool(connector, on: [MultiThreadedEventLoopGroup.singleton.next()])
        let message = try pool.makeRequest(request, body: .none, exchange: Exchange(request)).message
        #expect(
            String(buffer: message.http1Start(ByteBufferAllocator()))
                == "GET /p HTTP/1.1\r\nHost: h\r\n\(written)\r\n"
        )
        #expect(message.http1Buffers(for: ByteBuffer(string: "a")) == [ByteBuffer(string: "a")])
        #expect(message.http1End() == nil)
    }

    @Test("an upgraded HTTP/1.1 connection ends when both directions have ended, in any order, and is not reused")
    func directions() {
        for outputFirst in [true, false] {
            var state = HTTP1ConnectionStateMachine()
            state.begin(closesAfter: false)
            state.requestEnded()
            state.receivedBytes()
            #expect(!state.hasOpenOutput)
            state.upgraded()
            #expect(state.isUpgraded && state.hasOpenOutput && state.isExpectingBytes && !state.canBeReused)
            if outputFirst { state.requestEnded() } else { state.receivedEnd(isPersistent: false) }
            #expect(state.hasOpenOutput == !outputFirst)
            #expect(state.hasResponseEnded == !outputFirst)
            if outputFirst { state.receivedEnd(isPersistent: false) } else { state.requestEnded() }
            #expect(!state.hasOpenOutput && state.hasResponseEnded)
            #expect(state.endExchange() == false)
            #expect(state.endConnection() == true)
        }
    }
}
#endif
