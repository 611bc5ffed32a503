import ArgumentParser

@main
struct MoyaCLI: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moya-cli",
        abstract: "Watch Moya turn targets into requests, and answers into values.",
        discussion: "Begin with `swift run moya-cli demo`: it needs nothing but this package.",
        subcommands: [DemoCommand.self]
    )
}
