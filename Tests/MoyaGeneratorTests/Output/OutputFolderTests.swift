import Foundation
import MoyaGenerator
import Testing

@Suite("The folder changes only where the document has changed")
struct OutputFolderTests {
    private let url = FileManager.default.temporaryDirectory.appendingPathComponent("output-\(UUID().uuidString)")
    private var folder: OutputFolder { OutputFolder(url.path) }

    private func write(_ text: String, to path: String) throws {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func text(_ path: String) -> String? {
        try? String(contentsOf: url.appendingPathComponent(path), encoding: .utf8)
    }

    private func list(_ files: [GeneratedFile]) throws -> [String] {
        try folder.changes(to: files).all.map { "\($0.verb) \($0.path)" }
    }

    @Test("files are created, updated and removed, equal ones and others stay, and empty folders go")
    func changes() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let first = [GeneratedFile(path: "A.swift", text: "a\n"), GeneratedFile(path: "Models/B.swift", text: "b\n")]
        #expect(try list(first) == ["create A.swift", "create Models/B.swift"])
        try folder.apply(folder.changes(to: first))
        #expect(text("Models/B.swift") == "b\n")
        #expect(try list(first) == [])
        #expect(try !folder.changes(to: first).isManifestChanged)

        try write("mine\n", to: "Mine.swift")
        let second = [GeneratedFile(path: "A.swift", text: "a2\n"), GeneratedFile(path: "C.swift", text: "c\n")]
        #expect(try list(second) == ["update A.swift", "create C.swift", "remove Models/B.swift"])
        try folder.apply(folder.changes(to: second))
        #expect(text("A.swift") == "a2\n" && text("C.swift") == "c\n" && text("Mine.swift") == "mine\n")
        #expect(!FileManager.default.fileExists(atPath: url.appendingPathComponent("Models").path))
    }

    @Test("a file that the project has written is not overwritten")
    func notOwned() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        try write("mine\n", to: "A.swift")
        #expect(throws: OutputError.notOwned("A.swift")) {
            try folder.changes(to: [GeneratedFile(path: "A.swift", text: "a\n")])
        }
        // The same text is no work to lose.
        #expect(try list([GeneratedFile(path: "A.swift", text: "mine\n")]) == [])
    }

    @Test("a list of files that was changed by hand leads to no file outside of the folder")
    func escape() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        try write("../outside.swift\n/etc/hosts\nA.swift\n", to: OutputFolder.manifestName)
        try write("a\n", to: "A.swift")
        #expect(try list([]) == ["remove A.swift"])
    }

    @Test("differences are printed as diff -u does")
    func diff() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let old = (1...12).map { "line \($0)\n" }.joined()
        try folder.apply(folder.changes(to: [GeneratedFile(path: "A.swift", text: old)]))
        let new = old.replacing("line 2\n", with: "").replacing("line 12\n", with: "line 12\nline 13\n")
        let expected = """
            --- A.swift
            +++ A.swift
            @@ -1,5 +1,4 @@
             line 1
            -line 2
             line 3
             line 4
             line 5
            @@ -10,3 +9,4 @@
             line 10
             line 11
             line 12
            +line 13

            """
        #expect(try folder.changes(to: [GeneratedFile(path: "A.swift", text: new)]).diff == expected)
        let created = try folder.changes(to: [
            GeneratedFile(path: "A.swift", text: old), GeneratedFile(path: "B.swift", text: "b\n"),
        ])
        #expect(created.diff == "--- /dev/null\n+++ B.swift\n@@ -0,0 +1,1 @@\n+b\n")
    }
}
