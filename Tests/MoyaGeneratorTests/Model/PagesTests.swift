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
    }
}
