import Foundation
import MoyaGenerator

/// Documents in memory, by their paths.
func documentFiles(_ texts: [String: String]) -> DocumentFiles {
    DocumentFiles { path in
        guard let text = texts[path] else { throw CocoaError(.fileReadNoSuchFile) }
        return Array(text.utf8)
    }
}

/// Returns the files for a document in memory.
func generate(
    _ text: String,
    _ configuration: Configuration = Configuration(),
    with others: [String: String] = [:]
) throws -> Generator.Result {
    var texts = others
    texts["api.yaml"] = text
    return try Generator.generate(from: .openAPI("api.yaml"), configuration, files: documentFiles(texts))
}

/// Returns a document with some schemas and paths.
func document(schemas: String = "", paths: String = "", version: String = "3.1.0") -> String {
    var text = "openapi: \(version)\ninfo: {title: Zoo, version: '1'}\nservers: [{url: 'https://zoo.example'}]\n"
    if !schemas.isEmpty { text += "components:\n  schemas:\n" + schemas.indented(by: 4) }
    text += paths.isEmpty ? "paths: {}\n" : "paths:\n" + paths.indented(by: 2)
    return text
}

/// The folder with the documents and the expected files.
let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")

/// The package with generated clients and their documents.
let examples = fixtures.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Examples/Packages/GeneratedClients")

extension Generator.Result {
    /// Returns the text of a file; empty for none.
    func text(_ path: String) -> String { files.first { $0.path == path }?.text ?? "" }
}

extension String {
    func indented(by count: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : String(repeating: " ", count: count) + $0 }
            .joined(separator: "\n") + "\n"
    }
}
