import MoyaGenerator
import Testing

@Suite("An error body is decoded only for the statuses that the document lists")
struct GeneratedErrorBodyTests {
    private static let schemas = """
        Problem: {type: object, required: [text], properties: {text: {type: string}}}
        Clash: {type: object, required: [version], properties: {version: {type: integer}}}

        """

    /// Returns an operation with the types of its responses by their statuses.
    private static func operation(_ name: String, _ errors: [(String, String)]) -> String {
        let responses = errors.map { status, type in
            let schema = "{schema: {$ref: '#/components/schemas/\(type)'}}"
            return "'\(status)': {description: x, content: {application/json: \(schema)}}"
        }
        let all = ["'204': {description: x}"] + responses
        return "{operationId: \(name), responses: {\(all.joined(separator: ", "))}}"
    }

    private func text(_ operations: [[(String, String)]]) throws -> String {
        let methods = ["get", "put", "post"]
        let parts = zip(methods, operations).map { "\($0): \(Self.operation("\($0)It", $1))" }
        let paths = "/a: {\(parts.joined(separator: ", "))}\n"
        return try generate(document(schemas: Self.schemas, paths: paths)).text("Zoo.swift")
    }

    /// Errors of one operation, and the attributes of the protocol.
    @Test(
        "the errors of a single operation",
        arguments: [
            ([("404", "Problem")], "@ErrorBody(Problem.self, for: 404)\n"),
            ([("404", "Problem"), ("401", "Problem")], "@ErrorBody(Problem.self, for: 401, 404)\n"),
            (
                [("404", "Problem"), ("409", "Clash"), ("500", "Problem")],
                "@ErrorBody(Problem.self, for: 404, 500)\n@ErrorBody(Clash.self, for: 409)\n"
            ),
            ([("4XX", "Problem")], "@ErrorBody(Problem.self, for: 400...499)\n"),
            ([("404", "Problem"), ("4XX", "Problem")], "@ErrorBody(Problem.self, for: 400...499)\n"),
            (
                [("4XX", "Problem"), ("409", "Clash")],
                "@ErrorBody(Clash.self, for: 409)\n@ErrorBody(Problem.self, for: 400...499)\n"
            ),
            ([("404", "Problem"), ("default", "Problem")], "@ErrorBody(Problem.self)\n"),
            (
                [("404", "Problem"), ("4XX", "Clash"), ("default", "Problem")],
                "@ErrorBody(Problem.self, for: 404)\n@ErrorBody(Clash.self, for: 400...499)\n@ErrorBody(Problem.self)\n"
            ),
        ]
    )
    func single(errors: [(String, String)], expected: String) throws {
        let text = try text([errors])
        #expect(text.contains("\n" + expected + "protocol Zoo: Sendable {\n") || text.contains(expected + "protocol"))
        #expect(
            text.components(separatedBy: "@ErrorBody").count == expected.components(separatedBy: "@ErrorBody").count
        )
    }

    @Test("statuses whose types turn out to be equal stay separate from others")
    func equalTypes() throws {
        func response(_ status: Int) -> String {
            let own = "{type: object, required: [status], properties: {status: {type: integer, enum: [\(status)]}}}"
            let schema = "{allOf: [{$ref: '#/components/schemas/Problem'}, \(own)]}"
            return "'\(status)': {description: x, content: {application/json: {schema: \(schema)}}}"
        }
        let responses = "'204': {description: x}, \(response(403)), \(response(404))"
        let paths = "/a: {get: {operationId: a, responses: {\(responses)}}}\n"
        let text = try generate(document(schemas: Self.schemas, paths: paths)).text("Zoo.swift")
        #expect(text.contains("@ErrorBody(ZooError.self, for: 403, 404)\nprotocol"))
        #expect(text.components(separatedBy: "@ErrorBody").count == 2)
    }

    @Test("the protocol has the errors of all methods, and a method has its others")
    func common() throws {
        let text = try text([
            [("401", "Problem"), ("404", "Problem")], [("401", "Problem"), ("409", "Clash")], [("401", "Problem")],
        ])
        #expect(text.contains("\n@ErrorBody(Problem.self, for: 401)\nprotocol Zoo"))
        #expect(text.contains("@GET(\"/a\") @ErrorBody(Problem.self, for: 404)\n"))
        #expect(text.contains("@PUT(\"/a\") @ErrorBody(Clash.self, for: 409)\n"))
        #expect(text.contains("@POST(\"/a\")\n"))
    }

    @Test("a method without a documented error has none, though all others have the same one")
    func none() throws {
        let text = try text([[("default", "Problem")], [("default", "Problem")], []])
        #expect(!text.contains("@ErrorBody(Problem.self)\nprotocol"))
        #expect(text.contains("@GET(\"/a\") @ErrorBody(Problem.self)\n"))
        #expect(text.contains("@POST(\"/a\")\n"))
    }

    @Test("a range of a method does not hide a status of the protocol")
    func range() throws {
        let text = try text([
            [("404", "Problem")], [("404", "Problem"), ("4XX", "Clash")], [("404", "Problem")],
        ])
        #expect(text.contains("\n@ErrorBody(Problem.self, for: 404)\nprotocol Zoo"))
        #expect(
            text.contains("@PUT(\"/a\") @ErrorBody(Problem.self, for: 404) @ErrorBody(Clash.self, for: 400...499)\n")
        )
    }
}
