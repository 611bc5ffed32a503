import ArgumentParser
import Foundation

/// Runs the server in a separate process, which ends when its standard input ends, and thus with its parent.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves the benchmarks until the standard input ends; the other commands start it themselves."
    )

    func run() async throws {
        let server = try await BenchServer.start()
        print("\(server.plainPort) \(server.securePort)")
        fflush(nil)
        await withCheckedContinuation { ended in
            DispatchQueue.global().async {
                while let bytes = try? FileHandle.standardInput.read(upToCount: 64), !bytes.isEmpty {}
                ended.resume()
            }
        }
    }
}
