import Foundation

/// The clients that transfer large bodies, with a server for them.
///
/// The files are in memory where the system has `/dev/shm`, so that the speed of a disk does not count.
final class TransferPeers: Sendable {
    /// The kind of transfer.
    enum Kind: String {
        case download = "Download to a file"
        case stream = "Download to nowhere"
        case upload = "Upload from a file"
    }

    static let curl = "curl"

    private let server: Nginx
    private let children: [(title: String, process: ChildProcess?)]
    private var source: URL { server.folder.appendingPathComponent("source.bin") }
    private var target: URL { server.folder.appendingPathComponent("target.bin") }

    /// Starts the clients.
    init(_ server: Nginx, go: Peer?) throws {
        self.server = server
        let peers = try Peer.swiftPeers().prefix(1) + (go.map { [$0] } ?? [])
        children = try peers.map { ($0.title, try $0.start(connections: 1, trusting: server.certificate)) }
    }

    deinit { for child in children { child.process?.stop() } }

    /// Compares the clients.
    ///
    /// - Parameters:
    ///   - kind: The kind of transfer.
    ///   - version: The version of HTTP.
    ///   - size: The size of the body in bytes.
    ///   - rounds: The number of figures of each client.
    ///   - slice: The time for which a client repeats the transfer, at least once.
    /// - Returns: The measured race.
    /// - Throws: ``BenchFailure`` if a file can't be written.
    func race(
        _ kind: Kind,
        _ version: Nginx.Version,
        size: Int64,
        rounds: Int,
        slice: Duration
    ) async throws -> Race {
        try server.addFile(size: size)
        if kind == .upload { try Nginx.makeFile(source, size: size) }
        defer { for file in [source, target] { try? FileManager.default.removeItem(at: file) } }
        let contestants =
            children.map { child in
                Contestant(child.title) { [self] _, time in
                    try measureWithServer {
                        guard let process = child.process else { throw BenchFailure("is missing") }
                        let milliseconds = Int(time / .milliseconds(1))
                        return try Peer.slice(
                            try process.ask("\(words(for: kind, version: version, size: size)) \(milliseconds)")
                        )
                    }
                }
            } + [
                Contestant(Self.curl) { [self] _, time in
                    try measureWithServer {
                        try Self.run(curlCommand(for: kind, version: version, size: size, time: time))
                    }
                }
            ]
        let title = kind.rawValue + (version == .http1 ? "" : ", \(version.rawValue)")
        var race = Race(title, contestants, concurrency: 1)
        race.mebibytes = Double(size) / 1_048_576
        await race.run(rounds: rounds, slice: slice, turns: 1)
        return race
    }

    /// Removes the client's file, calls `measure`, and adds the processor time of the server to its figures.
    private func measureWithServer(_ measure: () throws -> Slice) throws -> Slice {
        try? FileManager.default.removeItem(at: target)
        let before = server.processorTime
        var slice = try measure()
        slice.serverTime = server.processorTime - before
        return slice
    }

    private func words(for kind: Kind, version: Nginx.Version, size: Int64) -> String {
        let base = server.base(version)
        return switch kind {
        case .download: "download \(base)/bytes/\(size) \(target.path)"
        case .stream: "download \(base)/bytes/\(size) -"
        case .upload: "upload \(base)/echo \(source.path)"
        }
    }

    private func curlCommand(for kind: Kind, version: Nginx.Version, size: Int64, time: Duration) -> [String] {
        // The number of transfers is estimated from 1 GB/s and 100 µs for each transfer.
        let each = Double(size) / 1e9 + 1e-4
        let count = min(500, max(1, Int(time / .seconds(1) / each)))
        let base = server.base(version)
        let one: [String] =
            switch kind {
            case .download: ["-o", target.path, "\(base)/bytes/\(size)"]
            case .stream: ["-o", "/dev/null", "\(base)/bytes/\(size)"]
            case .upload: ["-o", "/dev/null", "-X", "POST", "-H", "Expect:", "-T", source.path, "\(base)/echo"]
            }
        let arguments = ["-sSf", "--cacert", server.certificate, "-w", #"%{time_total}\n"#] + one
        return ["curl"] + Array(repeatElement(arguments, count: count).joined(separator: ["--next"]))
    }

    /// Runs curl, and returns figures from the times that it prints for each transfer, which do not include the start of the program.
    private static func run(_ command: [String]) throws -> Slice {
        let program = try SpawnedProgram.run(command)
        let times = program.output.split(whereSeparator: \.isNewline).compactMap { Double($0) }
        guard !times.isEmpty else { throw BenchFailure(program.output) }
        return Slice(
            requests: times.count,
            seconds: times.reduce(0, +),
            processorTime: program.processorTime
        )
    }
}
