import ArgumentParser
import Foundation
import MoyaGenerator

extension Configuration.Style: ExpressibleByArgument {}
extension Configuration.Access: ExpressibleByArgument {}

/// The options of the commands that generate code.
struct GenerationOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write the files to this folder.", valueName: "folder"), completion: .directory)
    var output: String

    @Option(help: "Write protocols with @API, or enumerations that conform to TargetType.")
    var style = Configuration.Style.api

    @Option(help: "The access level of the declarations.")
    var access = Configuration.Access.internal

    @Option(
        help: ArgumentHelp("The name of the API. The default comes from the title or the server.", valueName: "name")
    )
    var name: String?

    @Option(
        help: ArgumentHelp("The URL of the server, in place of the first or the most frequent one.", valueName: "URL")
    )
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
        help: ArgumentHelp(
            "Leave out operations with this tag, identifier or path. May be repeated.",
            valueName: "pattern"
        )
    )
    var exclude: [String] = []

    @Flag(help: "Write nothing, and fail if the files differ.")
    var check = false

    @Flag(help: "Write nothing, and print the differences.")
    var dryRun = false

    @Flag(help: "Fail if there are warnings, and write nothing then.")
    var strict = false

    /// Generates the files; `write` receives the lines of the output, and `warn` those of warnings and errors.
    func run(_ source: Generator.Source, write: (String) -> Void, warn: (String) -> Void) throws {
        let result: Generator.Result
        do throws(GeneratorFailure) {
            result = try Generator.generate(from: source, try configuration())
        } catch {
            for diagnostic in error.diagnostics { warn(diagnostic.description) }
            throw ExitCode.failure
        }
        for warning in result.warnings { warn(warning.description) }
        if strict, !result.warnings.isEmpty {
            warn("Nothing is written, because there are warnings.")
            throw ExitCode.failure
        }
        do {
            try writeFiles(of: result, write: write, warn: warn)
        } catch let error as OutputError {
            warn(error.description)
            throw ExitCode.failure
        }
        write("\(result.summary)")
    }

    private func writeFiles(of result: Generator.Result, write: (String) -> Void, warn: (String) -> Void) throws {
        let folder = OutputFolder(output)
        let changes = try folder.changes(to: result.files)
        if dryRun {
            write(changes.diff)
        } else if check {
            for change in changes.all { warn("\(change.verb) \(change.path)") }
            if !changes.all.isEmpty || changes.isManifestChanged { throw ExitCode.failure }
        } else {
            try folder.apply(changes)
            for change in changes.all { write("\(change.verb) \(change.path)") }
        }
    }

    private func configuration() throws(GeneratorFailure) -> Configuration {
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

extension ParsableCommand {
    /// Prints a line to the standard error.
    static func warn(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
