import Moya

/// Starts a server and lets two members talk.
func showConversation(_ show: @Sendable (String) -> Void) async throws {
    let server = try await ChatServer.start()
    guard let url = URL(string: "ws://127.0.0.1:\(server.port)") else { return }
    let ann = try await ChatClient.join(url, as: "Ann")
    // Each line arrives at all members, so that the wait for it orders the conversation.
    try await showLine(of: ann, show)
    let bob = try await ChatClient.join(url, as: "Bob")
    try await showLine(of: ann, show)
    try await bob.say("Hello, Ann!")
    try await showLine(of: ann, show)
    try await ann.say("Hello, Bob!")
    try await showLine(of: ann, show)
    try await bob.leave()
    try await showLine(of: ann, show)
    try await ann.leave()
    try await server.stop()
}

private func showLine(of member: ChatClient, _ show: @Sendable (String) -> Void) async throws {
    if let line = try await member.nextLine() { show(line) }
}
