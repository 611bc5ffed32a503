import ArgumentParser
import Dispatch

/// What the benchmark tool can't measure: contestants in turns in one process, memory, allocations; the guard; the page.
@main
struct MoyaBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moya-bench",
        abstract: "Measures what the layer costs. scripts/bench runs all of it.",
        subcommands: [
            PipelineCommand.self, NetworkCommand.self, TransferCommand.self, MemoryCommand.self, GuardCommand.self,
            PageCommand.self, RepeatCommand.self, ListCommand.self, ServeCommand.self,
        ]
    )

    /// Not async itself: then the main thread would end and leave the process to others, which ends valgrind. And detached, as
    /// the main actor waits.
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
