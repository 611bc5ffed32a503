import Foundation

/// The folder with the generated files, of which the project may change everything that the generator does not own.
package struct OutputFolder {
    /// The file that lists the generated files, with the hashes of their texts.
    package static let manifestName = ".moya-generated"

    private let url: URL

    package init(_ path: String) { url = URL(fileURLWithPath: path, isDirectory: true) }

    /// Returns the changes that make the folder equal to some files.
    ///
    /// - Throws: ``OutputError`` if a file that is not generated is in the way.
    package func changes(to files: [GeneratedFile]) throws -> OutputChanges {
        let owned = try ownedPaths()
        var changes = OutputChanges()
        for file in files {
            let old = try text(at: file.path)
            if let old, old != file.text, !owned.contains(file.path) { throw OutputError.notOwned(file.path) }
            if let old {
                if old != file.text { changes.all.append(.update(file, old: old)) }
            } else {
                changes.all.append(.create(file))
            }
        }
        let paths = Set(files.map(\.path))
        for path in owned.subtracting(paths).sorted() {
            if let old = try text(at: path) { changes.all.append(.remove(path, old: old)) }
        }
        changes.manifest = Self.manifest(of: files)
        changes.isManifestChanged = try text(at: Self.manifestName) != changes.manifest
        return changes
    }

    /// Writes changes.
    ///
    /// The list of files is written first, so that the next run completes an interrupted one.
    package func apply(_ changes: OutputChanges) throws {
        guard !changes.all.isEmpty || changes.isManifestChanged else { return }
        let manager = FileManager.default
        try manager.createDirectory(at: url, withIntermediateDirectories: true)
        let old = try ownedPaths()
        let new = changes.manifest.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        try write(Self.manifest(of: Array(old.union(new))), to: Self.manifestName)
        for change in changes.all {
            switch change {
            case .create(let file), .update(let file, _): try write(file.text, to: file.path)
            case .remove(let path, _): try remove(path)
            }
        }
        try write(changes.manifest, to: Self.manifestName)
    }

    private func write(_ text: String, to path: String) throws {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file, options: .atomic)
    }

    private func remove(_ path: String) throws {
        let file = url.appendingPathComponent(path)
        try FileManager.default.removeItem(at: file)
        let folder = file.deletingLastPathComponent()
        let isEmpty = (try? FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty) == true
        if isEmpty, folder.standardizedFileURL.path != url.standardizedFileURL.path {
            try FileManager.default.removeItem(at: folder)
        }
    }

    private func text(at path: String) throws -> String? {
        let file = url.appendingPathComponent(path)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    /// Returns the paths in the list of generated files, without those that would leave the folder.
    private func ownedPaths() throws -> Set<String> {
        guard let text = try text(at: Self.manifestName) else { return [] }
        let paths = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        return Set(paths.filter { !$0.hasPrefix("/") && !$0.split(separator: "/").contains("..") })
    }

    private static func manifest(of files: [GeneratedFile]) -> String { manifest(of: files.map(\.path)) }

    private static func manifest(of paths: [String]) -> String {
        "# moya-cli writes the files in this list, and removes those that it no longer writes.\n"
            + paths.sorted().map { $0 + "\n" }.joined()
    }
}

/// The differences between the folder and the files that a document generates.
package struct OutputChanges: Sendable {
    package enum Change: Sendable {
        case create(GeneratedFile)
        case update(GeneratedFile, old: String)
        case remove(String, old: String)

        package var path: String {
            switch self {
            case .create(let file), .update(let file, _): file.path
            case .remove(let path, _): path
            }
        }

        package var texts: (old: String, new: String) {
            switch self {
            case .create(let file): ("", file.text)
            case .update(let file, let old): (old, file.text)
            case .remove(_, let old): (old, "")
            }
        }

        /// The word for a list of changes.
        package var verb: String {
            switch self {
            case .create: "create"
            case .update: "update"
            case .remove: "remove"
            }
        }
    }

    package var all: [Change] = []
    package var isManifestChanged = false
    var manifest = ""

    package init() {}

    /// The changes in the form of `diff -u`.
    package var diff: String { all.map { UnifiedDiff.text($0.texts.old, $0.texts.new, path: $0.path) }.joined() }
}

/// The error of an output that would overwrite work of the project.
package enum OutputError: Error, Equatable, CustomStringConvertible {
    /// A file in the folder is not in the list of generated files.
    case notOwned(String)

    package var description: String {
        switch self {
        case .notOwned(let path):
            "The file \(path) was not generated, and is not overwritten: move it, or rename the type."
        }
    }
}
