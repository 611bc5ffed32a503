#if Macros
import Testing

@testable import MoyaMacrosExpansion

@Suite("An OpenAPI document describes the protocols with @API in source files")
struct OpenAPIDescriptionTests {
    private func describe(
        _ text: String,
        _ options: OpenAPIDescription.Options = OpenAPIDescription.Options()
    ) -> OpenAPIDescription {
        OpenAPIDescription(of: [.init(name: "Shop.swift", text: text)], options: options)
    }

    @Test("a document has the operations, their parameters, bodies and responses, and the schemas of the models")
    func whole() {
        let description = describe(
            """
            /// An item.
            struct Item: Codable {
                enum CodingKeys: String, CodingKey { case name, unitPrice = "price" }

                /// The name.
                var name: String
                var unitPrice: Double?
                static let none = 1
                var isCheap: Bool { true }
            }
            struct Problem: Codable, Error { var title: String }

            @API("https://shop.example.com/v1", keys: .snakeCase) @ErrorBody(Problem.self)
            protocol Shop {
                /// Returns the items.
                @GET("/items/{kind}") @Bearer func items(kind: String, sortBy: String?, tags: [String]) async throws -> [Item]
                @POST("/items") func add(item: Body<Item>) async throws
            }
            """
        )
        #expect(description.messages.isEmpty)
        #expect(
            description.document == #"""
                {
                  "openapi": "3.1.1",
                  "info": {
                    "title": "Shop",
                    "version": "1.0.0"
                  },
                  "servers": [
                    {
                      "url": "https://shop.example.com/v1"
                    }
                  ],
                  "tags": [
                    {
                      "name": "Shop"
                    }
                  ],
                  "paths": {
                    "/items/{kind}": {
                      "get": {
                        "operationId": "items",
                        "tags": [
                          "Shop"
                        ],
                        "description": "Returns the items.",
                        "parameters": [
                          {
                            "name": "kind",
                            "in": "path",
                            "required": true,
                            "schema": {
                              "type": "string"
                            }
                          },
                          {
                            "name": "sort_by",
                            "in": "query",
                            "schema": {
                              "type": "string"
                            }
                          },
                          {
                            "name": "tags[]",
                            "in": "query",
                            "required": true,
                            "style": "form",
                            "explode": true,
                            "schema": {
                              "type": "array",
                              "items": {
                                "type": "string"
                              }
                            }
                          }
                        ],
                        "responses": {
                          "2XX": {
                            "description": "Success",
                            "content": {
                              "application/json": {
                                "schema": {
                                  "type": "array",
                                  "items": {
                                    "$ref": "#/components/schemas/Item"
                                  }
                                }
                              }
                            }
                          },
                          "default": {
                            "description": "Failure",
                            "content": {
                              "application/json": {
                                "schema": {
                                  "$ref": "#/components/schemas/Problem"
                                }
                              }
                            }
                          }
                        },
                        "security": [
                          {
                            "bearer": []
                          }
                        ]
                      }
                    },
                    "/items": {
                      "post": {
                        "operationId": "add",
                        "tags": [
                          "Shop"
                        ],
                        "requestBody": {
                          "required": true,
                          "content": {
                            "application/json": {
                              "schema": {
                                "$ref": "#/components/schemas/Item"
                              }
                            }
                          }
                        },
                        "responses": {
                          "2XX": {
                            "description": "Success"
                          },
                          "default": {
                            "description": "Failure",
                            "content": {
                              "application/json": {
                                "schema": {
                                  "$ref": "#/components/schemas/Problem"
                                }
                              }
                            }
                          }
                        }
                      }
                    }
                  },
                  "components": {
                    "schemas": {
                      "Item": {
                        "type": "object",
                        "properties": {
                          "name": {
                            "type": "string",
                            "description": "The name."
                          },
                          "price": {
                            "type": "number",
                            "format": "double"
                          }
                        },
                        "required": [
                          "name"
                        ],
                        "description": "An item."
                      },
                      "Problem": {
                        "type": "object",
                        "properties": {
                          "title": {
                            "type": "string"
                          }
                        },
                        "required": [
                          "title"
                        ]
                      }
                    },
                    "securitySchemes": {
                      "bearer": {
                        "type": "http",
                        "scheme": "bearer"
                      }
                    }
                  }
                }

                """#
        )
    }

    /// The declarations, and pieces of the document without spaces and line ends.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var models = ""
        var members: String
        var pieces: [String]
    }

    @Test("parameters, bodies and responses of each kind are described", arguments: Self.rows)
    func row(row: Row) {
        let source = "\(row.models)\n@API(\"https://a.example\")\nprotocol Shop {\n\(row.members)\n}"
        let description = describe(source)
        #expect(description.messages.isEmpty)
        let text = (description.document ?? "").filter { !$0.isWhitespace }
        for piece in row.pieces { #expect(text.contains(piece.filter { !$0.isWhitespace }), "\(piece)\n\(text)") }
    }

    static let rows = [
        Row(
            testDescription: "queries",
            models: "struct Filter: Encodable { var a: Int }\nenum Order: String { case up, down = \"desc\" }",
            members: """
                @GET("/a?kind=new&n={n}") @URLStyle(arrayEncoding: .noBrackets)
                func a(n: Int?, b: Bool, c: [Int], d: Filter, e: [String: Int], f: QueryMap<Filter>, g: Order) async throws
                """,
            pieces: [
                #"{"name":"kind","in":"query","required":true,"schema":{"type":"string","const":"new"}}"#,
                #"{"name":"n","in":"query","schema":{"type":"integer"}}"#,
                #"{"name":"b","in":"query","required":true,"schema":{"type":"integer","enum":[0,1]}}"#,
                #"{"name":"c","in":"query","required":true,"style":"form","explode":true,"schema":{"type":"array","items":{"type":"integer"}}}"#,
                ##"{"name":"d","in":"query","required":true,"style":"deepObject","explode":true,"schema":{"$ref":"#/components/schemas/Filter"}}"##,
                #"{"name":"e","in":"query","required":true,"style":"deepObject","explode":true,"schema":{"type":"object","additionalProperties":{"type":"integer"}}}"#,
                ##"{"name":"f","in":"query","style":"form","explode":true,"schema":{"$ref":"#/components/schemas/Filter"}}"##,
                #""Order":{"type":"string","enum":["up","desc"]}"#,
            ]
        ),
        Row(
            testDescription: "headers",
            members: """
                @GET("/a") @Headers(["X-A": "1", "X-B": "{b}", "Accept": "text/plain"]) @URLStyle(boolEncoding: .literal)
                func a(b: Int?, ifMatch: Header<[String]?>, on: Header<Bool>) async throws
                """,
            pieces: [
                #"{"name":"If-Match","in":"header","schema":{"type":"array","items":{"type":"string"}}}"#,
                #"{"name":"On","in":"header","required":true,"schema":{"type":"boolean"}}"#,
                #"{"name":"X-A","in":"header","required":true,"schema":{"type":"string","const":"1"}}"#,
                #"{"name":"X-B","in":"header","schema":{"type":"integer"}}],"responses""#,
            ]
        ),
        Row(
            testDescription: "bodies",
            models: "struct Item: Codable { var a: Int }",
            members: """
                @POST("/members") func members(name: String, count: Int?) async throws
                @POST("/form") @FormURLEncoded func form(name: String, tags: [Int]) async throws
                @POST("/map") @FormURLEncoded func map(name: String, rest: FieldMap<[String: String]>) async throws
                @POST("/parts") @Multipart func parts(file: URL, note: String, photos: [Data]?) async throws
                @PUT("/data") @Headers(["Content-Type": "image/png"]) func data(data: Body<Data>) async throws
                @PUT("/item") func item(item: Body<Item?>) async throws
                """,
            pieces: [
                #""application/json":{"schema":{"type":"object","properties":{"name":{"type":"string"},"count":{"type":"integer"}},"required":["name"]}}"#,
                #""application/x-www-form-urlencoded":{"schema":{"type":"object","properties":{"name":{"type":"string"},"tags[]":{"type":"array","items":{"type":"integer"}}},"required":["name","tags[]"]}}"#,
                #"{"allOf":[{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]},{"type":"object","additionalProperties":{"type":"string"}}]}"#,
                #""file":{"type":"string","contentMediaType":"application/octet-stream"},"note":{"type":"string"},"photos[]":{"type":"array","items":{"type":"string","contentMediaType":"application/octet-stream"}}"#,
                #""image/png":{"schema":{}}"#,
                ##""requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Item"}}}}"##,
            ]
        ),
        Row(
            testDescription: "responses",
            models: """
                struct Item: Codable { var a: Int }
                struct Conflict: Codable, Error { var b: Int }
                @StatusResult enum Saved {
                    @Status(200, 201) case item(TypedResponse<Item>)
                    @Status(304) case unchanged
                    @Status(500...599) case failure(Conflict)
                    case other(Response)
                }
                """,
            members: """
                @GET("/typed") @KeyPath("data.item") @ErrorBody(Conflict.self, for: 409) @ErrorBody(Conflict.self, for: 500...599)
                func typed() async throws -> TypedResponse<Item>
                @PUT("/saved") @ByStatus func saved() async throws -> Saved
                @GET("/pages") @Paged(.link) func pages() async throws -> PagedSequence<Item>
                @GET("/events") @Stream func events() async throws -> DecodedEvents<Item>
                @GET("/lines") @Stream func lines() async throws -> DecodedLines<Item>
                @GET("/text") func text() async throws -> String?
                @GET("/file") @Download func file(to file: URL) async throws
                """,
            pieces: [
                ##"{"type":"object","properties":{"data":{"type":"object","properties":{"item":{"$ref":"#/components/schemas/Item"}},"required":["item"]}},"required":["data"]}"##,
                ##""409":{"description":"Failure","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Conflict"}}}},"5XX":"##,
                ##""200":{"description":"item","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Item"}}}},"201":"##,
                #""304":{"description":"unchanged"},"5XX":{"description":"failure","content""#,
                #""default":{"description":"other"}"#,
                ##""application/json":{"schema":{"type":"array","items":{"$ref":"#/components/schemas/Item"}}}"##,
                ##""text/event-stream":{"schema":{"$ref":"#/components/schemas/Item"}}"##,
                ##""application/jsonl":{"schema":{"$ref":"#/components/schemas/Item"}}"##,
                #""text/plain":{"schema":{"type":"string"}}"#,
                #""*/*":{}"#,
            ]
        ),
        Row(
            testDescription: "types",
            models: """
                struct Page<Element: Codable>: Codable { var items: [Element]; var next: Page<Element>? }
                struct ID: RawRepresentable, Codable { var rawValue: Int64 }
                enum Level: Int, Codable { case low = 2, mid, high = 10 }
                typealias IDs = Set<ID>
                enum Outer { struct Inner: Codable { var date: Date; var id: UUID; var url: URL; var data: Data; var price: Decimal } }
                extension Outer { struct Other: Codable { let a = 1, b: UInt8; var c: Inner } }
                """,
            members: """
                @GET("/a") func a() async throws -> Page<Level>
                @GET("/b") func b() async throws -> [String: IDs]
                @GET("/c") func c() async throws -> Outer.Other
                """,
            pieces: [
                ##""PageOfLevel":{"type":"object","properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/Level"}},"next":{"$ref":"#/components/schemas/PageOfLevel"}},"required":["items"]}"##,
                #""Level":{"type":"integer","enum":[2,3,10]}"#,
                ##"{"type":"object","additionalProperties":{"type":"array","uniqueItems":true,"items":{"$ref":"#/components/schemas/ID"}}}"##,
                #""ID":{"type":"integer","format":"int64"}"#,
                #""OuterInner":{"type":"object","properties":{"date":{"type":"string","format":"date-time"},"id":{"type":"string","format":"uuid"},"url":{"type":"string","format":"uri"},"data":{"type":"string","contentEncoding":"base64"},"price":{"type":"number"}}"#,
                ##""OuterOther":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer","format":"uint8","minimum":0},"c":{"$ref":"#/components/schemas/OuterInner"}}"##,
            ]
        ),
        Row(
            testDescription: "security",
            members: """
                @GET("/a") @Basic func a() async throws
                @GET("/b") @Authorization(.custom("Token")) func b() async throws
                """,
            pieces: [
                #""security":[{"basic":[]}]"#, #""basic":{"type":"http","scheme":"basic"}"#,
                #""authorization":{"type":"http","scheme":"token"}"#,
            ]
        ),
    ]

    @Test("a part that the document omits, or a model whose form is unknown, is a message with its place")
    func messages() {
        let description = describe(
            """
            struct Own: Decodable {
                var a: Foreign
                init(from decoder: any Decoder) throws { a = Foreign() }
            }
            enum Shape: Codable { case circle(Int) }
            @API(Servers.shop)
            protocol Shop {
                @GET("/a") func own(extra: HeaderMap<[String: String]>) async throws -> Own
                @GET("/b") func shape() async throws -> Shape
                @GET func page(at link: RequestURL<URL>) async throws -> String
                @HTTP("PURGE", "/c") func purge() async throws
                @GET("/b") func again() async throws
            }
            """
        )
        #expect(description.document != nil)
        #expect(
            description.messages.map { "\($0.location) \($0.text)" } == [
                "Shop.swift:6:1 the base URL is the expression 'Servers.shop', so the document has no server",
                "Shop.swift:8:5 'own(extra:)': the document omits the headers of 'extra'",
                "Shop.swift:10:5 'page(at:)' is left out, because OpenAPI 3.1 has neither its method nor its URL",
                "Shop.swift:11:5 'purge()' is left out, because OpenAPI 3.1 has neither its method nor its URL",
                "Shop.swift:12:5 'again()' is left out, because another method has its path and its HTTP method",
                "Shop.swift:3:5 the type decodes itself, so its schema may differ from its properties",
                "Shop.swift:2:12 the type 'Foreign' is not declared in the files, so its schema allows any value",
                "Shop.swift:5:6 the enum has no raw values of String or Int, so its schema allows any value",
            ]
        )
    }

    @Test("a generic type that contains itself with longer arguments has an end")
    func endless() {
        let description = describe(
            """
            struct Chain<T: Codable>: Codable { var next: [Chain<[T]>] }
            @API("https://a.example")
            protocol Shop { @GET("/a") func a() async throws -> Chain<Int> }
            """
        )
        #expect(
            description.messages.map(\.text) == ["the type contains itself without end, so its schema allows any value"]
        )
    }

    @Test("a mistake in a protocol, and files without an API, are errors without a document")
    func errors() {
        let mistake = describe("@API(\"https://a.example\")\nprotocol Shop {\n    @GET(\"/a\") func a() -> Int\n}")
        #expect(mistake.document == nil)
        #expect(
            mistake.messages == [
                .init(
                    location: "Shop.swift:3:21",
                    text: "'a' sends a request: it must be 'async throws'",
                    isError: true
                )
            ]
        )
        let none = describe("struct A {}")
        #expect(none.document == nil && none.messages.map(\.text) == ["there is no protocol with @API and a URL"])
        #expect(describe("@API protocol All: A, B {}").document == nil)
    }

    @Test("the title, the version, the server and the case of properties may be given")
    func options() {
        var options = OpenAPIDescription.Options()
        options.title = "T \"1\"\n\u{1}"
        options.version = "2.3"
        options.server = "https://b.example"
        options.hasSnakeCaseProperties = true
        let description = describe(
            "struct Item: Codable { var unitPrice: Int }\n@API(Servers.a)\nprotocol Shop {\n@GET(\"\") func a() async throws -> Item\n}",
            options
        )
        #expect(description.messages.isEmpty)
        let text = (description.document ?? "").filter { !$0.isWhitespace }
        for piece in [
            ##""title":"T\"1\"\n\u0001","version":"2.3""##, #""url":"https://b.example""#,
            #""unit_price":{"type":"integer"}"#,
            #""paths":{"/":{"get":"#,
        ] {
            #expect(text.contains(piece), "\(piece)\n\(text)")
        }
    }

    @Test("several protocols have one document, whose operations have different IDs")
    func several() {
        let description = OpenAPIDescription(of: [
            .init(
                name: "A.swift",
                text: "@API(\"https://a.example\")\nprotocol A {\n@GET(\"/a\") func list() async throws -> Item\n}"
            ),
            .init(
                name: "B.swift",
                text: "@API(\"https://b.example\")\nprotocol B {\n@GET(\"/b\") func list() async throws -> Item\n}"
            ),
            .init(name: "Item.swift", text: "struct Item: Codable { var a: Int }"),
        ])
        #expect(description.messages.isEmpty)
        let text = (description.document ?? "").filter { !$0.isWhitespace }
        for piece in [
            #""title":"A,B""#, #""servers":[{"url":"https://a.example"},{"url":"https://b.example"}]"#,
            #""operationId":"list","tags":["A"]"#, #""operationId":"B_list","tags":["B"]"#,
        ] {
            #expect(text.contains(piece), "\(piece)\n\(text)")
        }
    }
}
#endif
