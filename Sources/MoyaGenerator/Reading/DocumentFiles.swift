import Foundation

/// The files of a document: the root, and those that its references name.
package final class DocumentFiles {
    /// Reads the bytes of a file at a path.
    package typealias Load = (_ path: String) throws -> [UInt8]

    private let load: Load
    private var roots: [String: Result<Node, GeneratorFailure>] = [:]

    package init(load: @escaping Load) { self.load = load }

    /// Reads files of the file system.
    package static func fileSystem() -> DocumentFiles {
        DocumentFiles { path in Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
    }

    /// Returns the root value of a file, which is read once.
    package func root(of path: String) throws(GeneratorFailure) -> DocumentCursor {
        let result = roots[path] ?? read(path)
        roots[path] = result
        return DocumentCursor(files: self, file: path, pointer: JSONPointer(), node: try result.get())
    }

    private func read(_ path: String) -> Result<Node, GeneratorFailure> {
        let bytes: [UInt8]
        do {
            bytes = try load(path)
        } catch {
            let location = SourceLocation(file: path, line: 0, column: 0, pointer: "")
            return .failure(
                GeneratorFailure([GeneratorDiagnostic(.error, .reference, "The file cannot be read.", at: location)])
            )
        }
        do throws(TextError) {
            return .success(try Self.parse(bytes))
        } catch {
            let (line, column) = (error.position.line, error.position.column)
            let location = SourceLocation(file: path, line: line, column: column, pointer: "")
            return .failure(GeneratorFailure([GeneratorDiagnostic(.error, .syntax, error.message, at: location)]))
        }
    }

    /// Reads JSON if the text begins like it, and otherwise YAML.
    private static func parse(_ bytes: [UInt8]) throws(TextError) -> Node {
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return try YAMLText.parse(bytes) }
        do throws(TextError) {
            return try JSONText.parse(bytes)
        } catch {
            // A flow mapping of YAML begins like JSON.
            if let node = try? YAMLText.parse(bytes) { return node }
            throw error
        }
    }

    /// Returns the path of a file that a reference in another file names.
    static func path(of reference: String, from file: String) -> String {
        if reference.hasPrefix("/") { return reference }
        var parts = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().map(String.init)
        for part in reference.split(separator: "/").map(String.init) where part != "." {
            if part == "..", let last = parts.last, last != "..", !last.isEmpty {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }
}
