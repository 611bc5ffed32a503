import Foundation
import MoyaGenerator
import Testing

@Suite("A second run changes nothing")
struct RepeatedRunTests {
    /// A client of the example package.
    struct Client: CustomTestStringConvertible, Sendable {
        var document: String
        var target: String
        var style = Configuration.Style.api

        var testDescription: String { target }
    }

    static let clients = [
        Client(document: "trails.yaml", target: "Hiking", style: .enum),
        Client(document: "kitchen.yaml", target: "Cooking"), Client(document: "weather.har", target: "Forecasting"),
    ]

    private func generate(_ client: Client) throws -> [GeneratedFile] {
        var configuration = Configuration()
        configuration.style = client.style
        let path = examples.appendingPathComponent("Documents/\(client.document)").path
        return try Generator.generate(
            from: client.document.hasSuffix(".har") ? .recordings([path]) : .openAPI(path),
            configuration
        ).files
    }

    @Test("the example clients are those of their documents", arguments: clients)
    func examplesAreCurrent(client: Client) throws {
        let folder = OutputFolder(examples.appendingPathComponent("Sources/\(client.target)").path)
        let changes = try folder.changes(to: generate(client))
        #expect(changes.diff.isEmpty, "\(changes.diff)")
        #expect(!changes.isManifestChanged)
    }

    @Test("files keep their times, and files of the project stay as they are", arguments: clients)
    func files(client: Client) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("repeated-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        let folder = OutputFolder(url.path)
        let files = try generate(client)
        try folder.apply(folder.changes(to: files))
        let own = url.appendingPathComponent("Models/Extensions.swift")
        try Data("// mine\n".utf8).write(to: own)
        // An old time shows each file that is written again.
        let paths = try #require(FileManager.default.enumerator(atPath: url.path)?.allObjects as? [String])
        let old = Date(timeIntervalSince1970: 1_000_000)
        for path in paths {
            try FileManager.default.setAttributes(
                [.modificationDate: old],
                ofItemAtPath: url.appendingPathComponent(path).path
            )
        }

        let changes = try folder.changes(to: generate(client))
        try folder.apply(changes)

        #expect(changes.all.isEmpty && !changes.isManifestChanged)
        for path in paths {
            let attributes = try FileManager.default.attributesOfItem(atPath: url.appendingPathComponent(path).path)
            #expect(attributes[.modificationDate] as? Date == old, "\(path)")
        }
        // Without the document's parts, only the generated files go.
        try folder.apply(folder.changes(to: []))
        let left = FileManager.default.enumerator(atPath: url.path)?.allObjects as? [String]
        #expect(left?.sorted() == [".moya-generated", "Models", "Models/Extensions.swift"])
        #expect(try String(contentsOf: own, encoding: .utf8) == "// mine\n")
    }

    @Test("a changed schema changes one file")
    func oneFile() throws {
        func files(_ type: String) throws -> [GeneratedFile] {
            let schemas =
                "Cat: {type: object, properties: {age: {type: \(type)}}}\nDog: {type: object, properties: {age: {type: integer}}}\n"
            return try MoyaGeneratorTests.generate(document(schemas: schemas)).files
        }
        let (before, after) = (try files("integer"), try files("number"))
        #expect(zip(before, after).filter { $0.text != $1.text }.map(\.0.path) == ["Models/Cat.swift"])
        #expect(before.count == after.count)
    }
}
