import MoyaGenerator
import Testing

@Suite("A schema has the type that a person would write")
struct SchemaTypeTests {
    /// Returns the declaration of a property `p` with a schema, of a type that responses and requests have.
    private func declaration(_ schema: String, version: String = "3.1.0", others: String = "") throws -> String {
        let schemas =
            "Animal:\n  type: object\n  required: [q]\n  properties:\n    p: \(schema)\n    q: {type: string}\n"
            + others
        let text = try generate(document(schemas: schemas, version: version)).text("Models/Animal.swift")
        return text.split(separator: "\n").first { $0.contains("var p:") }.map {
            $0.split(separator: " ").dropFirst().joined(separator: " ")
        } ?? text
    }

    @Test(
        "formats and kinds",
        arguments: [
            ("{type: string}", "p: String?"), ("{type: string, format: date-time}", "p: Date?"),
            ("{type: string, format: date}", "p: CalendarDate?"),
            ("{type: string, format: uuid}", "p: UUID?"), ("{type: string, format: uri}", "p: URL?"),
            ("{type: string, format: byte}", "p: Data?"),
            ("{type: string, contentEncoding: base64}", "p: Data?"), ("{type: string, format: password}", "p: String?"),
            ("{type: integer}", "p: Int?"), ("{type: integer, format: int32}", "p: Int?"),
            ("{type: integer, format: int64}", "p: Int64?"),
            ("{type: integer, format: unix-time}", "p: UnixTime?"), ("{type: number}", "p: Double?"),
            ("{type: number, format: float}", "p: Double?"),
            ("{type: number, format: decimal}", "p: Decimal?"), ("{type: boolean}", "p: Bool?"),
            ("{}", "p: JSONValue?"), ("true", "p: JSONValue?"),
            ("{type: array, items: {type: string}}", "p: [String]?"), ("{type: array}", "p: [JSONValue]?"),
            ("{type: array, items: {type: [string, 'null']}}", "p: [String?]?"),
            ("{type: object}", "p: [String: JSONValue]?"),
            ("{type: object, additionalProperties: {type: integer}}", "p: [String: Int]?"),
            ("{type: object, additionalProperties: false}", "p: P?"),
            ("{type: array, prefixItems: [{type: number}, {type: number}]}", "p: [Double]?"),
            ("{properties: {a: {type: string}}}", "p: P?"),
            ("{items: {type: boolean}}", "p: [Bool]?"), ("{const: x}", "p: String?"),
            ("{type: string, enum: [a]}", "p: String?"),
            ("{type: string, enum: [a, b]}", "p: P?"), ("{type: integer, enum: [1, 2]}", "p: P?"),
            ("{type: boolean, enum: [true]}", "p: Bool?"),
            ("{enum: [a, null]}", "p: String?"), ("{enum: [1.5, 2]}", "p: Double?"),
        ]
    )
    func kinds(schema: String, expected: String) throws {
        #expect(try declaration(schema) == expected)
    }

    @Test(
        "alternatives",
        arguments: [
            ("{anyOf: [{type: string}, {type: 'null'}]}", "p: String?"),
            ("{oneOf: [{type: integer}, {type: number}]}", "p: Double?"),
            ("{anyOf: [{type: string}, {type: string, format: uuid}]}", "p: String?"),
            ("{anyOf: [{type: string}, {enum: [a, b]}]}", "p: P?"),
            ("{type: [integer, number]}", "p: Double?"), ("{type: [string, integer]}", "p: StringOrInt?"),
            ("{anyOf: [{type: string}, {type: array, items: {type: string}}]}", "p: StringOrStringList?"),
            ("{oneOf: [{$ref: '#/components/schemas/Cat'}, {type: string}]}", "p: CatOrString?"),
            ("{oneOf: [{$ref: '#/components/schemas/Cat'}]}", "p: Cat?"),
            ("{allOf: [{$ref: '#/components/schemas/Cat'}]}", "p: Cat?"),
            ("{allOf: [{$ref: '#/components/schemas/Cat'}, {type: object, properties: {x: {type: string}}}]}", "p: P?"),
            (
                "{oneOf: [{required: [a]}, {required: [b]}], properties: {a: {type: string}, b: {type: string}}}",
                "p: P?"
            ),
            ("{anyOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Cat'}]}", "p: Cat?"),
        ]
    )
    func alternatives(schema: String, expected: String) throws {
        let cat = "Cat: {type: object, required: [name], properties: {name: {type: string}}}\n"
        #expect(try declaration(schema, others: cat) == expected)
    }

    @Test(
        "nullable values of OpenAPI 3.0",
        arguments: [
            ("{type: string, nullable: true}", "p: String?"),
            ("{nullable: true, allOf: [{$ref: '#/components/schemas/Cat'}]}", "p: Cat?"),
            ("{$ref: '#/components/schemas/Cat', description: hidden}", "p: Cat?"),
        ]
    )
    func nullable(schema: String, expected: String) throws {
        let cat = "Cat: {type: object, required: [name], properties: {name: {type: string}}}\n"
        #expect(try declaration(schema, version: "3.0.3", others: cat) == expected)
    }

    @Test("a value that contains itself is stored elsewhere, and lists of it are not")
    func recursion() throws {
        let schemas = """
            Node: {type: object, required: [list], properties: {next: {$ref: '#/components/schemas/Node'}, list: {type: array, items: {$ref: '#/components/schemas/Node'}}}}
            Left: {type: object, properties: {right: {$ref: '#/components/schemas/Right'}}}
            Right: {type: object, properties: {left: {$ref: '#/components/schemas/Left'}}}
            Tree: {oneOf: [{type: string}, {type: object, required: [tree], properties: {tree: {$ref: '#/components/schemas/Tree'}}}]}
            """
        let result = try generate(document(schemas: schemas))
        #expect(result.text("Models/Node.swift").contains("@Indirect var next: Node?\n    var list: [Node]\n"))
        let pair = result.text("Models/Left.swift") + result.text("Models/Right.swift")
        #expect(pair.split(separator: "@Indirect").count == 2)
        let tree = result.text("Models/Tree.swift")
        #expect(tree.contains("indirect enum Tree") || tree.contains("@Indirect var tree"))
        #expect(!result.text("Support/Indirect.swift").isEmpty)
    }

    @Test("a required member without a schema can be sent")
    func undescribedMembers() throws {
        let schemas = """
            Hook: {type: object, required: [url, team_id], properties: {url: {type: string}}}
            Closed: {type: object, required: [url, team_id], additionalProperties: false, properties: {url: {type: string}}}
            """
        let result = try generate(document(schemas: schemas))
        #expect(result.text("Models/Hook.swift").contains("    var url: String\n    var teamID: JSONValue?\n"))
        #expect(!result.text("Models/Closed.swift").contains("teamID"))
        #expect(
            result.warnings.map(\.message) == [
                "The required member \"team_id\" has no schema; it is an optional `JSONValue`."
            ]
        )
    }

    @Test("alternatives with different values of a property that some may lack are selected by these values")
    func optionalTags() throws {
        let schemas = """
            Card: {type: object, properties: {type: {type: string, enum: [scheme, card]}, number: {type: string}}}
            Wallet: {type: object, required: [type, token], properties: {type: {type: string, enum: [wallet]}, token: {type: string}}}
            Cash: {type: object, properties: {type: {type: string, enum: [cash]}}}
            Payment: {oneOf: [{$ref: '#/components/schemas/Card'}, {$ref: '#/components/schemas/Wallet'}, {$ref: '#/components/schemas/Cash'}]}
            """
        let text = try generate(document(schemas: schemas)).text("Models/Payment.swift")
        #expect(
            text.contains(
                """
                        switch try decoder.text(of: "type") {
                        case "scheme", "card": self = .card(try container.decode(Card.self))
                        case "wallet": self = .wallet(try container.decode(Wallet.self))
                        case "cash": self = .cash(try container.decode(Cash.self))
                        case nil where decoder.has("number"): self = .card(try container.decode(Card.self))
                        default: self = .unknown(try container.decode(JSONValue.self))
                        }

                """
            )
        )
    }

    @Test(
        "combined schemas that contain themselves end",
        arguments: [
            "A: {type: object, properties: {p: {allOf: [{$ref: '#/components/schemas/A'}, {type: object, properties: {q: {type: string}}}]}}}",
            "A: {type: object, properties: {x: {type: string}}, oneOf: [{$ref: '#/components/schemas/A'}, {type: object, properties: {y: {type: string}}}]}",
            "A: {type: object, properties: {x: {type: string}}, oneOf: [{allOf: [{$ref: '#/components/schemas/A'}]}, {$ref: '#/components/schemas/A'}]}",
            "A: {type: object, properties: {x: {type: string}}, oneOf: [{$ref: '#/components/schemas/A'}]}",
            """
            A: {type: object, properties: {x: {type: string}}, oneOf: [{$ref: '#/components/schemas/B'}, {type: object, properties: {y: {type: string}}}]}
            B: {type: object, properties: {z: {type: string}}, oneOf: [{$ref: '#/components/schemas/A'}, {type: object, properties: {w: {type: string}}}]}
            """,
            "A: {allOf: [{oneOf: [{$ref: '#/components/schemas/A'}, {type: string}]}, {oneOf: [{$ref: '#/components/schemas/A'}, {type: array, items: {type: string}}]}]}",
        ]
    )
    func combinedRecursion(schemas: String) throws {
        let result = try generate(document(schemas: schemas + "\n"))
        #expect(!result.text("Models/A.swift").isEmpty || !result.warnings.isEmpty)
    }

    @Test("a property that extends the type that has it is a type that contains itself")
    func extendedRecursion() throws {
        let extended =
            "{allOf: [{$ref: '#/components/schemas/Node'}, {type: object, properties: {weight: {type: number}}}]}"
        let schemas = "Node: {type: object, properties: {name: {type: string}, next: \(extended)}}\n"
        let text = try generate(document(schemas: schemas)).text("Models/Node.swift")
        #expect(text.contains("    var next: Next?\n"))
        #expect(text.contains("        @Indirect var next: Next?\n        var weight: Double?\n"))
    }

    @Test("required values with one default or one constant have it as their initial value, and optional ones do not")
    func defaults() throws {
        let schemas = """
            Animal:
              type: object
              required: [kind, legs, color, tail, size]
              properties:
                kind: {const: animal}
                legs: {type: integer, default: 4}
                color: {type: string, enum: [dark-brown, gray], default: gray}
                tail: {type: boolean, default: true}
                size: {type: number, default: 2}
                age: {type: integer, default: 1}
            """
        let text = try generate(document(schemas: schemas)).text("Models/Animal.swift")
        for line in [
            "var kind: String = \"animal\"", "var legs: Int = 4", "var color: Color = .gray", "var tail: Bool = true",
            "var size: Double = 2.0",
        ] {
            #expect(text.contains("    \(line)\n"))
        }
        #expect(text.contains("    /// The server's default is `1`.\n    var age: Int?\n"))
    }

    @Test("a type of requests and responses has optional values for those that only one direction has")
    func directions() throws {
        let schemas = """
            Animal:
              type: object
              required: [id, secret, name]
              properties:
                id: {type: integer, readOnly: true}
                secret: {type: string, writeOnly: true}
                name: {type: [string, 'null']}
            """
        let paths = """
            /animals:
              post: {operationId: add, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Animal'}}}}, responses: {'200': {description: x, content: {application/json: {schema: {$ref: '#/components/schemas/Animal'}}}}}}
            """
        let both = try generate(document(schemas: schemas, paths: paths)).text("Models/Animal.swift")
        #expect(both.contains("var id: Int?\n    var secret: String?\n    @NullEncoded var name: String?\n"))
        let none = try generate(document(schemas: schemas)).text("Models/Animal.swift")
        #expect(none.contains("var id: Int\n    var secret: String\n    var name: String?\n"))
    }
}
