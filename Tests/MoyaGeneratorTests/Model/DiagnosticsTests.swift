import MoyaGenerator
import Testing

@Suite("Each feature that is left out or approximated has a warning with its place")
struct DiagnosticsTests {
    /// Returns the warnings for an operation with a parameter.
    private func warnings(schemas: String = "", paths: String = "") throws -> [String] {
        try generate(document(schemas: schemas, paths: paths)).warnings.map {
            "\($0.location.line): \($0.feature.rawValue): \($0.message) \($0.location.pointer)"
        }
    }

    @Test(
        "schemas",
        arguments: [
            ("A: {type: file}", "6: schema: The type is unknown; any value is accepted. #/components/schemas/A/type"),
            (
                "A: {type: array, prefixItems: [{type: string}, {type: integer}]}",
                "6: schema: The elements have types by their positions; any values are accepted. #/components/schemas/A"
            ),
            (
                "A: {enum: [a, 1]}",
                "6: enumeration: The enumeration has values of several kinds; any value is accepted. #/components/schemas/A"
            ),
            (
                "A: {type: array, items: {$ref: '#/components/schemas/A'}}",
                "6: schema: The schema contains itself; any value is accepted there. #/components/schemas/A"
            ),
            (
                "A: {$ref: 'https://schemas.example/a.json'}",
                "6: reference: The schema is remote, and only local files are read; any value is accepted. #/components/schemas/A"
            ),
            (
                "A: {oneOf: [{properties: {a: {type: string}}}, {properties: {a: {type: integer}}}]}",
                "6: union: Several alternatives have no required property; the first that can be decoded is used. #/components/schemas/A"
            ),
            (
                "A: {oneOf: [{type: string}, {type: integer}], discriminator: {}}",
                "6: union: The discriminator has no `propertyName`, and is ignored. #/components/schemas/A/discriminator"
            ),
        ]
    )
    func schemas(schema: String, expected: String) throws {
        #expect(try warnings(schemas: schema) == [expected])
    }

    @Test(
        "operations",
        arguments: [
            (
                "parameters: [{name: a, in: header, schema: {type: object, properties: {b: {type: string}}}}]",
                "parameter: An object in the header is a string that the caller writes. #/paths/~1a/post/parameters/0"
            ),
            (
                "parameters: [{name: a, in: query, explode: false, schema: {type: object, additionalProperties: true}}]",
                "parameter: The members of the object are written as \"a[member]\". #/paths/~1a/post/parameters/0"
            ),
            (
                "parameters: [{name: a, in: query, style: fancy, schema: {type: string}}]",
                "parameter: The style \"fancy\" is unknown; \"form\" is used. #/paths/~1a/post/parameters/0"
            ),
            (
                "parameters: [{name: b, in: path, required: true, schema: {type: string}}]",
                "parameter: The path has no \"{b}\"; the parameter is ignored. #/paths/~1a/post/parameters/0"
            ),
            (
                "requestBody: {content: {application/xml: {schema: {type: string}}}}",
                "body: The body is application/xml, which the caller encodes. #/paths/~1a/post/requestBody/content/application~1xml"
            ),
            (
                "requestBody: {content: {multipart/form-data: {schema: {type: object}}}}",
                "body: The multipart body has no properties; no part is sent. #/paths/~1a/post/requestBody/content/multipart~1form-data"
            ),
            (
                "responses: {OK: {description: x}}",
                "response: The status \"OK\" is unknown; the response is ignored. #/paths/~1a/post/responses/OK"
            ),
            (
                "responses: {'200': {description: x, content: {text/xml: {}}}}",
                "response: The response is text/xml, whose text is returned. #/paths/~1a/post/responses/200/content/text~1xml"
            ),
            (
                "security: [{unknown: []}]",
                "security: The security scheme is unknown; no credentials are sent. #/paths/~1a/post"
            ),
        ]
    )
    func operations(operation: String, expected: String) throws {
        #expect(try warnings(paths: "/a: {post: {\(operation)}}\n") == ["5: " + expected])
    }

    @Test("servers")
    func servers() throws {
        let none = try generate("openapi: 3.0.0\ninfo: {title: x}\npaths: {}").warnings.map(\.message)
        #expect(none == ["The document has no server; `http://localhost` is used. `--base-url` sets another URL."])
        let problems = [
            ("/v1", "is relative", "http://localhost/v1"), ("https://", "has no host", "http://localhost"),
            ("https://{name}/v2/", "has a variable without a default", "http://localhost/v2"),
        ]
        for (url, problem, used) in problems {
            let operation = "paths: {/a: {get: {responses: {}}}}"
            let result = try generate("openapi: 3.0.0\ninfo: {title: Zoo}\nservers: [{url: '\(url)'}]\n\(operation)")
            #expect(
                result.warnings.map(\.message) == [
                    "The URL \"\(url)\" \(problem); `http://localhost` is its server. `--base-url` sets another URL."
                ]
            )
            #expect(result.text("Zoo.swift").contains("@API(\"\(used)\")"))
        }
        var configuration = Configuration()
        configuration.baseURL = "https://zoo.example"
        #expect(try generate("openapi: 3.0.0\ninfo: {title: x}\npaths: {}", configuration).warnings.isEmpty)
    }

    @Test("the summary counts operations, types, files, lines and warnings")
    func summary() throws {
        let result = try generate(
            document(schemas: "A: {type: object, properties: {b: {type: file}}}\n", paths: "/a: {get: {}}\n")
        )
        #expect(
            "\(result.summary)"
                == "1 operations and 1 types in 3 files with \(result.files.reduce(0) { $0 + $1.text.count { $0 == "\n" } }) lines, with 1 warning (schema 1)"
        )
    }
}
