import ArgumentParser
import MoyaGenerator

/// The command `moya-cli openapi`.
struct OpenAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Generate an API and its models from an OpenAPI document.",
        discussion: """
            Reads OpenAPI 3.0, 3.1 and 3.2 in JSON or YAML, with references to other local files. Writes one file for each \
            tag and one for each model, which belong to the project: read them, and commit them.

            Running the command again changes only the files whose part of the document has changed, and removes the \
            files of removed parts. Files that it has not written stay as they are.

            Each feature of the document that the code lacks or approximates is a warning with its line and JSON pointer.
            """
    )

    @Argument(help: "The document.", completion: .file(extensions: ["json", "yaml", "yml"]))
    var document: String

    @OptionGroup
    var options: GenerationOptions

    func run() throws { try options.run(.openAPI(document), write: { print($0) }, warn: Self.warn) }
}
