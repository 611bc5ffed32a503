#if NIO && !canImport(Darwin)
import Foundation
import Moya
import TestSupport
import Testing

@testable import chat_example

@Suite("The chat, a server and clients over WebSockets, works", .timeLimit(.minutes(5)))
struct ChatTests {
    @Test("the lines of a conversation arrive in order")
    func conversation() async throws {
        let lines = Recorder<String>()
        try await showConversation { lines.add($0) }
        #expect(lines.values == ["Ann joined", "Bob joined", "Bob: Hello, Ann!", "Ann: Hello, Bob!", "Bob left"])
    }
}
#endif
