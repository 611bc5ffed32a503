import ArgumentParser
import Dispatch

/// The program for the measurements that the benchmark tool does not support: interleaved contestants, memory, allocations, guard and
/// page.
@main
struct MoyaBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moya-bench",
        abstract: "Measures what the layer costs. scripts/bench/run runs all of it.",
        subcommands: [
            PipelineCommand.self, NetworkCommand.self, TransferCommand.self, MemoryCommand.self, CacheCommand.self,
            PeersCommand.self, PeerCommand.self, CurlCommand.self, GrowthCommand.self, LoopsCommand.self,
            FirstCommand.self,
            GuardCommand.self, PageCommand.self, RepeatCommand.self, ListCommand.self, ServeCommand.self,
        ]
    )

    /// Runs the command.
    ///
    /// The function is not async, because the main thread would then exit, which terminates valgrind. The task is detached, because
    /// the main actor is blocked.
    static func main() {
        let ended = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                var command = try parseAsRoot()
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            } catch {
                exit(withError: error)
            }
            ended.signal()
        }
        ended.wait()
    }
}
