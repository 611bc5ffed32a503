import Foundation

/// A client in a separate process.
struct Peer {
    /// The short name for options.
    let name: String
    /// The name for readers.
    let title: String
    /// The command that starts the client; nil if the client is missing.
    let command: [String]?
    /// The reasons why the client is not measured with a version of HTTP.
    var obstacles: [Nginx.Version: String] = [:]

    /// The peers in Swift, the provider first.
    static func swiftPeers() throws -> [Peer] {
        let path = try ServerProcess.ownPath()
        return SwiftPeer.allCases.map {
            var peer = Peer(name: $0.rawValue, title: $0.title, command: [path, "peer", $0.rawValue])
            switch $0 {
            case .urlSession:
                let reason = "trusts no certificate of one's own on Linux"
                peer.obstacles = [.https1: reason, .http2: reason]
            case .bareNIO: peer.obstacles = [.http2: "is for HTTP/1.1 only"]
            default: break
            }
            return peer
        }
    }

    /// Creates a peer of another language from an option: `go=/path/of/the/program`, or `go=` if it is missing.
    init(option: String) throws {
        let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw BenchFailure("\(option) is not a name and a command.") }
        name = parts[0]
        command = parts[1].isEmpty ? nil : parts[1].split(separator: " ").map(String.init)
        switch name {
        case "go": title = "Go, net/http"
        case "go-one": title = "Go, GOMAXPROCS=1"
        case "reqwest": title = "Rust, reqwest"
        case "undici":
            title = "Node, undici"
            obstacles = [.http2: "has no HTTP/2 in Node's fetch"]
        case "aiohttp":
            title = "Python, aiohttp"
            obstacles = [.http2: "has no HTTP/2"]
        default: title = name
        }
    }

    private init(name: String, title: String, command: [String]?) {
        self.name = name
        self.title = title
        self.command = command
    }

    /// Returns the reason why the peer is not measured with a version; nil if it is measured.
    func obstacle(_ version: Nginx.Version) -> String? { command == nil ? "is missing" : obstacles[version] }

    /// Starts the peer.
    ///
    /// - Parameters:
    ///   - connections: The maximum number of connections to a host.
    ///   - certificate: The path of the certificate that it trusts.
    /// - Returns: The process; nil if the peer is missing.
    /// - Throws: An error of Foundation if the program can't be started.
    func start(connections: Int, trusting certificate: String) throws -> ChildProcess? {
        try command.map { try ChildProcess($0 + ["--connections", "\(connections)", "--ca", certificate]) }
    }

    /// Returns the contestant that measures a process of the peer.
    ///
    /// - Parameters:
    ///   - child: The process.
    ///   - workload: `get` or `post`.
    ///   - base: The URL of the server.
    ///   - server: The server.
    /// - Returns: The contestant.
    func contestant(_ child: ChildProcess?, workload: String, base: String, server: Nginx) -> Contestant {
        return Contestant(title) { concurrency, time in
            guard let child else { throw BenchFailure("is missing") }
            let before = server.processorTime
            let milliseconds = Int(time / .milliseconds(1))
            let line = try child.ask("run \(workload) \(base) \(concurrency) \(milliseconds)")
            return try Self.slice(line, serverTime: server.processorTime - before)
        }
    }

    /// Parses the line that a peer printed.
    static func slice(_ line: String, serverTime: Double = 0) throws -> Slice {
        let words = line.split(separator: " ")
        guard words.first == "ok" else { throw BenchFailure(line) }
        let figures = words.dropFirst().compactMap { Double($0) }
        guard figures.count == 3, figures[0] > 0 else { throw BenchFailure("it printed \(line)") }
        return Slice(
            requests: Int(figures[0]),
            seconds: figures[1],
            processorTime: figures[2],
            serverTime: serverTime
        )
    }
}
