#if Macros
import MoyaMacros
import MoyaTesting
import Testing

struct Document: Codable, Equatable, Sendable { var text: String }
struct Clash: Codable, Error, Equatable, Sendable { var version: Int }
struct Trouble: Codable, Error, Equatable, Sendable { var title: String }

@StatusResult
enum SaveResult {
    @Status(200) case updated(Document)
    @Status(201) case created(TypedResponse<Document>)
    @Status(304) case unchanged
    @Status(409, 412) case clash(Clash)
    @Status(202) case queued(text: String?)
}

@StatusResult
enum OpenResult {
    @Status(200...299) case document(Document)
    case other(Response)
}

@API("https://documents.example") @ErrorBody(Trouble.self)
protocol Documents: Sendable {
    @PUT("/documents/{name}") @ByStatus func save(name: String, text: String) async throws -> SaveResult
    @GET("/documents/{name}") @ByStatus func open(name: String) async throws -> OpenResult
    @GET("/typed/{name}") func typed(name: String) async throws -> TypedResponse<Document>
    @GET("/typed/{name}") @KeyPath("a.b") func part(name: String) async throws(MoyaError) -> TypedResponse<[Document]?>
    @DELETE("/documents/{name}") @ErrorBody(Clash.self, for: 409, 412, 416) @ErrorBody(Clash.self, for: 420...429)
    func delete(name: String) async throws
}

@Suite("Results and errors of an API depend on the status")
struct StatusResultTests {
    private func client(_ response: ScriptedResponse, _ method: HTTPMethod, _ path: String = "/documents/a")
        -> DocumentsClient
    {
        DocumentsClient(session: Session(transport: ScriptedTransport().on(method, path, response)))
    }

    @Test("each status has its case, with the decoded body, the response or nothing")
    func cases() async throws {
        let document = ["text": "t"]
        guard case .updated(Document(text: "t")) = try await client(.json(document), .put).save(name: "a", text: "t")
        else { throw Unexpected() }
        let location = ScriptedResponse.json(document, status: 201).header("Location", "/documents/a")
        guard case .created(let created) = try await client(location, .put).save(name: "a", text: "t") else {
            throw Unexpected()
        }
        #expect(created.value == Document(text: "t"))
        #expect(created.statusCode == 201 && created.headers["Location"] == "/documents/a")
        guard case .unchanged = try await client(.status(304), .put).save(name: "a", text: "t") else {
            throw Unexpected()
        }
        for status in [409, 412] {
            let response = ScriptedResponse.json(["version": status], status: status)
            guard case .clash(let clash) = try await client(response, .put).save(name: "a", text: "t") else {
                throw Unexpected()
            }
            #expect(clash == Clash(version: status))
        }
        guard case .queued(text: nil) = try await client(.status(202), .put).save(name: "a", text: "t") else {
            throw Unexpected()
        }
        guard
            case .queued(text: "later") = try await client(.text("later", status: 202), .put).save(name: "a", text: "t")
        else { throw Unexpected() }
    }

    private struct Unexpected: Error {}

    @Test("a status without a case is refused, with the error body; a body that does not decode is an error")
    func refusals() async throws {
        for status in [203, 404] {
            let error = await #expect(throws: MoyaError.self) {
                try await client(.json(["title": "x"], status: status), .put).save(name: "a", text: "t")
            }
            #expect(error?.statusCode == status)
            if status == 404, case .underlying(let trouble as Trouble, _)? = error {
                #expect(trouble == Trouble(title: "x"))
            } else if status == 404 {
                Issue.record("\(String(describing: error))")
            }
        }
        let error = await #expect(throws: MoyaError.self) {
            try await client(.json(["x": 1], status: 409), .put).save(name: "a", text: "t")
        }
        guard case .objectMapping(_, let response)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(response.statusCode == 409)
    }

    @Test("a case for all other statuses gets their responses", arguments: [300, 404, 500])
    func others(status: Int) async throws {
        guard case .other(let response) = try await client(.text("no", status: status), .get).open(name: "a") else {
            throw Unexpected()
        }
        #expect(response.statusCode == status && response.data == Data("no".utf8))
    }

    @Test("a range of statuses has one case", arguments: [200, 203, 299])
    func ranges(status: Int) async throws {
        guard
            case .document(Document(text: "t")) = try await client(.json(["text": "t"], status: status), .get).open(
                name: "a"
            )
        else { throw Unexpected() }
    }

    @Test("a typed response has the decoded value, the status and the headers")
    func typedResponses() async throws {
        let response = ScriptedResponse.json(["text": "t"], status: 203).header("ETag", "\"1\"")
        let typed = try await client(response, .get, "/typed/a").typed(name: "a")
        #expect(typed.value == Document(text: "t"))
        #expect(typed.statusCode == 203 && typed.headers["ETag"] == "\"1\"")
        #expect(typed == TypedResponse(Document(text: "t"), response: typed.response))
        let part = try await client(.json(["a": ["b": [["text": "u"]]]]), .get, "/typed/a").part(name: "a")
        #expect(part.value == [Document(text: "u")])
        #expect(try await client(.status(204), .get, "/typed/a").part(name: "a").value == nil)
        let mock = DocumentsMock { handlers in
            handlers.typed = { TypedResponse(Document(text: $0), response: Response(statusCode: 200, data: Data())) }
        }
        #expect(try await mock.typed(name: "m").value.text == "m")
    }

    @Test(
        "the error body of a status is decoded in its own type, and others in that of the API",
        arguments: [
            (409, true), (412, true), (416, true), (420, true), (429, true), (430, false), (404, false), (413, false),
        ]
    )
    func errorBodies(status: Int, isClash: Bool) async throws {
        let body: ScriptedResponse =
            isClash ? .json(["version": 7], status: status) : .json(["title": "x"], status: status)
        let error = await #expect(throws: MoyaError.self) { try await client(body, .delete).delete(name: "a") }
        guard case .underlying(let cause, let response?)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(response.statusCode == status)
        #expect(cause as? Clash == (isClash ? Clash(version: 7) : nil))
        #expect(cause as? Trouble == (isClash ? nil : Trouble(title: "x")))
    }
}
#endif
