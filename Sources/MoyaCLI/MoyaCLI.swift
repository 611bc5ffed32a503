import ArgumentParser
import Moya
import MoyaHAR

@main
struct MoyaCLI: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moya-cli",
        abstract: "Watch Moya turn targets into requests, and responses into values.",
        discussion: """
            Begin with `swift run moya-cli demo`: it needs nothing but this package. `moya-cli get URL` shows what the library \
            does with a server.
            """,
        version: version,
        subcommands: subcommands
    )

    static func main() async {
        // The tool accepts URLSession's known crashes, because the user chooses the servers.
        URLSessionTransport.acceptsTermination = true
        await main(nil)
    }

    /// The library's version, as in the files that the library writes, and the name of its default engine.
    static var version: String {
        #if NIO && !canImport(Darwin)
        "\(HAR.Tool.moya.name) \(HAR.Tool.moya.version), on SwiftNIO"
        #else
        "\(HAR.Tool.moya.name) \(HAR.Tool.moya.version), on URLSession"
        #endif
    }

    private static var requestCommands: [any ParsableCommand.Type] {
        [
            RequestCommand<GetMethod>.self, RequestCommand<PostMethod>.self, RequestCommand<PutMethod>.self,
            RequestCommand<PatchMethod>.self, RequestCommand<DeleteMethod>.self, RequestCommand<HeadMethod>.self,
        ]
    }

    private static var subcommands: [any ParsableCommand.Type] { requestCommands + otherCommands + sourceCommands }

    /// The commands for source files.
    private static var sourceCommands: [any ParsableCommand.Type] {
        #if Macros
        [OpenAPIFromAPICommand.self]
        #else
        []
        #endif
    }

    private static var otherCommands: [any ParsableCommand.Type] {
        let everywhere: [any ParsableCommand.Type] = [
            DemoCommand.self, WebSocketCommand.self, TransferCommand.self, HARCommand.self, CacheCommand.self,
            CacheWriterCommand.self, OpenAPICommand.self, APIFromHARCommand.self,
        ]
        #if NIO && !canImport(Darwin)
        return everywhere + [
            LoadCommand.self, ServeCommand.self, CacheAgentCommand.self, PeersCommand.self, FuzzCommand.self,
            SoakCommand.self, ProxyCommand.self, SimulateCommand.self, WebSocketCasesCommand.self,
            WebSocketPeersCommand.self, WebSocketLoadCommand.self, WebSocketSoakCommand.self,
        ]
        #elseif NIO
        return everywhere + [LoadCommand.self, ServeCommand.self]
        #else
        return everywhere
        #endif
    }
}
