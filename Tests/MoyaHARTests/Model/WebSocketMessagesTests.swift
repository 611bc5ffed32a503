import Foundation
import MoyaHAR
import Testing

@Suite("Messages of WebSockets are read from the files of browsers")
struct WebSocketMessagesTests {
    private func har(_ messages: String) throws -> HAR {
        let text = """
            {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"}, "entries": [{
              "_webSocketMessages": \(messages),
              "startedDateTime": "2026-01-31T12:00:00.000Z", "time": 1,
              "request": {"method": "GET", "url": "wss://example.com/room"},
              "response": {"status": 101}, "timings": {}, "cache": {}
            }]}}
            """
        return try HAR(data: Data(text.utf8))
    }

    @Test("Chrome's messages have a type, a time in seconds, an opcode and data, which a written file keeps")
    func chrome() throws {
        let har = try har(
            """
            [{"type": "send", "time": 1769860800.125, "opcode": 1, "data": "hi"},
             {"type": "receive", "time": 1769860800.5, "opcode": 2, "data": "AAE="}]
            """
        )
        let messages = try #require(har.entries.first?.webSocketMessages)
        #expect(messages.map(\.sender) == [.client, .server])
        #expect(messages.map(\.bytes) == [Data("hi".utf8), Data([0, 1])])
        #expect(messages.map(\.time.timeIntervalSince1970) == [1769860800.125, 1769860800.5])
        #expect(try HAR(data: har.data()).entries == har.entries)
    }

    @Test("a value of another form is kept as a custom field", arguments: ["7", #"[{"type":"other"}]"#, #"{"a":[1]}"#])
    func other(value: String) throws {
        let har = try har(value)
        #expect(har.entries.first?.webSocketMessages == [])
        let written = String(decoding: try har.data(), as: UTF8.self).filter { !$0.isWhitespace }
        #expect(written.contains("\"_webSocketMessages\":\(value.filter { !$0.isWhitespace })"))
    }
}
