import MoyaGenerator
import Testing

@Suite("A list whose response has the URL of the next page is a sequence")
struct PagesTests {
    @Test(
        "the location of the URL",
        arguments: [
            ("next: {type: [string, 'null'], format: uri}", "@Paged(.nextURL(at: \"next\"))"),
            ("next_page_url: {type: string}", "@Paged(.nextURL(at: \"next_page_url\"))"),
            ("'@odata.nextLink': {type: string, format: uri}", "@Paged(.nextURL(at: \"@odata.nextLink\"))"),
            (
                "links: {type: object, properties: {pages: {type: object, properties: {next: {type: string, format: uri}}}}}",
                "@Paged(.nextURL(at: \"links.pages.next\"))"
            ),
            (
                "_links: {type: object, properties: {next: {type: object, properties: {href: {type: string}}}}}",
                "@Paged(.nextURL(at: \"_links.next.href\"))"
            ),
            (
                "next_page: {type: object, nullable: true, properties: {uri: {type: string, format: uri}}}",
                "@Paged(.nextURL(at: \"next_page.uri\"))"
            ),
            // A text that is no URL, and a type that contains itself.
            ("next: {type: string}", nil),
            ("meta: {$ref: '#/components/schemas/Meta'}", nil),
        ]
    )
    func location(member: String, expected: String?) throws {
        let schemas = """
            Item: {type: object, required: [id], properties: {id: {type: string}}}
            Meta: {type: object, properties: {meta: {$ref: '#/components/schemas/Meta'}}}
            List: {type: object, required: [items], properties: {items: {type: array, items: {$ref: '#/components/schemas/Item'}}, \(member)}}

            """
        let paths = """
            /items:
              get:
                operationId: items
                parameters:
                  - {name: offset, in: query, schema: {type: string}}
                  - {name: limit, in: query, schema: {type: integer}}
                responses: {'200': {description: x, content: {application/json: {schema: {$ref: '#/components/schemas/List'}}}}}

            """
        let text = try generate(document(schemas: schemas, paths: paths)).text("Zoo.swift")
        guard let expected else {
            #expect(text.contains("func items(offset: String?, limit: Int?) async throws -> List\n"))
            return
        }
        #expect(text.contains("@GET(\"/items\") \(expected) @KeyPath(\"items\")\n"))
        #expect(text.contains("func items(limit: Int?) async throws -> PagedSequence<Item>\n"))
        var configuration = Configuration()
        configuration.style = .enum
        let target = try generate(document(schemas: schemas, paths: paths), configuration).text("Zoo.swift")
        #expect(target.contains("    case items(offset: String? = nil, limit: Int? = nil)\n"))
    }

    /// The files of a document with a list in pages, and another operation.
    private func files(list: String, other: String = "responses: {}", style: Configuration.Style = .api) throws
        -> [String]
    {
        let schemas = """
            Item: {type: object, required: [at], properties: {at: {type: string, format: date-time}}}
            Next: {type: object, properties: {page: {type: integer}}}
            List: {type: object, required: [items], properties: {items: {type: array, items: {$ref: '#/components/schemas/Item'}}, info: {type: object, properties: {next: {$ref: '#/components/schemas/Next'}}}, next_cursor: {type: string}}}

            """
        let paths = """
            /items: {get: {operationId: items, parameters: [{name: cursor, in: query, schema: {type: string}}], responses: {'200': {description: x, content: {application/json: {schema: \(list)}}}}}}
            /other: {post: {operationId: other, \(other)}}

            """
        var configuration = Configuration()
        configuration.style = style
        return try generate(document(schemas: schemas, paths: paths), configuration).files.map(\.path)
            .filter { $0.hasPrefix("Models/") }
    }

    private static let reference = "{$ref: '#/components/schemas/List'}"

    @Test("the type of the pages is written only if other code uses it")
    func pageTypes() throws {
        let items = "items: {type: array, items: {$ref: '#/components/schemas/Item'}}"
        let inline = "{type: object, required: [items], properties: {\(items), next_cursor: {type: string}}}"
        let use = "responses: {'200': {description: x, content: {application/json: {schema: \(Self.reference)}}}}"
        let rest = ["Models/Item.swift", "Models/Next.swift"]
        let list = ["Models/List.swift"]
        #expect(try files(list: Self.reference) == rest)
        #expect(try files(list: Self.reference, other: use) == ["Models/Item.swift"] + list + ["Models/Next.swift"])
        #expect(try files(list: Self.reference, style: .enum) == ["Models/Item.swift"] + list + ["Models/Next.swift"])
        #expect(try files(list: inline) == ["Models/Item.swift"] + list + ["Models/Next.swift"])
    }

    @Test("the type of the pages stays if it contains the type of the items")
    func nestedItems() throws {
        let item = "{type: object, required: [name], properties: {name: {type: string}}}"
        let inline =
            "{type: object, required: [items], properties: {items: {type: array, items: \(item)}, next_cursor: {type: string}}}"
        #expect(try files(list: inline).contains("Models/ItemsResponse.swift"))
    }
}
