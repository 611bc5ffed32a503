import MoyaGenerator
import Testing

@Suite("Documents of all versions are read, and mistakes have their places")
struct DocumentReaderTests {
    private func errors(_ text: String, with others: [String: String] = [:]) -> [String] {
        do {
            _ = try generate(text, with: others)
            return []
        } catch let failure as GeneratorFailure {
            return failure.diagnostics.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    @Test(
        "a broken document has errors with file, line, column and pointer",
        arguments: [
            (
                "openapi: 2.9\npaths: {}",
                "api.yaml:1:10: error: The version \"2.9\" is unknown: 3.0, 3.1 and 3.2 are read. (#/openapi)"
            ),
            (
                "swagger: '2.0'",
                "api.yaml:1:10: error: The document is in Swagger 2.0: convert it to OpenAPI 3 first. (#/swagger)"
            ),
            ("info: {}", "api.yaml:1:1: error: The document has no `openapi` with a version. (#)"),
            ("- 1", "api.yaml:1:1: error: A document is an object, and not an array. (#)"),
            ("openapi: 3.1.0\npaths: []", "api.yaml:2:8: error: `paths` is an object, and not an array. (#/paths)"),
            (
                "openapi: 3.1.0\npaths: {pets: {}}",
                "api.yaml:2:15: error: The path \"pets\" does not begin with a slash. (#/paths/pets)"
            ),
            (
                "openapi: 3.1.0\npaths: {/a: {get: 1}}",
                "api.yaml:2:19: error: An operation is an object. (#/paths/~1a/get)"
            ),
            (
                "openapi: 3.1.0\npaths: {}\ncomponents: {schemas: {A: {$ref: '#/components/schemas/B'}}}",
                "api.yaml:3:27: error: The reference \"#/components/schemas/B\" has no target. (#/components/schemas/A)"
            ),
            (
                "openapi: 3.1.0\npaths: {}\ncomponents: {schemas: {A: {$ref: 'b.yaml#/B'}}}",
                "api.yaml:3:27: error: The file of the reference \"b.yaml#/B\" cannot be read. (#/components/schemas/A)"
            ),
            (
                "openapi: 3.1.0\npaths: {/a: {$ref: '#/paths/~1b'}, /b: {$ref: '#/paths/~1a'}}",
                "api.yaml:2:13: error: The reference \"#/paths/~1b\" refers to itself. (#/paths/~1a)"
            ),
            (
                "openapi: 3.1.0\npaths: {/a: {get: {parameters: [{name: x}]}}}",
                "api.yaml:2:33: error: A parameter needs `name` and `in`. (#/paths/~1a/get/parameters/0)"
            ),
            (
                "openapi: 3.1.0\npaths: {}\ncomponents: {schemas: {A: text}}",
                "api.yaml:3:27: error: A schema is an object, and not a string. (#/components/schemas/A)"
            ),
            ("{\"openapi\": \"3.1.0\",\n \"paths\": {]}", "api.yaml:2:12: error: A name in quotes is expected."),
        ]
    )
    func mistakes(text: String, expected: String) {
        #expect(errors(text).first == expected)
    }

    @Test("an error in another file has the path of that file")
    func otherFile() {
        let text = "openapi: 3.1.0\npaths: {/a: {$ref: 'paths/a.yaml'}}"
        #expect(errors(text, with: ["paths/a.yaml": "get: ["]).first?.hasPrefix("paths/a.yaml:") == true)
        let nested = ["paths/a.yaml": "get: {responses: {'200': {$ref: '../b.yaml#/nothing'}}}", "b.yaml": "{}"]
        #expect(
            errors(text, with: nested).first
                == "paths/a.yaml:1:26: error: The reference \"../b.yaml#/nothing\" has no target. (#/get/responses/200)"
        )
    }

    @Test("references lead to other files, also from there, and to anchors")
    func references() throws {
        let schemas = """
            Tiger: {$ref: 'cats/tiger.yaml'}
            Zebra: {type: object, properties: {stripes: {$ref: '#stripes'}}}
            Stripes: {$anchor: stripes, type: integer}
            """
        let result = try generate(
            document(schemas: schemas),
            with: [
                "cats/tiger.yaml":
                    "type: object\nproperties: {cub: {$ref: '#'}, keeper: {$ref: '../people.json#/keepers/0'}}",
                "people.json":
                    "{\"keepers\": [{\"type\": \"object\", \"title\": \"Keeper\", \"properties\": {\"name\": {\"type\": \"string\"}}}]}",
            ]
        )
        #expect(result.text("Models/Tiger.swift").contains("var cub: Tiger?"))
        #expect(result.text("Models/Zebra.swift").contains("var stripes: Int?"))
    }

    @Test("OpenAPI 3.2 has QUERY, further methods and the schema of items")
    func version32() throws {
        let paths = """
            /events:
              query: {operationId: findEvents, requestBody: {content: {application/json: {schema: {type: object, properties: {text: {type: string}}}}}}, responses: {'200': {description: x, content: {application/jsonl: {itemSchema: {type: integer}}}}}}
              additionalOperations:
                PURGE: {operationId: purge, responses: {'204': {description: x}}}
            """
        let text = try generate(document(paths: paths, version: "3.2.0")).text("Zoo.swift")
        #expect(text.contains("@QUERY(\"/events\") @Stream"))
        #expect(text.contains("func findEvents(body: Body<FindEventsBody?>) async throws -> DecodedLines<Int>"))
        #expect(text.contains("@HTTP(\"PURGE\", \"/events\")\n    func purge() async throws\n"))
    }
}
