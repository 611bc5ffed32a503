import ArgumentParser
import Foundation
import MoyaGenerator

extension Configuration.Style: ExpressibleByArgument {}
extension Configuration.Access: ExpressibleByArgument {}

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

    @Option(help: ArgumentHelp("Write the files to this folder.", valueName: "folder"), completion: .directory)
    var output: String

    @Option(help: "Write protocols with @API, or enumerations that conform to TargetType.")
    var style = Configuration.Style.api

    @Option(help: "The access level of the declarations.")
    var access = Configuration.Access.internal

    @Option(help: ArgumentHelp("The name of the API. The default comes from the document's title.", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("The URL of the server, in place of the document's first.", valueName: "URL"))
    var baseURL: String?

    @Option(
        help: ArgumentHelp("Read names of types, methods and properties from this YAML file.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"])
    )
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Generate only operations with this tag, identifier or path, and the models that they need. `*` stands for any text. May be repeated.",
            valueName: "pattern"
        )
    )
    var include: [String] = []

    @Option(
        help: ArgumentHelp("Leave out operations with this tag, identifier or path. May be repeated.", valueName: "pattern")
    )
    var exclude: [String] = []

    @Flag(help: "Write nothing, and fail if the files differ from the document.")
    var check = false

    @Flag(help: "Write nothing, and print the differences.")
    var dryRun = false

    @Flag(help: "Fail if there are warnings, and write nothing then.")
    var strict = false

    func run() throws {
        try run { print($0) } warn: { FileHandle.standardError.write(Data(($0 + "\n").utf8)) }
    }

    /// Generates the files; `write` receives the lines of the output, and `warn` those of warnings and errors.
    func run(write: (String) -> Void, warn: (String) -> Void) throws {
        let result: Generator.Result
        do throws(GeneratorFailure) {
            result = try Generator.generate(from: document, try generatorConfiguration())
        } catch {
            for diagnostic in error.diagnostics { warn(diagnostic.description) }
            throw ExitCode.failure
        }
        for warning in result.warnings { warn(warning.description) }
        if strict, !result.warnings.isEmpty {
            warn("Nothing is written, because there are warnings.")
            throw ExitCode.failure
        }
        let folder = OutputFolder(output)
        let changes: OutputChanges
        do {
            changes = try folder.changes(to: result.files)
        } catch let error as OutputError {
            warn(error.description)
            throw ExitCode.failure
        }
        if dryRun {
            write(changes.diff)
        } else if check {
            for change in changes.all { warn("\(change.verb) \(change.path)") }
            if !changes.all.isEmpty || changes.isManifestChanged { throw ExitCode.failure }
        } else {
            try folder.apply(changes)
            for change in changes.all { write("\(change.verb) \(change.path)") }
        }
        write("\(result.summary)")
    }

    private func generatorConfiguration() throws(GeneratorFailure) -> Configuration {
        var configuration = Configuration()
        configuration.style = style
        configuration.access = access
        configuration.baseURL = baseURL
        configuration.filter = OperationFilter(included: include, excluded: exclude)
        if let config { try ConfigurationReader.read(config, into: &configuration, files: .fileSystem()) }
        if let name { configuration.name = name }
        return configuration
    }
}
