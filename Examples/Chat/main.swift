// A chat in the terminal: without an address, the program starts a server and lets two members talk; with one, it joins as a member, and
// sends the lines of the standard input.
//
//     swift run chat-example
//     swift run chat-example ws://127.0.0.1:8080 Ann
import Moya

func say(_ line: String) { print(line) }

if CommandLine.arguments.count >= 3, let server = URL(string: CommandLine.arguments[1]) {
    let member = try await ChatClient.join(server, as: CommandLine.arguments[2])
    let reader = Task { try await member.show(say) }
    while let line = readLine() { try await member.say(line) }
    try await member.leave()
    try await reader.value
} else {
    try await showConversation(say)
}
