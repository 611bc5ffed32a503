import ArgumentParser
import Moya

@main
struct DownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download-client",
        abstract: "Download a file. An interrupted download continues with the same command."
    )

    @Argument(help: "The URL of the file.", transform: url(from:))
    var source: URL

    @Option(name: .shortAndLong, help: "The path of the new file. (default: the name in the URL)")
    var output: String?

    func validate() throws {
        if output == nil, name.isEmpty { throw ValidationError("The URL has no file name: pass --output.") }
    }

    func run() async throws {
        let file = URL(fileURLWithPath: output ?? name)
        let session = Session(interceptor: RetryPolicy(retryLimit: 3))
        let provider = MoyaProvider<Download>(session: session)
        let line = ProgressLine()
        let download = Task { try await provider.download(source, to: file, report: line.show) }
        let interrupt = Self.onInterrupt { download.cancel() }
        defer { interrupt.cancel() }
        print("Downloading \(source.absoluteString)")
        do {
            try await download.value
            line.end()
            print("Downloaded \(file.path)")
        } catch let error as MoyaError {
            line.end()
            guard error.isCancelled else {
                print(error.localizedDescription)
                throw ExitCode.failure
            }
            print("Stopped. The same command continues the download.")
            throw ExitCode(130)  // as a shell reports SIGINT
        }
    }

    private var name: String { source.path.hasSuffix("/") ? "" : source.lastPathComponent }

    /// Writes to standard error, where the progress is shown, too.
    private func print(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    /// Calls a function on Ctrl-C instead of ending the process.
    private static func onInterrupt(_ react: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler(handler: react)
        source.resume()
        return source
    }

    private static func url(from text: String) throws -> URL {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host != nil else {
            throw ValidationError("\(text) is no URL with http or https.")
        }
        return url
    }
}
