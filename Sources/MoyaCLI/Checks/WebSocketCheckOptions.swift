#if NIO && !canImport(Darwin)
import ArgumentParser
import Foundation
import FoundationNetworking
import Moya

/// The options that the checks of WebSockets share.
struct WebSocketCheckOptions: ParsableArguments {
    @Argument(help: "The server, as ws://127.0.0.1:9001.")
    var server: String

    @Option(help: "The file with the authority that issued the server's certificate, in PEM.")
    var authority: String?

    @Flag(help: "Do not offer compression.")
    var uncompressed = false

    /// Creates a session that shares nothing with others.
    func makeSession() throws -> Session {
        var connection = TransportConfiguration()
        if let authority {
            connection.serverTrustManager = ServerTrustManager(
                trustedRoots: try Certificate.certificates(contentsOf: URL(fileURLWithPath: authority)),
                includesSystemRoots: false
            )
        }
        connection.maximumConnectionsPerHost = 4_096
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.timeoutIntervalForRequest = 60
        return Session(
            transport: try NIOTransport(connection: connection),
            configuration: configuration,
            options: SessionOptions(cookieStorage: nil)
        )
    }

    func request(_ path: String) throws -> URLRequest {
        guard let url = URL(string: server + path) else { throw ValidationError("\"\(server)\" is not a URL.") }
        return URLRequest(url: url)
    }

    var compression: WebSocketCompression? { uncompressed ? nil : WebSocketCompression(minimumSize: 1) }
}
#endif
