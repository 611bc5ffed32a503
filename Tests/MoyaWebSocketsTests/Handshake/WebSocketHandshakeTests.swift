import Foundation
import HTTPTypes
import Testing

@testable import MoyaWebSockets

@Suite("The handshake of a WebSocket (RFC 6455, section 4)")
struct WebSocketHandshakeTests {
    @Test("the key's hash is that of section 1.3")
    func accept() {
        #expect(WebSocketHandshake.accept(for: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test("a key is 16 bytes in Base64, and another one each time")
    func keys() {
        let keys = (0..<20).map { _ in WebSocketHandshake.makeKey() }
        #expect(Set(keys).count == 20)
        #expect(keys.allSatisfy { Data(base64Encoded: $0)?.count == 16 })
    }

    @Test("the fields of a request")
    func fields() throws {
        let plain = try WebSocketHandshake(key: "k")
        #expect(plain.fields.map { "\($0): \($1)" } == ["Sec-WebSocket-Key: k", "Sec-WebSocket-Version: 13"])
        let full = try WebSocketHandshake(
            subprotocols: ["chat", "v2.chat"],
            compression: WebSocketCompression(),
            key: "k"
        )
        #expect(
            full.fields.dropFirst(2).map { "\($0): \($1)" } == [
                "Sec-WebSocket-Protocol: chat, v2.chat",
                "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
            ]
        )
    }

    @Test(
        "subprotocols that cannot be offered",
        arguments: [[""], ["a b"], ["a,b"], ["chat", "chat"], ["é"], ["a\r\n"]]
    )
    func invalidSubprotocols(_ names: [String]) {
        #expect(throws: WebSocketError.invalidOptions(.subprotocol(names[names.count - 1]))) {
            try WebSocketHandshake(subprotocols: names)
        }
    }

    private static let handshake = Result {
        try WebSocketHandshake(
            subprotocols: ["chat"],
            compression: WebSocketCompression(),
            key: "dGhlIHNhbXBsZSBub25jZQ=="
        )
    }

    private typealias Agreement = WebSocketHandshake.Agreement

    @Test(
        "responses and their agreements",
        arguments: [
            (101, UpgradedFields.with("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), .success(Agreement())),
            (101, UpgradedFields.with(" s3pPLMBiTxaQ9kYGzzhZRbK+xOo= "), .success(Agreement())),
            (101, UpgradedFields.with("S3PPLMBITXAQ9KYGZZHZRBK+XOO="), .failure(.accept)),
            (101, UpgradedFields.with(nil), .failure(.accept)),
            (101, UpgradedFields.with(UpgradedFields.accept, ["Upgrade": "WebSocket"]), .success(Agreement())),
            (
                101, UpgradedFields.with(UpgradedFields.accept, ["Connection": "keep-alive, upgrade"]),
                .success(Agreement())
            ),
            (101, UpgradedFields.with(UpgradedFields.accept, ["Connection": nil]), .failure(.upgrade)),
            (101, UpgradedFields.with(UpgradedFields.accept, ["Connection": "close"]), .failure(.upgrade)),
            (101, UpgradedFields.with(UpgradedFields.accept, ["Upgrade": nil]), .failure(.upgrade)),
            (101, UpgradedFields.with(UpgradedFields.accept, ["Upgrade": "h2c, websocket"]), .failure(.upgrade)),
            (101, UpgradedFields.with(UpgradedFields.accept, ["Upgrade": "websocket/13"]), .failure(.upgrade)),
            // RFC 8441, section 5
            (200, [:], .success(Agreement())),
            (200, ["Sec-WebSocket-Protocol": "chat"], .success(Agreement(subprotocol: "chat"))),
            (200, ["Sec-WebSocket-Protocol": "Chat"], .failure(.subprotocol("Chat"))),
            (200, ["Sec-WebSocket-Protocol": "chat, chat"], .failure(.subprotocol("chat, chat"))),
            (200, ["Sec-WebSocket-Extensions": "permessage-deflate"], .success(Agreement(deflate: WebSocketDeflate()))),
            (200, ["Sec-WebSocket-Extensions": "foo"], .failure(.extensions("foo"))),
        ] as [(Int, [String: String], Result<WebSocketHandshake.Agreement, InvalidUpgrade>)]
    )
    func agreements(
        _ status: Int,
        _ headers: [String: String],
        _ expected: Result<WebSocketHandshake.Agreement, InvalidUpgrade>
    ) throws {
        var fields = HTTPFields()
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
        let handshake = try Self.handshake.get()
        let result = Result { () throws(WebSocketError) in try handshake.agreement(status: status, headers: fields) }
        #expect(result == expected.mapError { .invalidUpgrade($0) })
    }
}

/// The fields of a response with 101.
private enum UpgradedFields {
    static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    /// Returns the fields; `changes` replace some of them, or remove them.
    static func with(_ accept: String?, _ changes: [String: String?] = [:]) -> [String: String] {
        var fields = ["Upgrade": "websocket", "Connection": "Upgrade"]
        fields["Sec-WebSocket-Accept"] = accept
        for (name, value) in changes { fields[name] = value }
        return fields
    }
}

typealias InvalidUpgrade = WebSocketError.InvalidUpgrade

extension WebSocketError.InvalidUpgrade: Error {}
