import ArgumentParser
import Foundation
import Moya

/// The command `moya-cli ws`.
struct WebSocketCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ws",
        abstract: "Open a WebSocket, send the lines of the standard input, and print the messages.",
        discussion: """
            Prints each message of the server after a <, and the events of the connection after a *. The end of the input closes the \
            WebSocket, unless --listen is given.

            The exit status is 0 if one of the sides has closed the WebSocket with the code 1000 or 1001, or without one, and otherwise 1.
            """
    )

    @Argument(help: "A ws, wss, http or https URL.", transform: WebSocketURL.init(argument:))
    var url: WebSocketURL

    @Option(
        name: [.customShort("H"), .long],
        help: ArgumentHelp("Add a header. This option and the next one may be repeated.", valueName: "name: value"),
        transform: HeaderArgument.init(argument:)
    )
    var header: [HeaderArgument] = []

    @Option(name: [.short, .long], help: ArgumentHelp("Offer a subprotocol.", valueName: "name"))
    var subprotocol: [String] = []

    @Flag(inversion: .prefixedNo, help: "Offer compression.")
    var compression = true

    @Flag(help: "Send each line as bytes instead of a text.")
    var binary = false

    @Flag(help: "Stay open after the end of the input.")
    var listen = false

    func run() async throws {
        var options = WebSocketOptions(subprotocols: subprotocol)
        if !compression { options.compression = nil }
        var request = URLRequest(url: url.url)
        for header in header { request.addValue(header.value, forHTTPHeaderField: header.name) }
        let run = WebSocketRun(request: request, options: options, sendsBytes: binary, staysOpen: listen) { print($0) }
        let isSuccess = try await Interrupt.cancelOnSignal {
            try await run.run(in: try Self.makeSession(), input: StandardInput.lines())
        }
        guard isSuccess else { throw ExitCode.failure }
    }

    private static func makeSession() throws -> Session {
        let configuration = URLSessionConfiguration.withDefaultHeaders
        configuration.httpCookieStorage = nil
        let transport = try Session.makeTransport(connection: nil, configuration: configuration)
        return Session(
            transport: transport,
            configuration: configuration,
            options: SessionOptions(cookieStorage: CookieJar())
        )
    }
}

/// The URL of a WebSocket as a command-line argument.
struct WebSocketURL: Equatable, Sendable {
    let url: URL

    init(argument: String) throws {
        guard let url = URL(strictly: argument), let scheme = url.scheme?.lowercased(),
            ["ws", "wss", "http", "https"].contains(scheme), url.host?.isEmpty == false
        else { throw ValidationError("Give an absolute ws or wss URL, such as wss://example.com/chat.") }
        self.url = url
    }
}
