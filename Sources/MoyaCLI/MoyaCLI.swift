import ArgumentParser

@main
struct MoyaCLI: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moya-cli",
        abstract: "Watch Moya turn targets into requests, and responses into values.",
        discussion: "Begin with `swift run moya-cli demo`: it needs nothing but this package.",
        subcommands: subcommands
    )

    private static var subcommands: [any ParsableCommand.Type] {
        #if NIO && !canImport(Darwin)
            [
                DemoCommand.self, TransferCommand.self, HARCommand.self, LoadCommand.self, ServeCommand.self,
                CacheCommand.self, CacheWriterCommand.self, CacheAgentCommand.self, PeersCommand.self, FuzzCommand.self,
                SoakCommand.self, ProxyCommand.self,
            ]
        #elseif NIO
            [
                DemoCommand.self, TransferCommand.self, HARCommand.self, LoadCommand.self, ServeCommand.self,
                CacheCommand.self, CacheWriterCommand.self,
            ]
        #else
            [DemoCommand.self, TransferCommand.self, HARCommand.self, CacheCommand.self, CacheWriterCommand.self]
        #endif
    }
}
