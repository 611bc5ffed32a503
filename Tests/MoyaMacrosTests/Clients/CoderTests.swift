#if Macros
import MoyaMacros
import TestSupport
import Testing

/// The encoder and the decoder of an API whose server has unusual formats of dates and names.
enum CodedCoders {
    static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .sortedKeys
        return encoder
    }()

    static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()
}

/// A model that only these coders encode and decode.
struct Dated: Codable, Equatable, Sendable, Sampled {
    var createdAt: Date

    static let sample = Dated(createdAt: Date(timeIntervalSince1970: 0))
}

/// An API with coders.
@API("https://coded.example", keys: .snakeCase, encoder: CodedCoders.encoder, decoder: CodedCoders.decoder)
protocol Coded: Sendable {
    @GET("/one") func one() async throws -> Dated
    @GET("/some") @KeyPath("found.items") func some() async throws -> [Dated]
    @GET("/own") @Sample(Dated.sample) func own() async throws -> Dated?
    @GET("/made") @Sample({ (day: Date) in Dated(createdAt: day) }) func made(day: Date) async throws -> Dated
    @GET("/text") @Sample("{\"created_at\":\"1970-01-01T00:00:00Z\"}") func text() async throws -> Dated
    @POST("/body") func body(dated: Body<Dated>) async throws
    @POST("/maybe") func maybe(dated: Body<Dated>?) async throws
    @POST("/bytes") func bytes(dated: Body<Data>) async throws
    @POST("/members") func members(lastDated: Dated, onDay: Date) async throws
}

/// An API with a decoder only.
@API("https://coded.example", encoder: nil, decoder: CodedCoders.decoder)
protocol Decoded: Sendable {
    @GET("/one") @Sample("{\"created_at\":\"1970-01-01T00:00:00Z\"}") func one() async throws -> Dated
    @POST("/body") func body(dated: Body<[String: Int]>) async throws
}

/// An API with a key style and without coders.
@API("https://coded.example", keys: .snakeCase)
protocol SnakeCased: Sendable {
    @POST("/a") func body(item: Body<Dated>) async throws
    @POST("/b") func members(itemCount: Int, lastItem: Dated) async throws
}

@Suite("An API can have an encoder and a decoder")
struct CoderTests {
    private func body<Target: TargetType>(
        _ target: Target,
        _ endpoints: MoyaProvider<Target>.EndpointClosure? = nil
    )
        throws -> String
    {
        let closure = endpoints ?? MoyaProvider<Target>.defaultEndpointMapping
        return String(decoding: try closure(target).urlRequest().httpBody ?? Data(), as: UTF8.self)
    }

    @Test("the API's coders encode and decode stubs of samples, values, functions and texts")
    func stubs() async throws {
        let client = CodedClient(provider: MoyaProvider(stubClosure: MoyaProvider.immediatelyStub))
        #expect(try await client.one() == .sample)
        #expect(try await client.some() == [.sample])
        #expect(try await client.own() == .sample)
        let day = Date(timeIntervalSince1970: 86_400)
        #expect(try await client.made(day: day) == Dated(createdAt: day))
        #expect(try await client.text() == .sample)
        let decoded = DecodedClient(provider: MoyaProvider(stubClosure: MoyaProvider.immediatelyStub))
        #expect(try await decoded.one() == .sample)
        #expect(
            String(decoding: CodedAPI.one.sampleData, as: UTF8.self) == "{\"created_at\":\"1970-01-01T00:00:00Z\"}"
        )
    }

    @Test("the API's encoder encodes JSON bodies with any provider")
    func bodies() throws {
        let text = "{\"created_at\":\"1970-01-01T00:00:00Z\"}"
        #expect(try body(CodedAPI.body(dated: .sample)) == text)
        #expect(try body(CodedAPI.maybe(dated: .sample)) == text)
        #expect(try body(CodedAPI.maybe(dated: nil)) == "")
        #expect(try body(CodedAPI.bytes(dated: Data("raw".utf8))) == "raw")
        #expect(
            try body(CodedAPI.members(lastDated: .sample, onDay: Date(timeIntervalSince1970: 0)))
                == "{\"last_dated\":\(text),\"on_day\":\"1970-01-01T00:00:00Z\"}"
        )
        #expect(try body(DecodedAPI.body(dated: ["aB": 1])) == "{\"aB\":1}")
    }

    @Test("a client's encoder and decoder replace the API's coders")
    func clients() async throws {
        let bodies = Recorder<String>()
        let transport = FakeTransport.reading { _, body in
            bodies.add(String(decoding: body, as: UTF8.self))
            return TransportResponse(status: 200, body: .complete(Data("{\"createdAt\":7}".utf8)))
        }
        let client = CodedClient(
            session: Session(transport: transport),
            encoder: JSONEncoder(),
            decoder: JSONDecoder()
        )
        #expect(try await client.one() == Dated(createdAt: Date(timeIntervalSinceReferenceDate: 7)))
        try await client.body(dated: Dated(createdAt: Date(timeIntervalSinceReferenceDate: 5)))
        #expect(bodies.values.last == "{\"createdAt\":5}")
    }

    @Test("the key style of an API applies to parameter names and not to the properties of values")
    func keys() throws {
        let dated = Dated(createdAt: Date(timeIntervalSinceReferenceDate: 5))
        #expect(try body(SnakeCasedAPI.body(item: dated)) == "{\"createdAt\":5}")
        let members = try body(SnakeCasedAPI.members(itemCount: 1, lastItem: dated))
        #expect(members.contains("\"item_count\":1") && members.contains("\"last_item\":{\"createdAt\":5}"))
    }
}
#endif
