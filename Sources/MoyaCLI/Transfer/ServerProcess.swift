#if AsyncHTTPClient
    import Foundation
    import Moya

    /// `moya-cli serve` in a process of its own.
    enum ServerProcess {
        /// Starts the server, runs a function with its URL, and ends the server, whatever the function did.
        ///
        /// A server whose parent has gone without saying so, killed for example, ends too: its standard input does.
        ///
        /// - Parameter executable: `moya-cli`, if that is not this process's own program.
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
            let ended = OneShot<Void>()
            process.terminationHandler = { _ in ended.fulfil(()) }
            try process.run()
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(baseURL(from: output.fileHandleForReading)))
            } catch {
                result = .failure(error)
            }
            // A server that does not hear that its input has ended is not asked twice.
            try? input.fileHandleForWriting.close()
            let deadline = Task {
                try await Task.sleep(for: .seconds(5))
                kill(process.processIdentifier, SIGKILL)
            }
            await ended.wait()
            deadline.cancel()
            return try result.get()
        }

        /// The first line that the server writes.
        private static func baseURL(from output: FileHandle) async throws -> URL {
            let line = OneShot<String?>()
            // Reading waits, which a thread of Swift's pool must not.
            DispatchQueue.global().async {
                var bytes = Data()
                while let piece = try? output.read(upToCount: 1), piece != Data("\n".utf8) {
                    guard !piece.isEmpty else { return _ = line.fulfil(nil) }
                    bytes.append(piece)
                }
                line.fulfil(String(data: bytes, encoding: .utf8))
            }
            let limit = Task {
                try await Task.sleep(for: .seconds(30))
                line.fulfil(nil)
            }
            defer { limit.cancel() }
            let text = await withTaskCancellationHandler {
                await line.wait()
            } onCancel: {
                line.fulfil(nil)
            }
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
            case .didNotStart: "The server did not start in a process of its own. Run `moya-cli serve` to see why."
            }
        }
    }
#endif
