#if Macros
import MoyaMacros
import TestSupport
import Testing

typealias MaybeNumber = Int?
typealias Numbers = [String: Rank]

/// Endpoints with types of every kind at every place.
@API("https://places.example", keys: .snakeCase)
protocol Places: Sendable {
    @GET("/query")
    func query(
        sortKeys: [Direction]?,
        ranks: Set<Rank>,
        byName: [String: Direction],
        nested: [[Direction]],
        numbers: [Rank?],
        place: Place?,
        since: Query<[Date]?>
    ) async throws
    @GET("/template?sort={sortKeys}&id={id}&on={isOn}")
    func template(sortKeys: [Direction]?, id: Reference, isOn: Bool) async throws
    @POST("/form") @FormURLEncoded @URLStyle(arrayEncoding: .noBrackets, boolEncoding: .literal)
    func form(sortKeys: [Direction]?, ranks: Set<Rank>, isOn: Bool, person: Person) async throws
    @GET("/path/{id}/{isOn}/{day}/{rank}/{version}")
    func path(id: Identifier, isOn: Bool, day: Date, rank: Rank, version: Version) async throws
    @DELETE("/literal/{isOn}") @URLStyle(boolEncoding: .literal)
    @Headers(["X-On": "on={isOn}", "X-Ranks": "{ranks}"])
    func literal(isOn: Bool, ranks: [Rank]?) async throws
    @GET("/header")
    func header(ids: Header<[Int]>, tag: Header<Data?>, days: Header<Set<Date>>, isOn: Header<Bool>) async throws
    @GET("/person") func person(_ person: Header<Person>) async throws
    @GET("/person/{person}") func person(path person: Person) async throws
    @POST("/parts") @Multipart
    func parts(
        photos: [URL],
        thumbs: [Data]?,
        taken: Date,
        isPublic: Bool,
        sortKeys: Set<Direction>?,
        person: Part<Person>,
        own: [MultipartFormData],
        note: Query<[String]>
    ) async throws
    @PUT("/parts") @Multipart @URLStyle(arrayEncoding: .noBrackets, boolEncoding: .literal)
    func plainParts(photos: [URL?], isPublic: Bool) async throws
    @POST("/parts") @Multipart func onlyText(_ size: Textless) async throws
    @GET("/names/{style}/{encoder}") @URLStyle(boolEncoding: .literal) @Headers(["X-A": "{a}-{in}"])
    func names(style: Bool, encoder: Order, a: [Rank], `in`: String, keep: Header<Bool>) async throws
    @GET("/alias/{maybe}") func alias(maybe: MaybeNumber, values: Query<Numbers>, texts: Header<Numbers>)
        async throws
    @GET("/any") func erased(value: any Encodable & Sendable, values: [any Sendable], text: Header<any Sendable>)
        async throws
    @GET("/apiEncoder") func apiEncoder(größe: Int) async throws
}

@Suite("Parameters of every type can be sent at every place")
struct ParameterPlaceTests {
    private func request(_ target: PlacesAPI) throws -> URLRequest {
        try MoyaProvider<PlacesAPI>.defaultEndpointMapping(for: target).urlRequest()
    }

    private func pairs(_ text: String?) -> [String] {
        (text ?? "").split(separator: "&").map { $0.removingPercentEncoding ?? "" }
    }

    private func query(_ target: PlacesAPI) throws -> [String] {
        pairs(try request(target).url?.query(percentEncoded: true))
    }

    @Test("a query accepts raw values, in optionals, lists, sets and dictionaries")
    func queries() throws {
        let target = PlacesAPI.query(
            sortKeys: [.down],
            ranks: [.second, .first],
            byName: ["a": .up],
            nested: [[.up], []],
            numbers: [.first, nil],
            place: Place(),
            since: [Date(timeIntervalSince1970: 0)]
        )
        #expect(
            try query(target) == [
                "by_name[a]=asc end", "nested[][]=asc end", "numbers[]=1", "place[direction]=asc end",
                "place[isOpen]=1", "place[tags][]=1", "place[tags][]=2", "place[x]=1.5", "ranks[]=1", "ranks[]=2",
                "since[]=1970-01-01T00:00:00Z", "sort_keys[]=desc/end",
            ]
        )
        let empty = PlacesAPI.query(
            sortKeys: nil,
            ranks: [],
            byName: [:],
            nested: [],
            numbers: [nil],
            place: nil,
            since: nil
        )
        #expect(try query(empty) == [])
    }

    @Test("a query in a path template accepts the same types as other queries")
    func templates() throws {
        let id = Reference(rawValue: Identifier(rawValue: "i"))
        #expect(
            try query(.template(sortKeys: [.up, .down], id: id, isOn: false))
                == ["id=i", "on=0", "sort[]=asc end", "sort[]=desc/end"]
        )
    }

    @Test("a form accepts the same types as a query and has the endpoint's style")
    func forms() throws {
        let target = PlacesAPI.form(
            sortKeys: [.up],
            ranks: [.second, .first],
            isOn: true,
            person: Person(name: "Ada")
        )
        let body = try request(target).httpBody.map { String(decoding: $0, as: UTF8.self) }
        #expect(
            pairs(body) == ["is_on=true", "person[name]=Ada", "ranks=1", "ranks=2", "sort_keys=asc end"]
        )
    }

    @Test("a path and headers accept the same types as a query")
    func pathsAndHeaders() throws {
        let path = PlacesAPI.path(
            id: Identifier(rawValue: "a/b"),
            isOn: true,
            day: Date(timeIntervalSince1970: 0),
            rank: .second,
            version: Version(1, 2)
        )
        #expect(try request(path).url?.absoluteString.hasSuffix("/path/a%2Fb/1/1970-01-01T00:00:00Z/2/1.2") == true)
        let literal = try request(.literal(isOn: true, ranks: [.first, .second]))
        #expect(literal.url?.path == "/literal/true")
        #expect(literal.headers.dictionary == ["X-On": "on=true", "X-Ranks": "1, 2"])
        #expect(try request(.literal(isOn: false, ranks: nil)).headers.dictionary == ["X-On": "on=false"])
        let header = try request(.header(ids: [1, 2], tag: Data([0xFB]), days: [], isOn: false))
        #expect(header.headers.dictionary == ["Ids": "1, 2", "Tag": "+w==", "Is-On": "0"])
    }

    @Test("several values for one header or path component are refused, with the parameter's name")
    func severalValues() throws {
        let person = Person(name: "Ada")
        for (target, place) in [
            (PlacesAPI.personPerson(person), ParameterValueError.Place.header), (.personPath(path: person), .path),
        ] {
            let error = #expect(throws: MoyaError.self) { try request(target) }
            guard case .parameterEncoding(let cause as ParameterValueError)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(cause == ParameterValueError(parameter: "person", reason: .severalValues(place: place)))
        }
    }

    @Test("each element of a list becomes a part, as a file for a URL, bytes for Data, and otherwise a text")
    func parts() throws {
        let files = [URL(fileURLWithPath: "/tmp/1.png"), URL(fileURLWithPath: "/tmp/2.png")]
        let own = MultipartFormData(provider: .data(Data("o".utf8)), name: "mine", fileName: "o", mimeType: "a/b")
        let target = PlacesAPI.parts(
            photos: files,
            thumbs: [Data([1]), Data([2])],
            taken: Date(timeIntervalSince1970: 0),
            isPublic: true,
            sortKeys: [.down, .up],
            person: Person(name: "Ada"),
            own: [own],
            note: ["n"]
        )
        guard case .requestParameters = target.task else {
            Issue.record("\(target.task)")
            return
        }
        #expect(try query(target) == ["note[]=n"])
        let expected: [(String, MultipartFormData.FormDataProvider)] = [
            ("photos[]", .file(files[0])), ("photos[]", .file(files[1])), ("thumbs[]", .data(Data([1]))),
            ("thumbs[]", .data(Data([2]))), ("taken", .data(Data("1970-01-01T00:00:00Z".utf8))),
            ("is_public", .data(Data("1".utf8))), ("sort_keys[]", .data(Data("asc end".utf8))),
            ("sort_keys[]", .data(Data("desc/end".utf8))), ("person[name]", .data(Data("Ada".utf8))),
            ("mine", .data(Data("o".utf8))),
        ]
        let form = FormParts()
            .adding("photos", files).adding("thumbs", [Data([1]), Data([2])] as [Data]?)
            .adding("taken", Date(timeIntervalSince1970: 0)).adding("is_public", true)
            .adding("sort_keys", [.down, .up] as Set<Direction>?).adding("person", Person(name: "Ada"))
            .adding("own", [own])
        guard case .uploadMultipart(let parts) = form.task else {
            Issue.record("\(form.task)")
            return
        }
        #expect(parts.map(\.name) == expected.map(\.0))
        #expect(parts.map(\.provider) == expected.map(\.1))
        guard case .uploadMultipart(let plain) = PlacesAPI.plainParts(photos: [files[0], nil], isPublic: true).task
        else {
            Issue.record("no form")
            return
        }
        #expect(plain.map(\.name) == ["photos", "is_public"])
        #expect(plain.last?.provider == .data(Data("true".utf8)))
    }

    @Test("parameters of an API may have the names used by generated code, and letters beyond ASCII")
    func names() throws {
        let target = PlacesAPI.names(style: true, encoder: .byName, a: [.first, .second], in: "b", keep: false)
        let request = try request(target)
        #expect(request.url?.path == "/names/true/by_name")
        #expect(request.headers.dictionary == ["X-A": "1, 2-b", "Keep": "false"])
        #expect(try query(.apiEncoder(größe: 1)) == ["größe=1"])
    }

    @Test("an unsupported value that an alias or an existential hides is refused at run time")
    func hidden() throws {
        #expect(throws: MoyaError.self) { try request(.alias(maybe: nil, values: [:], texts: [:])) }
        let names = ["a": Rank.first]
        #expect(throws: MoyaError.self) { try request(.alias(maybe: 1, values: names, texts: names)) }
        #expect(
            try query(.erased(value: Direction.up, values: [Rank.first, [true]], text: Rank.second))
                == ["value=asc end", "values[]=1", "values[][]=1"]
        )
        #expect(throws: MoyaError.self) { try request(.erased(value: 1, values: [], text: Place())) }
        #expect(throws: MoyaError.self) { try request(.erased(value: 1, values: [Nameless.big], text: 1)) }
    }

    @Test("a line break in a header parameter is refused", arguments: ["a\r\nX: y", "a\nb", "\0"])
    func lineBreaks(text: String) async throws {
        let sent = Recorder<TransportRequest>()
        let transport = FakeTransport { request in
            sent.add(request)
            return TransportResponse(status: 200, body: .complete(Data()))
        }
        let client = PlacesClient(session: Session(transport: transport))
        for value in [text as any Sendable, Identifier(rawValue: text), [text]] {
            await #expect(throws: MoyaError.self) { try await client.erased(value: 1, values: [], text: value) }
        }
        #expect(sent.values.isEmpty)
        try await client.erased(value: 1, values: [], text: "größe")
        #expect(sent.values.count == 1)
    }

    @Test("an unsupported part of a form is an error before anything is sent")
    func refusedPart() async throws {
        let client = PlacesClient(provider: MoyaProvider(stubClosure: MoyaProvider.immediatelyStub))
        let error = await #expect(throws: MoyaError.self) { try await client.onlyText(.big) }
        #expect(error?.errorDescription?.contains("PlacesAPI") == true)
        #expect(error?.errorDescription?.contains("raw values") == true)
    }
}
#endif
