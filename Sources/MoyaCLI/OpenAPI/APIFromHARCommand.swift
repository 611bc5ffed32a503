import ArgumentParser
import MoyaGenerator

/// The command `moya-cli api-from-har`.
struct APIFromHARCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api-from-har",
        abstract: "Generate an API and its models from recorded traffic.",
        discussion: """
            Reads HAR files of this library, a browser or a proxy. Groups the paths into templates, and infers parameters and \
            models from all requests and responses: a member that some of the values lack is optional, and texts that repeat \
            are an enumeration.

            Credentials never become part of the code: only their scheme does. Read the files before you commit them.
            """
    )

    @Argument(help: "The HAR files.", completion: .file(extensions: ["har"]))
    var files: [String]

    @OptionGroup
    var options: GenerationOptions

    func run() throws { try options.run(.recordings(files), write: { print($0) }, warn: Self.warn) }
}
