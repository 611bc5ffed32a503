import Foundation
import MoyaGenerator
import Testing

@Suite("Documents generate exactly the expected files")
struct ExpectedFilesTests {
    /// A document with its options, and the folder with the expected files.
    struct Example: CustomTestStringConvertible, Sendable {
        var document: String
        var folder: String
        var style = Configuration.Style.api
        var access = Configuration.Access.internal
        var config: String?

        var testDescription: String { folder }
    }

    // To update the expected files after a change, run for each example, in the folder with the documents, and read the differences:
    // moya-cli openapi library.json --output Expected/LibraryAPI --config library-names.yaml
    static let examples = [
        Example(document: "library.json", folder: "LibraryAPI", config: "library-names.yaml"),
        Example(document: "library.json", folder: "LibraryEnum", style: .enum, access: .public),
        Example(document: "assistant.yaml", folder: "AssistantAPI", access: .public),
        Example(document: "assistant.yaml", folder: "AssistantEnum", style: .enum),
    ]

    @Test("the files are equal", arguments: examples)
    func files(example: Example) throws {
        var configuration = Configuration()
        configuration.style = example.style
        configuration.access = example.access
        if let config = example.config {
            let path = fixtures.appendingPathComponent(config).path
            try ConfigurationReader.read(path, into: &configuration, files: .fileSystem())
        }
        let document = fixtures.appendingPathComponent(example.document).path
        let result = try Generator.generate(from: .openAPI(document), configuration)
        let folder = OutputFolder(fixtures.appendingPathComponent("Expected/\(example.folder)").path)
        let changes = try folder.changes(to: result.files)
        #expect(changes.diff.isEmpty, "\(changes.diff)")
        #expect(!changes.isManifestChanged)
        #expect(!result.files.isEmpty)
        // A second run has the same order.
        #expect(
            try Generator.generate(from: .openAPI(document), configuration).files
                == result.files
        )
    }
}
