#if NIO && !canImport(Darwin)
import ArgumentParser
import Foundation
import FoundationNetworking
import MoyaHTTP

/// The command `moya-cli proxy`, which `scripts/check/proxies` runs.
struct ProxyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proxy",
        abstract: "Send requests through the proxies of the environment.",
        shouldDisplay: false
    )

    @Argument(help: "The URL.")
    var url: String

    @Option(help: "The file with the authority that issued the server's certificate, in PEM.")
    var authority: String

    @Option(help: "The number of requests, each of which closes its connection.")
    var count = 1

    @Option(help: "The size of the body that is sent, in bytes.")
    var body: Int?

    func run() async throws {
        guard let url = URL(string: url) else { throw ValidationError("\"\(url)\" is not a URL.") }
        var connection = TransportConfiguration()
        connection.serverTrustManager = ServerTrustManager(
            trustedRoots: try Certificate.certificates(contentsOf: URL(fileURLWithPath: authority)),
            includesSystemRoots: false
        )
        let session = Session(transport: try Session.makeTransport(connection: connection))
        for _ in 0..<count {
            var request = URLRequest(url: url)
            request.httpMethod = body == nil ? "GET" : "POST"
            request.setValue("close", forHTTPHeaderField: "Connection")
            do {
                let body = body.map { HTTPBody.data(Data(repeating: UInt8(ascii: "x"), count: $0)) }
                let response = try await session.data(for: request, body: body)
                print(response.statusCode, String(decoding: response.data, as: UTF8.self).prefix { !$0.isNewline })
            } catch let error as URLError {
                print("error", error.code.rawValue, error.localizedDescription)
            }
        }
        await session.transport.shutdown()
    }
}
#endif
