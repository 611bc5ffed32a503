import Foundation

/// The server of the benchmarks in a child process.
struct ServerProcess {
    /// The URL for HTTP/1.1.
    let plain: URL
    /// The URL for HTTP/2 over TLS.
    let secure: URL

    private let input: Pipe

    /// Starts the server, which ends with this process or by ``stop()``.
    static func start() throws -> ServerProcess {
        let process = Process()
        let input = Pipe()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: try ownPath())
        process.arguments = ["serve"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let ports = try line(from: output.fileHandleForReading).split(separator: " ").compactMap { Int($0) }
        guard ports.count == 2, let plain = URL(string: "http://127.0.0.1:\(ports[0])"),
            let secure = URL(string: "https://localhost:\(ports[1])")
        else { throw BenchFailure("The server did not start: run `moya-bench serve` to see why.") }
        return ServerProcess(plain: plain, secure: secure, input: input)
    }

    /// Stops the server.
    func stop() { try? input.fileHandleForWriting.close() }

    /// The path of this program.
    static func ownPath() throws -> String {
        guard let path = Bundle.main.executablePath else { throw BenchFailure("The program can't find itself.") }
        return path
    }

    private static func line(from output: FileHandle) throws -> String {
        var bytes = Data()
        while let piece = try output.read(upToCount: 1), !piece.isEmpty, piece != Data("\n".utf8) { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The reason why a measurement failed.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
