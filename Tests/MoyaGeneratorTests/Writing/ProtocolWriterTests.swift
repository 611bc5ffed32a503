import Foundation
import MoyaGenerator
import Testing

@Suite("A method has the attributes that the document calls for")
struct ProtocolWriterTests {
    /// The first lines of each document, and the operation `POST /a` of a test.
    private func text(_ operation: String, version: String = "3.1.0", style: Configuration.Style = .api) throws
        -> String
    {
        var configuration = Configuration()
        configuration.style = style
        let item = "Item: {type: object, required: [id], properties: {id: {type: string}}}\n"
        let paths = "/a: {post: {operationId: run, \(operation)}}\n"
        return try generate(document(schemas: item, paths: paths, version: version), configuration).text("Zoo.swift")
    }

    @Test(
        "targets with many methods return their values by statements, which the compiler solves one by one",
        arguments: [30, 31]
    )
    func manyTargets(count: Int) throws {
        var configuration = Configuration()
        configuration.style = .enum
        let query = "parameters: [{name: p, in: query, schema: {type: string}}], "
        let paths = (0..<count).map { number in
            "/a\(number): {post: {operationId: run\(number), \(number == 0 ? query : "")responses: {'204': {description: x}}}}\n"
        }
        let text = try generate(document(paths: paths.joined()), configuration).text("Zoo.swift")
        let start = count > 30 ? "return " : ""
        #expect(text.contains("case .run1: \(start)\"/a1\"\n"))
        #expect(text.contains("\(start).requestParameters("))
        #expect(text.contains("return ") == (count > 30))
    }

    private static let item = "{schema: {$ref: '#/components/schemas/Item'}}"

    @Test(
        "results",
        arguments: [
            (
                "responses: {'200': {description: x, content: {application/json: \(item)}}}",
                "func run() async throws -> Item\n"
            ),
            (
                "responses: {'200': {description: x, content: {application/json: \(item)}}, '204': {description: x}}",
                "func run() async throws -> Item?\n"
            ),
            (
                "responses: {'200': {description: x, content: {application/json: \(item)}}, '201': {description: x, content: {text/plain: {}}}}",
                "@POST(\"/a\") @ByStatus\n    func run() async throws -> RunResult\n"
            ),
            (
                "responses: {'200': {description: x, headers: {ETag: {}}, content: {application/json: \(item)}}}",
                "func run() async throws -> TypedResponse<Item>\n"
            ),
            (
                "responses: {'200': {description: x, headers: {X-Total-Count: {}}, content: {application/json: \(item)}}}",
                "func run() async throws -> TypedResponse<Item>\n"
            ),
            (
                "responses: {'200': {description: x, headers: {X-Request-Id: {}}, content: {application/json: \(item)}}}",
                "func run() async throws -> Item\n"
            ),
            (
                "responses: {'200': {description: x, content: {text/event-stream: \(item)}}}",
                "@POST(\"/a\") @Stream\n    func run() async throws -> DecodedEvents<Item>\n"
            ),
            (
                "description: 'The events end with [DONE].', responses: {'200': {description: x, content: {text/event-stream: \(item)}}}",
                "@POST(\"/a\") @Stream(until: \"[DONE]\")\n    func run() async throws -> DecodedEvents<Item>\n"
            ),
            (
                "responses: {'200': {description: x, content: {text/event-stream: {}}}}",
                "func run() async throws -> ServerSentEvents\n"
            ),
            (
                "responses: {'200': {description: x, content: {application/x-ndjson: \(item)}}}",
                "@POST(\"/a\") @Stream\n    func run() async throws -> DecodedLines<Item>\n"
            ),
            (
                "responses: {'200': {description: x, content: {application/json: \(item), application/jsonl: \(item)}}}",
                "@POST(\"/a\") @Stream @Headers([\"Accept\": \"application/jsonl\"])\n    func runStream() async throws -> DecodedLines<Item>\n"
            ),
            (
                "responses: {'200': {description: x, content: {image/png: {}}}}", "func run() async throws -> Data\n"
            ),
        ]
    )
    func results(operation: String, expected: String) throws {
        #expect(try text(operation).contains(expected))
    }

    @Test(
        "requests",
        arguments: [
            (
                "parameters: [{name: Idempotency-Key, in: header, schema: {type: string}}], responses: {}",
                "@POST(\"/a\") @Idempotent(IdempotencyKeys(format: .bare))\n    func run() async throws\n"
            ),
            ("x-idempotent: true, responses: {}", "@POST(\"/a\") @Idempotent\n    func run() async throws\n"),
            (
                "parameters: [{name: filters, in: query, schema: {type: object, additionalProperties: {type: string}}}], responses: {}",
                "func run(filters: QueryMap<[String: String]?>) async throws\n"
            ),
            (
                "requestBody: {required: true, content: {application/x-www-form-urlencoded: \(item)}}, responses: {}",
                "@POST(\"/a\") @FormURLEncoded\n    func run(body: FieldMap<Item>) async throws\n"
            ),
            (
                "x-speakeasy-retries: {strategy: backoff, statusCodes: ['429', 5XX], backoff: {maxInterval: 60000, maxElapsedTime: 3600000}}, responses: {}",
                "@Retry(RetryPolicy.zoo)\n"
            ),
            ("x-fern-retries: {disabled: true}, responses: {}", "@Retry(.never)\n"),
        ]
    )
    func requests(operation: String, expected: String) throws {
        #expect(try text(operation).contains(expected))
    }

    @Test("a target has the same settings as properties")
    func targets() throws {
        let text = try text(
            "x-fern-retries: {disabled: true}, parameters: [{name: idempotency-key, in: header, required: true, schema: {type: string}}], responses: {}",
            style: .enum
        )
        #expect(text.contains("enum Zoo: TargetType, IdempotentTargetType, RetryingTargetType {"))
        #expect(text.contains("var idempotencyKeys: IdempotencyKeys? { IdempotencyKeys(format: .bare) }\n"))
        #expect(text.contains("var retryChoice: RetryChoice { .never }\n"))
        #expect(text.contains("    case run\n"))
    }

    @Test("policies of retries are stored once, so that requests share their budget")
    func policies() throws {
        let hint = "x-speakeasy-retries: {strategy: backoff, statusCodes: [503]}"
        let paths = """
            /a: {post: {operationId: a, \(hint), responses: {}}}
            /b: {post: {operationId: b, \(hint), responses: {}}, get: {operationId: c, responses: {}}}
            """
        var configuration = Configuration()
        configuration.style = .enum
        let result = try generate(document(paths: paths), configuration)
        #expect(
            result.text("Support/RetryPolicy.swift").contains(
                "    static let zoo = RetryPolicy(retryableHTTPStatusCodes: [503])\n"
            )
        )
        #expect(
            result.text("Zoo.swift").contains(
                "        case .a, .b: .retrier(RetryPolicy.zoo)\n        case .c: .inherited\n"
            )
        )
    }

    @Test("the parameters of a target are a dictionary, into which maps are merged")
    func maps() throws {
        let map = "{name: filters, in: query, schema: {type: object, additionalProperties: {type: string}}}"
        let paths = """
            /a: {get: {operationId: a, parameters: [\(map)], responses: {}}}
            /b: {get: {operationId: b, parameters: [\(map), {name: n, in: query, schema: {type: integer}}], responses: {}}}
            """
        var configuration = Configuration()
        configuration.style = .enum
        let text = try generate(document(paths: paths), configuration).text("Zoo.swift")
        #expect(text.contains("                parameters: filters ?? [:],\n"))
        #expect(
            text.contains(
                """
                                parameters: (["n": n] as [String: any Sendable])
                                    .merging(filters ?? [:]) { $1 },

                """
            )
        )
    }

    @Test("operations with a server of their own are a protocol of their own, and a target has the URL of each case")
    func servers() throws {
        let paths = """
            /files: {get: {operationId: files, tags: [files], responses: {}}}
            /files/{id}: {put: {operationId: upload, tags: [files], servers: [{url: 'https://uploads.zoo.example/v2/'}], responses: {}}}
            """
        let api = try generate(document(paths: paths))
        #expect(api.files.map(\.path) == ["Files.swift", "FilesUploads.swift"])
        #expect(api.text("FilesUploads.swift").contains("@API(\"https://uploads.zoo.example/v2\")"))
        #expect(!api.text("Files.swift").contains("upload"))
        var configuration = Configuration()
        configuration.style = .enum
        let target = try generate(document(paths: paths), configuration).text("Files.swift")
        #expect(target.contains("        case .upload: URL(string: \"https://uploads.zoo.example/v2\")!\n"))
    }

    @Test(
        "the path of a target escapes only values that may have other characters",
        arguments: [
            ("integer", "\"/a/\\(id)\"", false), ("boolean", "\"/a/\\(id)\"", false),
            ("string", "\"/a/\\(PathValue.escape(id))\"", true), ("number", "\"/a/\\(PathValue.escape(id))\"", true),
        ]
    )
    func paths(type: String, expected: String, isEscaped: Bool) throws {
        let parameter = "{name: id, in: path, required: true, schema: {type: \(type)}}"
        let paths = "/a/{id}: {get: {operationId: a, parameters: [\(parameter)], responses: {}}}\n"
        var configuration = Configuration()
        configuration.style = .enum
        let result = try generate(document(paths: paths), configuration)
        #expect(result.text("Zoo.swift").contains("case .a(let id): \(expected)\n"))
        #expect(result.text("Zoo.swift").contains("isPathEscaped") == isEscaped)
        #expect(result.text("Support/PathValue.swift").isEmpty == !isEscaped)
    }

    @Test(
        "the style of URLs has only the arguments that values need",
        arguments: [
            ("schema: {type: integer}", nil), ("schema: {$ref: '#/components/schemas/Plain'}", nil),
            ("explode: false, schema: {type: array, items: {type: string}}", nil),
            ("schema: {type: boolean}", "boolEncoding: .literal"),
            ("schema: {type: array, items: {type: string}}", "arrayEncoding: .noBrackets"),
            ("schema: {type: array, items: {type: boolean}}", "arrayEncoding: .noBrackets, boolEncoding: .literal"),
            ("style: deepObject, schema: {$ref: '#/components/schemas/Flags'}", "boolEncoding: .literal"),
            ("style: deepObject, schema: {type: array, items: {type: string}}", nil),
        ]
    )
    func styles(parameter: String, expected: String?) throws {
        let schemas = """
            Plain: {type: object, properties: {a: {type: string}}}
            Flags: {type: object, properties: {on: {type: boolean}}}

            """
        let paths = "/a: {get: {operationId: a, parameters: [{name: p, in: query, \(parameter)}], responses: {}}}\n"
        let api = try generate(document(schemas: schemas, paths: paths)).text("Zoo.swift")
        #expect(api.contains("@URLStyle") == (expected != nil))
        if let expected { #expect(api.contains("\n@URLStyle(\(expected))\nprotocol Zoo")) }
        var configuration = Configuration()
        configuration.style = .enum
        let target = try generate(document(schemas: schemas, paths: paths), configuration).text("Zoo.swift")
        let encoding = expected.map { "URLEncoding(destination: .queryString, \($0))" } ?? "URLEncoding.queryString"
        #expect(target.contains("encoding: \(encoding)\n"))
    }

    @Test(
        "the comment of a protocol is the description of its tag, or that of the document for the only protocol",
        arguments: [
            ("description: 'Keeps animals. Feeds them.'", "", ["/// Keeps animals.\n///\n/// Feeds them.\n@API"]),
            ("description: Keeps animals.", "a", ["/// Feeds the animals.\n@API"]),
            ("description: Keeps animals.", "b", ["/// Keeps animals.\n@API"]),
            ("description: Keeps animals.", "a, b", ["/// Feeds the animals.\n@API", "import MoyaMacros\n\n@API"]),
            ("contact: {}", "b", ["import MoyaMacros\n\n@API"]),
        ]
    )
    func comments(info: String, tags: String, expected: [String]) throws {
        let names = tags.isEmpty ? [""] : tags.components(separatedBy: ", ")
        let paths = names.map { name in
            "  /\(name): {get: {operationId: \(name)x, tags: [\(name)], responses: {}}}"
        }
        let text = """
            openapi: 3.1.0
            info: {title: Zoo, version: '1', \(info)}
            servers: [{url: 'https://zoo.example'}]
            tags: [{name: a, description: Feeds the animals.}, {name: b}]
            paths:
            \(paths.joined(separator: "\n"))

            """
        let files = try generate(text).files.sorted { $0.path < $1.path }
        #expect(files.count == expected.count)
        for (file, comment) in zip(files, expected) { #expect(file.text.contains(comment)) }
    }

    @Test(
        "the comment of an optional result has the statuses without a body",
        arguments: [
            (
                "'202': {description: The run waits. It takes time.}",
                "    /// The result is `nil` for 202: The run waits.\n    @POST"
            ),
            (
                "'202': {description: Later}, '204': {description: ''}",
                "    /// The result is `nil` for 202: Later.\n    ///\n    /// The result is `nil` for 204.\n    @POST"
            ),
        ]
    )
    func absences(response: String, expected: String) throws {
        let operation =
            "responses: {'200': {description: x, content: {application/json: \(Self.item)}}, \(response)}"
        let api = try text(operation)
        #expect(api.contains(expected))
        #expect(api.contains("-> Item?\n"))
        let target = try text(operation, style: .enum)
        let type = "    /// The type of the response is `Item?`.\n    ///\n"
        #expect(target.contains(type + "    /// The result is `nil` for 202: "))
    }

    @Test(
        "the comment of a method has the descriptions and the defaults of its parameters",
        arguments: [
            ("{name: n, in: query, schema: {type: integer}}", nil),
            (
                "{name: n, in: query, schema: {type: integer, default: 20}}",
                "- Parameter n: The server's default is `20`."
            ),
            (
                "{name: n, in: query, description: 'The size. It counts.', schema: {type: integer, default: 20}}",
                "- Parameter n: The size. The server's default is `20`."
            ),
            (
                "{name: n, in: query, description: The size (20 by default), deprecated: true, schema: {type: integer, default: 20}}",
                "- Parameter n: The size (20 by default). Deprecated."
            ),
            (
                "{name: n, in: query, description: The size, required: true, schema: {type: integer, default: 20}}",
                "- Parameter n: The size."
            ),
            (
                "{name: m, in: query, schema: {type: string}}, {name: n, in: query, schema: {type: string, description: A text}}, {name: X-Kind, in: header, description: A kind, schema: {type: string}}",
                "- Parameters:\n    ///   - n: A text.\n    ///   - kind: A kind."
            ),
        ]
    )
    func parameterComments(parameters: String, expected: String?) throws {
        let operation = "parameters: [\(parameters)], responses: {}"
        let api = try text(operation)
        let target = try text(operation, style: .enum)
        guard let expected else {
            #expect(!api.contains("- Parameter") && !target.contains("- Parameter"))
            return
        }
        #expect(api.contains("protocol Zoo: Sendable {\n    /// \(expected)\n    @POST"))
        #expect(target.contains("    /// POST /a.\n    ///\n    /// \(expected)\n    case run("))
    }

    @Test("a long description of a parameter is wrapped inside its list, and the body has its own")
    func wrappedParameterComments() throws {
        let words = String(repeating: "word ", count: 30) + "end"
        let text = try text(
            "summary: Runs., parameters: [{name: n, in: query, description: \(words), schema: {type: integer}}], requestBody: {description: The thing, content: {application/json: \(Self.item)}}, responses: {}"
        )
        let lines = text.split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex(of: "    /// Runs."))
        let list = ["    ///", "    /// - Parameters:", "    ///   - body: The thing."]
        try #require(lines.count > start + 5)
        #expect(Array(lines[(start + 1)...(start + 3)]) == list)
        #expect(lines[start + 4].hasPrefix("    ///   - n: word word"))
        #expect(lines[start + 5].hasPrefix("    ///     word"))
        #expect(lines[start + 5].hasSuffix(" end."))
        #expect(lines.allSatisfy { $0.count <= 120 })
    }

    @Test("a fragment in the path of the document, which tells operations apart, is not sent")
    func fragment() throws {
        let paths = """
            "/files/{id}": {put: {operationId: update, responses: {}}}
            "/files/{id}#add_link": {put: {operationId: addLink, responses: {}}}

            """
        let text = try generate(document(paths: paths)).text("Zoo.swift")
        #expect(text.components(separatedBy: "@PUT(\"/files/{id}\")\n").count == 3, "\(text)")
        #expect(text.contains("func addLink(id: String) async throws\n"), "\(text)")
    }

    @Test(
        "values of JSON are decoded and encoded as the client does",
        arguments: [("date-time", "JSONDecoder.zoo", "JSONEncoder.zoo"), ("x", "JSONDecoder()", "JSONEncoder()")]
    )
    func coders(format: String, decoder: String, encoder: String) throws {
        let schemas = """
            Item: {type: object, properties: {any: {}, at: {type: string, format: \(format)}}}

            """
        let parameter =
            "{name: item, in: query, content: {application/json: {schema: {$ref: '#/components/schemas/Item'}}}}"
        let paths = "/a: {get: {operationId: a, parameters: [\(parameter)], responses: {}}}\n"
        let result = try generate(document(schemas: schemas, paths: paths))
        #expect(result.text("Support/JSONValue.swift").contains("using decoder: JSONDecoder = \(decoder)\n"))
        #expect(result.text("Support/JSONText.swift").contains("value = try \(decoder).decode("))
        #expect(result.text("Support/JSONText.swift").contains("String(decoding: \(encoder).encode(value)"))
    }
}
