import ArgumentParser

/// What the benchmark tool can't measure: contestants in turns in one process, memory, allocations; the guard; the page.
@main
struct MoyaBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moya-bench",
        abstract: "Measures what the layer costs. scripts/bench runs all of it.",
        subcommands: [
            PipelineCommand.self, NetworkCommand.self, RepeatCommand.self, ListCommand.self, ServeCommand.self,
            TransferCommand.self, MemoryCommand.self, GuardCommand.self, PageCommand.self,
        ]
    )
}
