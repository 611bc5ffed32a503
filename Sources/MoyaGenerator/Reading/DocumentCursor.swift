import Foundation

/// A value of a document with its place, from which other values are reached.
package struct DocumentCursor {
    package let files: DocumentFiles
    package let file: String
    package let pointer: JSONPointer
    package let node: Node

    package var location: SourceLocation {
        SourceLocation(
            file: file,
            line: node.position.line,
            column: node.position.column,
            pointer: pointer.description
        )
    }

    /// The identity of the value as the target of references.
    package var schemaID: SchemaID { SchemaID(file: file, pointer: pointer.description) }

    /// The member with a name.
    package subscript(key: String) -> DocumentCursor? { node[key].map { descend(key, $0) } }

    /// The members of an object; empty for other values.
    package var members: [(key: String, value: DocumentCursor)] {
        (node.members?.all ?? []).map { ($0.key, descend($0.key, $0.value)) }
    }

    /// The elements of an array; empty for other values.
    package var elements: [DocumentCursor] {
        (node.elements ?? []).enumerated().map { descend("\($0.offset)", $0.element) }
    }

    private func descend(_ token: String, _ node: Node) -> DocumentCursor {
        DocumentCursor(files: files, file: file, pointer: pointer.appending(token), node: node)
    }

    /// The target of the value's `$ref`; `nil` for a value without one.
    package var referenceText: String? { node["$ref"]?.string }

    /// Returns the value that a reference in this value's file names.
    package func target(of reference: String) throws(GeneratorFailure) -> DocumentCursor {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        guard !name.contains("://") else {
            throw failure("The reference \"\(reference)\" is remote, and only local files are read.")
        }
        let unescaped = name.removingPercentEncoding ?? name
        let path = name.isEmpty ? file : DocumentFiles.path(of: unescaped, from: file)
        let root: DocumentCursor
        do throws(GeneratorFailure) {
            root = try files.root(of: path)
        } catch {
            // Messages about an invalid text have its lines.
            let isMissing = error.diagnostics.allSatisfy { $0.location.line == 0 }
            throw isMissing ? failure("The file of the reference \"\(reference)\" cannot be read.") : error
        }
        let fragment = parts.count > 1 ? parts[1] : ""
        guard let pointer = JSONPointer(fragment: fragment) else {
            guard let found = root.anchored(String(fragment)) else {
                throw failure("The reference \"\(reference)\" has no target.")
            }
            return found
        }
        var cursor = root
        for token in pointer.tokens {
            let next = Int(token).flatMap { index in
                cursor.elements.indices.contains(index) ? cursor.elements[index] : nil
            }
            guard let found = cursor[token] ?? next else {
                throw failure("The reference \"\(reference)\" has no target.")
            }
            cursor = found
        }
        return cursor
    }

    /// Returns the value itself, or the value at the end of its references.
    package func resolved() throws(GeneratorFailure) -> DocumentCursor {
        var cursor = self
        var seen: Set<SchemaID> = []
        while let reference = cursor.referenceText {
            guard seen.insert(cursor.schemaID).inserted else {
                throw failure("The reference \"\(reference)\" refers to itself.")
            }
            cursor = try cursor.target(of: reference)
        }
        return cursor
    }

    /// Returns the value whose `$anchor` has a name.
    private func anchored(_ name: String) -> DocumentCursor? {
        var pending = [self]
        while let cursor = pending.popLast() {
            if cursor.node["$anchor"]?.string == name || cursor.node["$dynamicAnchor"]?.string == name {
                return cursor
            }
            pending += cursor.members.reversed().map(\.value) + cursor.elements.reversed()
        }
        return nil
    }

    package func failure(_ message: String) -> GeneratorFailure {
        GeneratorFailure([GeneratorDiagnostic(.error, .reference, message, at: location)])
    }
}
