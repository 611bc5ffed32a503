#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes
import NIOCore
import NIOHPACK
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("An HTTP/2 stream is upgraded to another protocol (RFC 8441)")
struct HTTP2UpgradeStateTests {
    @Test(
        "the server's settings tell whether it allows upgrades; it may not withdraw that, or send another value (section 3)",
        arguments: [
            ([[]], false), ([[0]], false), ([[1]], true), ([[], [1]], true), ([[0], [1]], true), ([[0, 1]], true),
            ([[1], []], true), ([[1], [1]], true), ([[1], [0]], nil), ([[1, 0]], nil), ([[2]], nil),
            ([[0x8000_0001]], nil),
        ] as [([[UInt32]], Bool?)]
    )
    func settings(frames: [[UInt32]], allows: Bool?) throws {
        var state = HTTP2ConnectionStateMachine()
        #expect(state.allowsUpgrades == nil)
        func receive() throws {
            for values in frames {
                let settings = values.map { HTTP2Setting(.enableConnectProtocol, $0) }
                _ = try state.received(.settings(settings))
            }
        }
        guard let allows else {
            let error = #expect(throws: HTTP2Error.self) { try receive() }
            #expect(error?.scope == .connection)
            #expect(error?.code == .protocolError)
            return
        }
        try receive()
        #expect(state.allowsUpgrades == allows)
    }

    @Test("a request for an upgrade is an extended CONNECT, without the fields of HTTP/1.1 (sections 4 and 5)")
    func head() {
        let key = HTTPField.Name("Sec-WebSocket-Key") ?? .accept
        let version = HTTPField.Name("Sec-WebSocket-Version") ?? .accept
        var message = OutboundMessage(
            method: "GET",
            target: "/chat?a=b",
            authority: "h:81",
            headers: [key: "secret", version: "13"],
            framing: .none,
            body: .none
        )
        func fields() -> [String] { HTTP2RequestHead(message).fields.map { "\($0.name): \($0.value)" } }
        #expect(
            fields() == [
                ":method: GET", ":scheme: https", ":authority: h:81", ":path: /chat?a=b", "sec-websocket-key: secret",
                "sec-websocket-version: 13",
            ]
        )
        message.upgrade = ProtocolUpgrade(to: "websocket", sending: .data(Data()))
        #expect(
            fields() == [
                ":method: CONNECT", ":protocol: websocket", ":scheme: https", ":authority: h:81",
                ":path: /chat?a=b", "sec-websocket-version: 13",
            ]
        )
    }

    /// The head of a response to a request for an upgrade, and whether it is upgraded; `nil` for an error of the stream.
    struct Head: Sendable {
        let fields: [(String, String)]
        var endStream = false
        let isUpgraded: Bool?
    }

    @Test(
        "a status from 200 to 299 agrees to an upgrade, and its length does not count (RFC 9110, section 9.3.6)",
        arguments: [
            Head(fields: [(":status", "200")], isUpgraded: true), Head(fields: [(":status", "299")], isUpgraded: true),
            Head(fields: [(":status", "204"), ("content-length", "x")], isUpgraded: true),
            Head(fields: [(":status", "200")], endStream: true, isUpgraded: true),
            Head(fields: [(":status", "300")], isUpgraded: false),
            Head(fields: [(":status", "401")], isUpgraded: false),
            Head(fields: [(":status", "101")], isUpgraded: nil),
            Head(fields: [(":status", "400"), ("content-length", "x")], isUpgraded: nil),
        ]
    )
    func response(_ row: Head) throws {
        var state = HTTP2ResponseStateMachine(isHeadRequest: false, isUpgradeRequest: true)
        var decoder = HPACKFieldDecoder(sectionLimit: 10_000)
        let lines = try decoder.decode(ByteBuffer(bytes: block(row.fields)))
        guard let isUpgraded = row.isUpgraded else {
            #expect(throws: HTTP2Error.self) { try state.receivedHeaders(lines, endStream: row.endStream) }
            return
        }
        guard case .head(let head) = try state.receivedHeaders(lines, endStream: row.endStream) else {
            Issue.record("no head")
            return
        }
        #expect(head.isUpgraded == isUpgraded)
        #expect(state.isUpgraded == isUpgraded)
        #expect(state.hasEnded == row.endStream)
        guard !row.endStream else { return }
        try state.receivedData(count: 7, endStream: false)
        // RFC 9113, section 8.5: only DATA follows an upgrade.
        let trailers = try decoder.decode(ByteBuffer(bytes: block([("a", "b")])))
        if isUpgraded {
            let error = #expect(throws: HTTP2Error.self) { try state.receivedHeaders(trailers, endStream: true) }
            #expect(error?.scope == .stream)
            #expect(error?.code == .protocolError)
        } else {
            _ = try state.receivedHeaders(trailers, endStream: true)
        }
    }

    /// Returns literals without indexing (RFC 7541, section 6.2.2).
    private func block(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { name, value -> [UInt8] in
            [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
        }
    }

    private func openUpgrade(_ state: inout HTTP2ConnectionStateMachine) throws -> HTTP2Frame.StreamID {
        _ = try state.received(.settings([HTTP2Setting(.enableConnectProtocol, 1)]))
        return try state.open(
            HTTP2RequestHead(fields: [":method": "CONNECT"]),
            isHeadRequest: false,
            isUpgradeRequest: true,
            endStream: false
        )
    }

    private func headers(_ id: HTTP2Frame.StreamID, _ status: String, endStream: Bool = false) -> HTTP2Frame {
        .headers(
            id,
            fragment: ByteBuffer(bytes: block([(":status", status)])),
            endStream: endStream,
            endHeaders: true
        )
    }

    @Test("an upgraded stream stays open until both directions have ended, in any order (section 5)")
    func directions() throws {
        for outputFirst in [true, false] {
            var state = HTTP2ConnectionStateMachine()
            let id = try openUpgrade(&state)
            _ = try state.received(headers(id, "200"))
            _ = state.takeOutput()
            func endOutput() {
                var last = ByteBuffer(string: "z")
                #expect(state.write(&last, isLast: true, to: id))
            }
            func endInput() throws {
                let event = try state.received(.data(id, ByteBuffer(string: "a"), flowControlled: 1, endStream: true))
                #expect(event == .data(id, ByteBuffer(string: "a"), isEnd: true))
            }
            if outputFirst { endOutput() } else { try endInput() }
            #expect(state.openStreams[id] != nil)
            #expect(state.isRequestPending(id) == !outputFirst)
            if outputFirst { try endInput() } else { endOutput() }
            #expect(state.openStreams[id] == nil)
            // DATA with END_STREAM, and no RST_STREAM.
            let output = state.takeOutput()
            #expect(output.getInteger(at: output.readerIndex + 3, as: UInt8.self) == HTTP2FrameType.data.rawValue)
            #expect(output.getInteger(at: output.readerIndex + 4, as: UInt8.self) == 1)
            #expect(output.readableBytes == 10)
        }
    }

    @Test("a refused upgrade whose response ends is closed by RST_STREAM, and data after the end fails an upgraded one")
    func ends() throws {
        var refused = HTTP2ConnectionStateMachine()
        let first = try openUpgrade(&refused)
        _ = refused.takeOutput()
        _ = try refused.received(headers(first, "403", endStream: true))
        #expect(refused.openStreams[first] == nil)
        let output = refused.takeOutput()
        #expect(output.getInteger(at: output.readerIndex + 3, as: UInt8.self) == HTTP2FrameType.resetStream.rawValue)

        var upgraded = HTTP2ConnectionStateMachine()
        let second = try openUpgrade(&upgraded)
        _ = try upgraded.received(headers(second, "200", endStream: true))
        #expect(upgraded.openStreams[second] != nil)
        let late = HTTP2Frame.data(second, ByteBuffer(string: "a"), flowControlled: 1, endStream: false)
        guard case .failed(second, let error) = try upgraded.received(late) else {
            Issue.record("not failed")
            return
        }
        #expect(error.code == .streamClosed)
    }
}
#endif
