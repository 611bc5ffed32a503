#if Macros
import ArgumentParser
import Foundation
import MoyaMacrosExpansion

/// The command `moya-cli openapi-from-api`.
struct OpenAPIFromAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi-from-api",
        abstract: "Write an OpenAPI 3.1 document for the protocols with @API in Swift files.",
        discussion: """
            Reads the protocols and the models in the files, and writes the document as JSON. The schemas of the models follow from \
            their properties, CodingKeys and raw values, so name the files of the models, too. A model that decodes itself, and each part \
            of a request that OpenAPI cannot describe, gives a warning with its line.
            """
    )

    @Argument(help: "The Swift files, or folders with them.", completion: .file(extensions: ["swift"]))
    var files: [String]

    @Option(help: ArgumentHelp("Write the document to this file.", valueName: "file"), completion: .file())
    var output: String?

    @Option(help: "The title of the document. The default is the names of the protocols.")
    var title: String?

    @Option(help: ArgumentHelp("The version of the API.", valueName: "version"))
    var apiVersion = "1.0.0"

    @Option(help: ArgumentHelp("The server, in place of the base URLs of the protocols.", valueName: "url"))
    var server: String?

    @Flag(help: "Write the names of properties in snake case, as coders with the strategies for snake case do.")
    var snakeCase = false

    @Flag(help: "Treat warnings as errors.")
    var strict = false

    func run() throws {
        try run(write: { print($0, terminator: "") }, report: { FileHandle.standardError.write(Data("\($0)\n".utf8)) })
    }

    /// Writes the document; `write` receives it if there is no output file, and `report` each line of a message.
    func run(write: (String) -> Void, report: (String) -> Void) throws {
        var options = OpenAPIDescription.Options()
        options.title = title
        options.version = apiVersion
        options.server = server
        options.hasSnakeCaseProperties = snakeCase
        let sources = try files.flatMap(Self.swiftFiles).map { file in
            OpenAPIDescription.Source(name: file, text: try String(contentsOfFile: file, encoding: .utf8))
        }
        let description = OpenAPIDescription(of: sources, options: options)
        for message in description.messages {
            report("\(message.location): \(message.isError ? "error" : "warning"): \(message.text)")
        }
        guard let document = description.document, !strict || description.messages.isEmpty else {
            throw ExitCode.failure
        }
        guard let output else { return write(document) }
        try OutputFile(checking: URL(fileURLWithPath: output)).write(Data(document.utf8))
    }

    /// Returns the Swift files at a path, sorted by their paths.
    private static func swiftFiles(at path: String) throws -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ValidationError("There is no file or folder \(TerminalText(path).text).")
        }
        guard isFolder.boolValue else { return [path] }
        return (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".swift") }.sorted().map { "\(path)/\($0)" }
    }
}
#endif
