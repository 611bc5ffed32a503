#if Macros
import MoyaMacros
import MoyaTesting
import Testing

/// Endpoints with parameters of every kind.
@API("https://kinds.example")
protocol Kinds: Sendable {
    @GET("/plain") func plain() async throws
    @GET("/other") func other() async throws
    @GET("/texts/{a}") func texts(a: String, b: Int?, c: [Bool?], d: Date?) async throws
    @POST("/draft") func draft(_ draft: Body<Draft>) async throws
    @POST("/drafts") func drafts(_ drafts: [Draft]?, named: Query<[String: Direction]>) async throws
    @GET("/value") func value(value: any Encodable & Sendable, note: (any Sendable)?) async throws
    @GET("/values") func values(_ values: [any Sendable], named: [String: any Sendable]) async throws
    @POST("/ticket") func ticket(_ ticket: Body<Ticket?>) async throws
    @PUT("/data") func data(_ data: Body<Data>) async throws
    @PUT("/bytes") func bytes(_ body: Body<HTTPBody>) async throws
    @POST("/form") @Multipart func form(file: URL, part: MultipartFormData?) async throws
    @GET("/file") @Download func file(to destination: @escaping DownloadDestination) async throws
    @GET("/described") func described(_ named: Named?) async throws
    @POST("/failing") func failing(_ value: Body<Unencodable>) async throws
}

/// A value that is Encodable and not Equatable.
struct Draft: Encodable, Sendable {
    var title: String
    var due: Date? = Date(timeIntervalSince1970: 0.1)
    var tags: [String: Int] = ["a": 1, "b": 2, "c": 3]
}

/// An API of one endpoint.
@API("https://single.example")
protocol Single { @GET("/a") func a(b: Int) async throws }

/// An API without parameters.
@API("https://bare.example")
protocol Bare {
    @GET("/a") func a() async throws
    @GET("/b") func b() async throws
}

@Suite("The calls of a mock can be compared")
struct CallEqualityTests {
    private static let file = URL(fileURLWithPath: "/tmp/a")
    private static let date = Date(timeIntervalSince1970: 1.25)

    static let equal: [@Sendable () -> KindsAPI] = [
        { .plain }, { .other },
        { .texts(a: "a", b: 1, c: [true, nil], d: date) }, { .texts(a: "a", b: nil, c: [], d: nil) },
        { .draft(Draft(title: "a")) }, { .draft(Draft(title: "a", due: nil)) },
        { .drafts([Draft(title: "a"), Draft(title: "b")], named: ["x": .up, "y": .down]) },
        { .drafts(nil, named: [:]) },
        { .value(value: 1, note: nil) }, { .value(value: Draft(title: "a"), note: "b") },
        { .values([1, "a", Draft(title: "a")], named: ["a": 1, "b": [1, 2]]) }, { .values([], named: [:]) },
        { .ticket(Ticket(code: "a")) }, { .ticket(nil) },
        { .data(Data([1, 2])) }, { .bytes(.data(Data([1]))) }, { .bytes(.file(file)) },
        { .form(file: file, part: nil) },
        { .form(file: file, part: MultipartFormData(provider: .data(Data([1])), name: "a")) },
        { .described(nil) },
    ]

    @Test(
        "calls of a mock are equal if their parameters are equal by == or by their encoding",
        arguments: equal.indices
    )
    func equality(index: Int) {
        #expect(Self.equal[index]() == Self.equal[index]())
    }

    @Test("calls of a mock with different parameters are not equal")
    func inequality() {
        let others: [KindsAPI] = [
            .texts(a: "b", b: 1, c: [true, nil], d: Self.date),
            .texts(a: "a", b: 2, c: [true, nil], d: Self.date),
            .texts(a: "a", b: 1, c: [true, false], d: Self.date),
            .texts(a: "a", b: 1, c: [true, nil], d: Self.date.addingTimeInterval(0.001)),
            .draft(Draft(title: "b")), .draft(Draft(title: "a", due: Date(timeIntervalSince1970: 0.2))),
            .draft(Draft(title: "a", tags: ["a": 1, "b": 2, "c": 4])),
            .drafts([Draft(title: "b"), Draft(title: "a")], named: ["x": .up, "y": .down]),
            .drafts([], named: [:]),
            .values([1, "a", Draft(title: "b")], named: ["a": 1, "b": [1, 2]]),
            .values([1, "a", Draft(title: "a")], named: ["a": 1, "b": [1, 3]]),
            .values([1, "a", Draft(title: "a")], named: ["a": 1, "c": [1, 2]]), .values([1], named: [:]),
            .value(value: "1", note: nil), .value(value: 1.0, note: nil), .value(value: 1, note: 1),
            .ticket(Ticket(code: "b")), .data(Data([1])), .bytes(.data(Data([2]))),
            .form(file: Self.file.appendingPathExtension("b"), part: nil),
        ]
        let different = Self.equal.map { $0() } + others
        for (first, left) in different.enumerated() {
            for (second, right) in different.enumerated() where first != second {
                #expect(left != right)
            }
        }
    }

    @Test(
        "a mock's call is never equal if it has a closure, a value without an encoding, or a value with only a description"
    )
    func unknown() {
        let save: DownloadDestination = { _, _ in (Self.file, []) }
        for call in [.file(to: save), .failing(Unencodable()), .described(Named(description: "a"))] as [KindsAPI] {
            #expect(call != call)
        }
    }

    @Test("calls of an API with a single case, or without parameters, can be compared")
    func small() {
        #expect(SingleAPI.a(b: 1) == .a(b: 1) && SingleAPI.a(b: 1) != .a(b: 2))
        #expect(BareAPI.a == .a && BareAPI.a != .b)
    }

    @Test("calls of a mock can be compared with a literal")
    func calls() async throws {
        let mock = KindsMock { handlers in
            handlers.plain = {}
            handlers.draft = { _ in }
            handlers.texts = { _, _, _, _ in }
        }
        try await mock.plain()
        try await mock.draft(Draft(title: "a"))
        try await mock.texts(a: "a", c: [])
        #expect(mock.calls == [.plain, .draft(Draft(title: "a")), .texts(a: "a", b: nil, c: [], d: nil)])
        #expect(mock.calls != [.plain, .draft(Draft(title: "b")), .texts(a: "a", b: nil, c: [], d: nil)])
        #expect(mock.calls.contains(.draft(Draft(title: "a"))))
    }

    @Test("calls of a mock, including their bodies, identify the requests that a test scripts and expects")
    func scripted() async throws {
        let transport = ScriptedTransport()
            .on(KindsAPI.draft(Draft(title: "a")), .status(201))
            .on(KindsAPI.file { _, _ in (Self.file, []) }, .text("content"))
        let client = KindsClient(session: Session(transport: transport))
        try await client.draft(Draft(title: "a"))
        await #expect(throws: MoyaError.self) { try await client.draft(Draft(title: "b")) }
        try transport.requests.expect(
            inOrder: .target(KindsAPI.draft(Draft(title: "a"))),
            .target(KindsAPI.draft(Draft(title: "b")))
        )
        let saved = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: saved) }
        try await client.file { _, _ in (saved, []) }
        #expect(try String(contentsOf: saved, encoding: .utf8) == "content")
        try transport.finish()
    }
}
#endif
