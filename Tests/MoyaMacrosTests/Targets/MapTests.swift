#if Macros
import MoyaMacros
import MoyaTesting
import Testing

/// Endpoints with maps.
@API("https://maps.example/v1", keys: .snakeCase)
protocol Maps: Sendable {
    @GET("/search?kind=new") func search(sortBy: String, filters: QueryMap<[String: [Int]]>, more: QueryMap<MapFilter?>)
        async throws
    @POST("/form") @FormURLEncoded @URLStyle(arrayEncoding: .noBrackets, boolEncoding: .literal)
    func form(text: String, rest: FieldMap<[MapKey: [Bool]]>, notify: QueryMap<[String: Bool]>) async throws
    @GET("/headers") @Headers(["X-A": "1", "X-B": "2"])
    func headers(extra: HeaderMap<[String: [Int]?]>, more: HeaderMap<MapHeaders>) async throws
    @GET("/any") func any(values: QueryMap<any Encodable & Sendable>, headers: HeaderMap<any Encodable & Sendable>)
        async throws
}

struct MapFilter: Encodable, Sendable {
    var minPrice = 1.5
    var tags = ["a", "b"]
    var since: Date? = Date(timeIntervalSince1970: 0)
    var none: Int?
}

enum MapKey: String, Hashable, Sendable { case first = "1st" }

struct MapHeaders: Encodable, Sendable {
    enum CodingKeys: String, CodingKey { case trace = "x-b" }

    var trace = true
}

@Suite("The entries of a map are query items, fields or headers")
struct MapTests {
    private func request(_ target: MapsAPI) throws -> URLRequest {
        try MoyaProvider<MapsAPI>.defaultEndpointMapping(for: target).urlRequest()
    }

    private func pairs(_ text: String?) -> [String] {
        (text ?? "").split(separator: "&").map { $0.removingPercentEncoding ?? "" }
    }

    @Test("the entries of dictionaries and the properties of values are query items, with the names that they have")
    func queries() throws {
        let url = try request(.search(sortBy: "n", filters: ["minAge": [1, 2]], more: MapFilter())).url
        #expect(
            pairs(url?.query(percentEncoded: true)) == [
                "kind=new", "minAge[]=1", "minAge[]=2", "minPrice=1.5", "since=1970-01-01T00:00:00Z", "sort_by=n",
                "tags[]=a", "tags[]=b",
            ]
        )
        #expect(
            pairs(try request(.search(sortBy: "n", filters: [:], more: nil)).url?.query(percentEncoded: true))
                == ["kind=new", "sort_by=n"]
        )
    }

    @Test("an entry of a map replaces the query item, the field or the header of the same name")
    func replacement() throws {
        let url = try request(.search(sortBy: "n", filters: ["kind": [], "sort_by": [3]], more: nil)).url
        #expect(pairs(url?.query(percentEncoded: true)) == ["sort_by[]=3"])
        let headers = try request(.headers(extra: ["x-a": [1, 2], "X-B": nil, "X-C": []], more: MapHeaders())).headers
        #expect(headers.dictionary == ["x-a": "1, 2", "x-b": "1"])
    }

    @Test("the fields of a form have the method's style")
    func forms() throws {
        let request = try request(.form(text: "a b", rest: [.first: [true, false]], notify: ["n": true]))
        #expect(
            pairs(request.httpBody.map { String(decoding: $0, as: UTF8.self) }) == [
                "1st=true", "1st=false", "text=a b",
            ]
        )
        #expect(request.url?.query == "n=true")
        #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded; charset=utf-8")
    }

    /// Targets that cannot be sent, and a word of the error's text.
    static let refused: [(target: MapsAPI, word: String)] = [
        (.any(values: [1, 2], headers: ["a": 1]), "values"),
        (.any(values: 5, headers: ["a": 1]), "values"),
        (.any(values: ["a": 1], headers: "text"), "headers"),
        (.any(values: ["a": 1], headers: ["a": ["b": 1]]), "headers"),
        (.any(values: ["a": 1], headers: ["a": ["b,c"]]), "headers"),
        (.any(values: ["size": Textless.big], headers: ["a": 1]), "size"),
        (.any(values: ["ratio": Double.nan], headers: ["a": 1]), "ratio"),
    ]

    @Test(
        "a map without names, or whose values have no text, is an error that names the parameter or the value",
        arguments: Self.refused.indices
    )
    func refusals(index: Int) {
        let (target, name) = Self.refused[index]
        let error = #expect(throws: MoyaError.self) { try request(target) }
        guard case .parameterEncoding? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.errorDescription?.contains(name) == true, "\(error?.errorDescription ?? "")")
    }

    @Test("a client sends maps, and a header name that is invalid is an error")
    func client() async throws {
        let transport = ScriptedTransport().on(.get, "/v1/headers", .status(204))
        let client = MapsClient(session: Session(transport: transport))
        try await client.headers(extra: ["X-Trace": [7]], more: MapHeaders())
        try transport.requests.expect(.get("/v1/headers").header("X-Trace", "7"))
        let error = await #expect(throws: MoyaError.self) {
            try await client.headers(extra: ["X\r\nY": [7]], more: MapHeaders())
        }
        #expect(error?.urlError == nil)
        #expect(transport.requests.count == 1)
    }
}
#endif
