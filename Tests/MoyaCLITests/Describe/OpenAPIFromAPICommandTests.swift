#if Macros
import ArgumentParser
import Foundation
import Moya
import Testing

@testable import moya_cli

@Suite("moya-cli openapi-from-api writes the document of a protocol")
struct OpenAPIFromAPICommandTests {
    private static let api = """
        @API("https://a.example")
        protocol Shop {
            @GET("/items") func items() async throws -> [Item]
        }
        """

    /// Runs the command on a folder with files, and returns the printed document and the messages.
    private func run(
        _ files: [String: String],
        _ arguments: [String] = [],
        then check: (URL) throws -> Void = { _ in }
    ) async throws -> (document: String, messages: [String]) {
        try await TemporaryFolder.use { folder in
            for (name, text) in files {
                let file = folder.appendingPathComponent(name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(text.utf8).write(to: file)
            }
            let arguments = arguments.map { $0.replacingOccurrences(of: "OUT", with: folder.path) }
            let parsed = try MoyaCLI.parseAsRoot(["openapi-from-api", folder.path] + arguments)
            let command = try #require(parsed as? OpenAPIFromAPICommand)
            var (document, messages) = ("", [String]())
            defer { #expect(messages.allSatisfy { $0.contains(".swift:") }) }
            try command.run(write: { document += $0 }, report: { messages.append($0) })
            try check(folder)
            return (document, messages.map { $0.replacingOccurrences(of: folder.path + "/", with: "") })
        }
    }

    @Test("the command reads all Swift files of a folder, and prints the document")
    func printing() async throws {
        let files = [
            "Shop.swift": Self.api, "Models/Item.swift": "struct Item: Codable { var unitPrice: Int }", "a.txt": "x",
        ]
        let (document, messages) = try await run(files, ["--title", "T", "--api-version", "2", "--snake-case"])
        #expect(messages.isEmpty)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any])
        #expect(object["openapi"] as? String == "3.1.1")
        #expect((object["info"] as? [String: String]) == ["title": "T", "version": "2"])
        #expect(document.contains("\"unit_price\""))
    }

    @Test("the command writes the document to a file, and reports warnings with their place")
    func writing() async throws {
        let (document, messages) = try await run(["Shop.swift": Self.api], ["--output", "OUT/api.json"]) { folder in
            let text = try String(contentsOf: folder.appendingPathComponent("api.json"), encoding: .utf8)
            #expect(text.contains("\"operationId\": \"items\""))
        }
        #expect(document.isEmpty)
        #expect(
            messages == [
                "Shop.swift:3:50: warning: the type 'Item' is not declared in the files, so its schema allows any value"
            ]
        )
    }

    @Test("an error, or a warning in strict mode, fails without a document")
    func failures() async throws {
        for (files, arguments) in [
            (["Shop.swift": Self.api], ["--strict"]), (["Shop.swift": "struct A {}"], []),
            (["Shop.swift": Self.api.replacingOccurrences(of: "async ", with: "")], []),
        ] {
            await #expect(throws: ExitCode.self) { try await run(files, arguments + ["--output", "OUT/api.json"]) }
        }
        await #expect(throws: ValidationError.self) { try await run([:], ["OUT/missing.swift"]) }
    }
}
#endif
