// On other platforms an application cannot start processes.
#if NIO && (os(macOS) || os(Linux))
import Foundation
import Moya

/// A separate process that runs `moya-cli serve`.
enum ServerProcess {
    /// Starts the server, runs a function with its URL, and stops the server, also if the function throws.
    ///
    /// If this process is killed, the server ends as well, because its standard input is closed.
    ///
    /// - Parameters:
    ///   - executable: The executable `moya-cli`; by default the executable of this process.
    ///   - body: The function.
    /// - Returns: The result of the function.
    /// - Throws: ``ServerProcessError``, or the error of the function.
    static func run<Value: Sendable>(
        _ executable: URL? = Bundle.main.executableURL,
        _ body: (URL) async throws -> Value
    ) async throws -> Value {
        guard let executable else { throw ServerProcessError.noExecutable }
        let process = Process()
        let input = Pipe()
        let output = Pipe()
        process.executableURL = executable
        process.arguments = ["serve", "--while-input-is-open"]
        process.standardInput = input
        process.standardOutput = output
        let ended = Promise<Void>()
        process.terminationHandler = { _ in ended.fulfill(()) }
        try process.run()
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(baseURL(from: output.fileHandleForReading)))
        } catch {
            result = .failure(error)
        }
        // Closing its input ends the server. A server that has not exited after five seconds is killed.
        try? input.fileHandleForWriting.close()
        let deadline = Task {
            try await Task.sleep(for: .seconds(5))
            kill(process.processIdentifier, SIGKILL)
        }
        await ended.wait()
        deadline.cancel()
        return try result.get()
    }

    /// Reads the URL, which is the first line of the server's output.
    private static func baseURL(from output: FileHandle) async throws -> URL {
        let line = Promise<String?>()
        // Reading blocks, which is not allowed on a thread of the cooperative pool.
        DispatchQueue.global().async {
            var bytes = Data()
            while let piece = try? output.read(upToCount: 1), piece != Data("\n".utf8) {
                guard !piece.isEmpty else { return _ = line.fulfill(nil) }
                bytes.append(piece)
            }
            line.fulfill(String(data: bytes, encoding: .utf8))
        }
        let limit = Task {
            try await Task.sleep(for: .seconds(30))
            line.fulfill(nil)
        }
        defer { limit.cancel() }
        let text = await line.wait(onCancel: nil)
        guard let text, let url = URL(string: text), url.host != nil else { throw ServerProcessError.didNotStart }
        return url
    }
}

enum ServerProcessError: Error, Equatable, LocalizedError {
    case noExecutable
    case didNotStart

    var errorDescription: String? {
        switch self {
        case .noExecutable: "The program cannot find itself to start the server. Name one with --base-url."
        case .didNotStart: "The server process did not start. Run `moya-cli serve` to see the reason."
        }
    }
}
#endif
