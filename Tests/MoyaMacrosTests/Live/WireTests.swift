#if Macros
import Foundation
import MoyaMacros
import TestServers
import Testing

// Each type has a method for each place of a request. An optional has no place in a path, and collections and structures have none in
// a path; lists have one in a header. Expansion tests show the diagnostics for these.

@API("http://wire.example", encoder: WireCoders.encoder)
protocol WireURLs: Sendable {
    @GET("/p/{value}") func send(_ value: String, query: String, header: Header<String>) async throws
    @GET("/p/{value}") func send(_ value: Int, query: Int, header: Header<Int>) async throws
    @GET("/p/{value}") func send(_ value: Bool, query: Bool, header: Header<Bool>) async throws
    @GET("/p/{value}") func send(_ value: Double, query: Double, header: Header<Double>) async throws
    @GET("/p/{value}") func send(_ value: Date, query: Date, header: Header<Date>) async throws
    @GET("/p/{value}") func send(_ value: UUID, query: UUID, header: Header<UUID>) async throws
    @GET("/p/{value}") func send(_ value: URL, query: URL, header: Header<URL>) async throws
    @GET("/p/{value}") func send(_ value: Decimal, query: Decimal, header: Header<Decimal>) async throws
    @GET("/p/{value}") func send(_ value: Data, query: Data, header: Header<Data>) async throws
    @GET("/p/{value}") func send(_ value: Direction, query: Direction, header: Header<Direction>) async throws
    @GET("/p/{value}") func send(_ value: Rank, query: Rank, header: Header<Rank>) async throws
    @GET("/q") func send(query: Direction?, header: Header<Direction?>) async throws
    @GET("/q") func send(query: [Bool], header: Header<[Bool]>) async throws
    @GET("/q") func send(query: Set<UUID>, header: Header<Set<UUID>>) async throws
    @GET("/q") func send(query: [String: Direction]) async throws
    @GET("/q") func send(query: [[Date?]]) async throws
    @GET("/q") func send(query: Person) async throws
}

@API("http://wire.example")
protocol WireForms: Sendable {
    @POST("/form") @FormURLEncoded func send(_ value: String) async throws
    @POST("/form") @FormURLEncoded func send(_ value: Int) async throws
    @POST("/form") @FormURLEncoded func send(_ value: Bool) async throws
    @POST("/form") @FormURLEncoded func send(_ value: Double) async throws
    @POST("/form") @FormURLEncoded func send(_ value: Date) async throws
    @POST("/form") @FormURLEncoded func send(_ value: UUID) async throws
    @POST("/form") @FormURLEncoded func send(_ value: URL) async throws
    @POST("/form") @FormURLEncoded func send(_ value: Decimal) async throws
    @POST("/form") @FormURLEncoded func send(_ value: Data) async throws
    @POST("/form") @FormURLEncoded func send(_ value: Direction) async throws
    @POST("/form") @FormURLEncoded func send(_ value: Rank) async throws
    @POST("/form") @FormURLEncoded func send(_ value: Direction?) async throws
    @POST("/form") @FormURLEncoded func send(_ value: [Bool]) async throws
    @POST("/form") @FormURLEncoded func send(_ value: Set<UUID>) async throws
    @POST("/form") @FormURLEncoded func send(_ value: [String: Direction]) async throws
    @POST("/form") @FormURLEncoded func send(_ value: [[Date?]]) async throws
    @POST("/form") @FormURLEncoded func send(_ value: Person) async throws
}

@API("http://wire.example")
protocol WireParts: Sendable {
    @POST("/parts") @Multipart func send(_ value: String) async throws
    @POST("/parts") @Multipart func send(_ value: Int) async throws
    @POST("/parts") @Multipart func send(_ value: Bool) async throws
    @POST("/parts") @Multipart func send(_ value: Double) async throws
    @POST("/parts") @Multipart func send(_ value: Date) async throws
    @POST("/parts") @Multipart func send(_ value: UUID) async throws
    @POST("/parts") @Multipart func send(_ value: URL) async throws
    @POST("/parts") @Multipart func send(_ value: Decimal) async throws
    @POST("/parts") @Multipart func send(_ value: Data) async throws
    @POST("/parts") @Multipart func send(_ value: Direction) async throws
    @POST("/parts") @Multipart func send(_ value: Rank) async throws
    @POST("/parts") @Multipart func send(_ value: Direction?) async throws
    @POST("/parts") @Multipart func send(_ value: [Bool]) async throws
    @POST("/parts") @Multipart func send(_ value: Set<UUID>) async throws
    @POST("/parts") @Multipart func send(_ value: [String: Direction]) async throws
    @POST("/parts") @Multipart func send(_ value: [[Date?]]) async throws
    @POST("/parts") @Multipart func send(_ value: Person) async throws
}

@API("http://wire.example", encoder: WireCoders.encoder)
protocol WireObjects: Sendable {
    @POST("/json") func send(_ value: String) async throws
    @POST("/json") func send(_ value: Int) async throws
    @POST("/json") func send(_ value: Bool) async throws
    @POST("/json") func send(_ value: Double) async throws
    @POST("/json") func send(_ value: Date) async throws
    @POST("/json") func send(_ value: UUID) async throws
    @POST("/json") func send(_ value: Decimal) async throws
    @POST("/json") func send(_ value: Data) async throws
    @POST("/json") func send(_ value: Direction) async throws
    @POST("/json") func send(_ value: Direction?) async throws
    @POST("/json") func send(_ value: [Bool]) async throws
    @POST("/json") func send(_ value: Set<UUID>) async throws
    @POST("/json") func send(_ value: [String: Direction]) async throws
    @POST("/json") func send(_ value: [[Date?]]) async throws
    @POST("/json") func send(_ value: Person) async throws
}

@API("http://wire.example", encoder: WireCoders.encoder)
protocol WireBodies: Sendable {
    @POST("/body") func send(_ value: Body<String>) async throws
    @POST("/body") func send(_ value: Body<Int>) async throws
    @POST("/body") func send(_ value: Body<Bool>) async throws
    @POST("/body") func send(_ value: Body<Double>) async throws
    @POST("/body") func send(_ value: Body<Date>) async throws
    @POST("/body") func send(_ value: Body<UUID>) async throws
    @POST("/body") func send(_ value: Body<Decimal>) async throws
    @POST("/body") func send(_ value: Body<Data>) async throws
    @POST("/body") func send(_ value: Body<Direction>) async throws
    @POST("/body") func send(_ value: Body<Direction?>) async throws
    @POST("/body") func send(_ value: Body<[Bool]>) async throws
    @POST("/body") func send(_ value: Body<Set<UUID>>) async throws
    @POST("/body") func send(_ value: Body<[String: Direction]>) async throws
    @POST("/body") func send(_ value: Body<[[Date?]]>) async throws
    @POST("/body") func send(_ value: Body<Person>) async throws
}

enum WireCoders {
    static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
}

/// A server that records its requests, and responds with 204.
private final class WireServer: Sendable {
    let url: URL
    private let server: RawServer
    private let requests: AsyncStream<RecordedRequest>

    init() async throws {
        let (requests, end) = AsyncStream<RecordedRequest>.makeStream()
        server = try await RawServer { connection in
            while let head = try await connection.head() {
                end.yield(RecordedRequest(head: head, body: try await connection.body()))
                try await connection.writer.write("HTTP/1.1 204 No Content\r\n\r\n")
            }
        }
        self.requests = requests
        url = server.url("")
    }

    /// The next request.
    func next() async -> RecordedRequest? { await requests.first { _ in true } }

    func shutDown() async { await server.shutDown() }
}

@Suite("A value of each type is sent in its wire form at each place", .timeLimit(.minutes(5)))
struct WireTests {
    /// The calls with a value of a type, and the texts that must be sent.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var url: @Sendable (WireURLsClient) async throws -> Void
        /// The path and the query.
        var target: String
        var header: String?
        var form: @Sendable (WireFormsClient) async throws -> Void
        var formBody: String
        /// `nil` for a `URL`, which is a file as a part.
        var part: (@Sendable (WirePartsClient) async throws -> Void)?
        /// The contents of the parts.
        var parts: [String]
        var object: (@Sendable (WireObjectsClient) async throws -> Void)?
        var json: String?
        var body: (@Sendable (WireBodiesClient) async throws -> Void)?
        var bodyText: String?

        var testDescription: String { name }
    }

    private static let id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!
    private static let link = URL(string: "https://b.example/c?d=e")!
    private static let price = Decimal(string: "1.10")!
    private static let bytes = Data([0xFB, 0xFF, 0x41])
    private static let day = Date(timeIntervalSince1970: 86_400)

    static let rows = [
        Row(
            name: "String",
            url: { try await $0.send("a b/ü&=+" as String, query: "a b/ü&=+", header: "a b/ü&=+") },
            target: "/p/a%20b%2F%C3%BC&=+?query=a%20b/%C3%BC%26%3D%2B",
            header: "a b/ü&=+",
            form: { try await $0.send("a b/ü&=+" as String) },
            formBody: "value=a%20b/%C3%BC%26%3D%2B",
            part: { try await $0.send("a b/ü&=+" as String) },
            parts: ["value=a b/ü&=+"],
            object: { try await $0.send("a b/ü&=+" as String) },
            json: #"{"value":"a b/ü&=+"}"#,
            body: { try await $0.send("a b/ü&=+" as String) },
            bodyText: #""a b/ü&=+""#
        ),
        Row(
            name: "Int",
            url: { try await $0.send(-5 as Int, query: -5, header: -5) },
            target: "/p/-5?query=-5",
            header: "-5",
            form: { try await $0.send(-5 as Int) },
            formBody: "value=-5",
            part: { try await $0.send(-5 as Int) },
            parts: ["value=-5"],
            object: { try await $0.send(-5 as Int) },
            json: #"{"value":-5}"#,
            body: { try await $0.send(-5 as Int) },
            bodyText: "-5"
        ),
        Row(
            name: "Bool",
            url: { try await $0.send(true as Bool, query: true, header: true) },
            target: "/p/1?query=1",
            header: "1",
            form: { try await $0.send(true as Bool) },
            formBody: "value=1",
            part: { try await $0.send(true as Bool) },
            parts: ["value=1"],
            object: { try await $0.send(true as Bool) },
            json: #"{"value":true}"#,
            body: { try await $0.send(true as Bool) },
            bodyText: "true"
        ),
        Row(
            name: "Double",
            url: { try await $0.send(2.5 as Double, query: 2.5, header: 2.5) },
            target: "/p/2.5?query=2.5",
            header: "2.5",
            form: { try await $0.send(2.5 as Double) },
            formBody: "value=2.5",
            part: { try await $0.send(2.5 as Double) },
            parts: ["value=2.5"],
            object: { try await $0.send(2.5 as Double) },
            json: #"{"value":2.5}"#,
            body: { try await $0.send(2.5 as Double) },
            bodyText: "2.5"
        ),
        Row(
            name: "Date",
            url: {
                try await $0.send(
                    Date(timeIntervalSince1970: 86_400) as Date,
                    query: Date(timeIntervalSince1970: 86_400),
                    header: Date(timeIntervalSince1970: 86_400)
                )
            },
            target: "/p/1970-01-02T00:00:00Z?query=1970-01-02T00%3A00%3A00Z",
            header: "1970-01-02T00:00:00Z",
            form: { try await $0.send(Date(timeIntervalSince1970: 86_400) as Date) },
            formBody: "value=1970-01-02T00%3A00%3A00Z",
            part: { try await $0.send(Date(timeIntervalSince1970: 86_400) as Date) },
            parts: ["value=1970-01-02T00:00:00Z"],
            object: { try await $0.send(Date(timeIntervalSince1970: 86_400) as Date) },
            json: #"{"value":"1970-01-02T00:00:00Z"}"#,
            body: { try await $0.send(Date(timeIntervalSince1970: 86_400) as Date) },
            bodyText: #""1970-01-02T00:00:00Z""#
        ),
        Row(
            name: "UUID",
            url: { try await $0.send(Self.id as UUID, query: Self.id, header: Self.id) },
            target: "/p/E621E1F8-C36C-495A-93FC-0C247A3E6E5F?query=E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
            header: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
            form: { try await $0.send(Self.id as UUID) },
            formBody: "value=E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
            part: { try await $0.send(Self.id as UUID) },
            parts: ["value=E621E1F8-C36C-495A-93FC-0C247A3E6E5F"],
            object: { try await $0.send(Self.id as UUID) },
            json: #"{"value":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F"}"#,
            body: { try await $0.send(Self.id as UUID) },
            bodyText: #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#
        ),
        Row(
            name: "URL",
            url: { try await $0.send(Self.link as URL, query: Self.link, header: Self.link) },
            target: "/p/https:%2F%2Fb.example%2Fc%3Fd=e?query=https%3A//b.example/c?d%3De",
            header: "https://b.example/c?d=e",
            form: { try await $0.send(Self.link as URL) },
            formBody: "value=https%3A//b.example/c?d%3De",
            part: nil,
            parts: [],
            object: nil,
            json: nil,
            body: nil,
            bodyText: nil
        ),
        Row(
            name: "Decimal",
            url: { try await $0.send(Self.price as Decimal, query: Self.price, header: Self.price) },
            target: "/p/1.1?query=1.1",
            header: "1.1",
            form: { try await $0.send(Self.price as Decimal) },
            formBody: "value=1.1",
            part: { try await $0.send(Self.price as Decimal) },
            parts: ["value=1.1"],
            object: { try await $0.send(Self.price as Decimal) },
            json: #"{"value":1.1}"#,
            body: { try await $0.send(Self.price as Decimal) },
            bodyText: "1.1"
        ),
        Row(
            name: "Data",
            url: { try await $0.send(Self.bytes as Data, query: Self.bytes, header: Self.bytes) },
            target: "/p/+%2F9B?query=%2B/9B",
            header: "+/9B",
            form: { try await $0.send(Self.bytes as Data) },
            formBody: "value=%2B/9B",
            part: { try await $0.send(Self.bytes as Data) },
            parts: ["value=+/9B"],
            object: { try await $0.send(Self.bytes as Data) },
            json: #"{"value":"+/9B"}"#,
            body: { try await $0.send(Self.bytes as Data) },
            bodyText: "\u{FFFD}\u{FFFD}A"
        ),
        Row(
            name: "an enumeration of String",
            url: { try await $0.send(.down as Direction, query: .down, header: .down) },
            target: "/p/desc%2Fend?query=desc/end",
            header: "desc/end",
            form: { try await $0.send(.down as Direction) },
            formBody: "value=desc/end",
            part: { try await $0.send(.down as Direction) },
            parts: ["value=desc/end"],
            object: { try await $0.send(.down as Direction) },
            json: #"{"value":"desc/end"}"#,
            body: { try await $0.send(.down as Direction) },
            bodyText: #""desc/end""#
        ),
        Row(
            name: "an enumeration of Int",
            url: { try await $0.send(.second as Rank, query: .second, header: .second) },
            target: "/p/2?query=2",
            header: "2",
            form: { try await $0.send(.second as Rank) },
            formBody: "value=2",
            part: { try await $0.send(.second as Rank) },
            parts: ["value=2"],
            object: nil,
            json: nil,
            body: nil,
            bodyText: nil
        ),
        Row(
            name: "an optional",
            url: { try await $0.send(query: .up as Direction?, header: .up) },
            target: "/q?query=asc%20end",
            header: "asc end",
            form: { try await $0.send(.up as Direction?) },
            formBody: "value=asc%20end",
            part: { try await $0.send(.up as Direction?) },
            parts: ["value=asc end"],
            object: { try await $0.send(.up as Direction?) },
            json: #"{"value":"asc end"}"#,
            body: { try await $0.send(.up as Direction?) },
            bodyText: #""asc end""#
        ),
        Row(
            name: "an array",
            url: { try await $0.send(query: [true, false] as [Bool], header: [true, false]) },
            target: "/q?query%5B%5D=1&query%5B%5D=0",
            header: "1, 0",
            form: { try await $0.send([true, false] as [Bool]) },
            formBody: "value%5B%5D=1&value%5B%5D=0",
            part: { try await $0.send([true, false] as [Bool]) },
            parts: ["value[]=1", "value[]=0"],
            object: { try await $0.send([true, false] as [Bool]) },
            json: #"{"value":[true,false]}"#,
            body: { try await $0.send([true, false] as [Bool]) },
            bodyText: "[true,false]"
        ),
        Row(
            name: "a set",
            url: { try await $0.send(query: [Self.id] as Set<UUID>, header: [Self.id]) },
            target: "/q?query%5B%5D=E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
            header: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
            form: { try await $0.send([Self.id] as Set<UUID>) },
            formBody: "value%5B%5D=E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
            part: { try await $0.send([Self.id] as Set<UUID>) },
            parts: ["value[]=E621E1F8-C36C-495A-93FC-0C247A3E6E5F"],
            object: { try await $0.send([Self.id] as Set<UUID>) },
            json: #"{"value":["E621E1F8-C36C-495A-93FC-0C247A3E6E5F"]}"#,
            body: { try await $0.send([Self.id] as Set<UUID>) },
            bodyText: #"["E621E1F8-C36C-495A-93FC-0C247A3E6E5F"]"#
        ),
        Row(
            name: "a dictionary",
            url: { try await $0.send(query: ["k": .up] as [String: Direction]) },
            target: "/q?query%5Bk%5D=asc%20end",
            header: nil,
            form: { try await $0.send(["k": .up] as [String: Direction]) },
            formBody: "value%5Bk%5D=asc%20end",
            part: { try await $0.send(["k": .up] as [String: Direction]) },
            parts: ["value[k]=asc end"],
            object: { try await $0.send(["k": .up] as [String: Direction]) },
            json: #"{"value":{"k":"asc end"}}"#,
            body: { try await $0.send(["k": .up] as [String: Direction]) },
            bodyText: #"{"k":"asc end"}"#
        ),
        Row(
            name: "nested generics",
            url: { try await $0.send(query: [[Self.day, nil], []] as [[Date?]]) },
            target: "/q?query%5B%5D%5B%5D=1970-01-02T00%3A00%3A00Z",
            header: nil,
            form: { try await $0.send([[Self.day, nil], []] as [[Date?]]) },
            formBody: "value%5B%5D%5B%5D=1970-01-02T00%3A00%3A00Z",
            part: { try await $0.send([[Self.day, nil], []] as [[Date?]]) },
            parts: ["value[][]=1970-01-02T00:00:00Z"],
            object: { try await $0.send([[Self.day, nil], []] as [[Date?]]) },
            json: #"{"value":[["1970-01-02T00:00:00Z",null],[]]}"#,
            body: { try await $0.send([[Self.day, nil], []] as [[Date?]]) },
            bodyText: #"[["1970-01-02T00:00:00Z",null],[]]"#
        ),
        Row(
            name: "a structure",
            url: { try await $0.send(query: Person(name: "Ada", born: Self.day) as Person) },
            target: "/q?query%5Bborn%5D=1970-01-02T00%3A00%3A00Z&query%5Bname%5D=Ada",
            header: nil,
            form: { try await $0.send(Person(name: "Ada", born: Self.day) as Person) },
            formBody: "value%5Bborn%5D=1970-01-02T00%3A00%3A00Z&value%5Bname%5D=Ada",
            part: { try await $0.send(Person(name: "Ada", born: Self.day) as Person) },
            parts: ["value[born]=1970-01-02T00:00:00Z", "value[name]=Ada"],
            object: { try await $0.send(Person(name: "Ada", born: Self.day) as Person) },
            json: #"{"value":{"born":"1970-01-02T00:00:00Z","name":"Ada"}}"#,
            body: { try await $0.send(Person(name: "Ada", born: Self.day) as Person) },
            bodyText: #"{"born":"1970-01-02T00:00:00Z","name":"Ada"}"#
        ),
    ]

    @Test("a value has its wire form in the path, the query, a header, a form, a part and JSON", arguments: Self.rows)
    func places(row: Row) async throws {
        let server = try await WireServer()
        let session = Session(configuration: .withDefaultHeaders)
        try await row.url(WireURLsClient(baseURL: server.url, session: session))
        let get = try #require(await server.next())
        #expect(get.head.target == row.target)
        #expect(get.head["Header"] == row.header)
        try await row.form(WireFormsClient(baseURL: server.url, session: session))
        #expect(await server.next()?.text == row.formBody)
        if let part = row.part {
            try await part(WirePartsClient(baseURL: server.url, session: session))
            #expect(try #require(await server.next()).parts == row.parts)
        }
        if let object = row.object {
            try await object(WireObjectsClient(baseURL: server.url, session: session))
            #expect(await server.next()?.text == row.json)
        }
        if let body = row.body {
            try await body(WireBodiesClient(baseURL: server.url, session: session))
            let request = await server.next()
            #expect(request?.text == row.bodyText)
        }
        await session.transport.shutdown()
        await server.shutDown()
    }
}

extension RecordedRequest {
    /// The names and contents of the parts of a multipart form.
    fileprivate var parts: [String] {
        guard let boundary = head["Content-Type"]?.components(separatedBy: "boundary=").last else { return [] }
        // ISO 8859-1 has a character for each byte.
        let text = String(data: body, encoding: .isoLatin1) ?? ""
        return text.components(separatedBy: "--\(boundary)").dropFirst().dropLast().map { part in
            let halves = part.components(separatedBy: "\r\n\r\n")
            let name = halves[0].components(separatedBy: "name=\"").last?.prefix { $0 != "\"" } ?? ""
            let content = Data((halves.last ?? "").unicodeScalars.dropLast(2).map { UInt8($0.value) })
            return "\(name)=\(String(data: content, encoding: .utf8) ?? content.base64EncodedString())"
        }
    }
}
#endif
