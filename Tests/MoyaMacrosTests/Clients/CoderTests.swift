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

/// An API whose methods have coders.
@API("https://coded.example", encoder: CodedCoders.encoder, decoder: CodedCoders.decoder)
protocol MethodCoded: Sendable {
    @POST("/json") @JSON(encoder: .plain, decoder: .plain) func json(dated: Body<Dated>) async throws -> Dated
    @POST("/members") @JSON(encoder: .plain) func members(on: Date) async throws -> Dated
    @PUT("/list") @Coders(encoder: ListEncoder(), decoder: ListDecoder()) func list(dated: Body<Dated>) async throws
        -> Dated
    @PUT("/list") @Coders(encoder: ListEncoder()) @Headers(["Content-Type": "application/own"])
    func typed(dated: Body<Dated>, page: Query<Int>) async throws
    @POST("/bytes") @Coders(encoder: ListEncoder()) func bytes(data: Body<Data>) async throws
    @POST("/failing") @Coders(encoder: ListEncoder()) func failing(value: Body<Unencodable>) async throws
    @GET("/error") @Coders(decoder: ListDecoder()) @ErrorBody(ListedError.self) func error() async throws
}

extension JSONEncoder {
    static let plain = JSONEncoder()
}

extension JSONDecoder {
    static let plain = JSONDecoder()
}

/// An encoder of another format: a property list in XML.
struct ListEncoder: RequestEncoder {
    let contentType = "application/xml"

    func encode(_ value: some Encodable) throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        return try encoder.encode(value)
    }
}

/// A decoder of the same format.
struct ListDecoder: ResponseDecoder {
    func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        try PropertyListDecoder().decode(type, from: data)
    }
}

struct ListedError: Codable, Error, Sendable { var reason: String }

@Suite("A method can have an encoder and a decoder")
struct MethodCoderTests {
    private let day = Dated(createdAt: Date(timeIntervalSinceReferenceDate: 7))

    private func request(_ target: MethodCodedAPI) throws -> URLRequest {
        try MoyaProvider<MethodCodedAPI>.defaultEndpointMapping(for: target).urlRequest()
    }

    @Test("the coders of a method replace those of the API and of the client, and encode its sample")
    func json() async throws {
        let transport = FakeTransport.body("{\"createdAt\":7}")
        let client = MethodCodedClient(
            session: Session(transport: transport),
            encoder: CodedCoders.encoder,
            decoder: CodedCoders.decoder
        )
        #expect(try await client.json(dated: day) == day)
        #expect(try request(.json(dated: day)).httpBody == Data("{\"createdAt\":7}".utf8))
        #expect(try request(.members(on: day.createdAt)).httpBody == Data("{\"on\":7}".utf8))
        let stubbed = MethodCodedClient(provider: MoyaProvider(stubClosure: MoyaProvider.immediatelyStub))
        #expect(try await stubbed.json(dated: day) == .sample)
        #expect(try await stubbed.list(dated: day) == .sample)
    }

    @Test("a body of another format has its content type, unless the method has one")
    func otherFormats() async throws {
        let list = try request(.list(dated: day))
        let body = try #require(list.httpBody)
        #expect(String(decoding: body, as: UTF8.self).hasPrefix("<?xml"))
        #expect(try ListDecoder().decode(Dated.self, from: body) == day)
        #expect(list.headers["Content-Type"] == "application/xml")
        let typed = try request(.typed(dated: day, page: 2))
        #expect(typed.headers["Content-Type"] == "application/own" && typed.url?.query == "page=2")
        #expect(try request(.bytes(data: Data("raw".utf8))).httpBody == Data("raw".utf8))
        let sent = Recorder<Data>()
        let transport = FakeTransport.reading { request, body in
            sent.add(body)
            return TransportResponse(status: 200, body: .complete(body))
        }
        let client = MethodCodedClient(session: Session(transport: transport))
        #expect(try await client.list(dated: day) == day)
        #expect(sent.values == [body])
    }

    @Test("the error of an encoder, and an error body of another format, reach the caller")
    func errors() async throws {
        let error = #expect(throws: MoyaError.self) { try request(.failing(value: Unencodable())) }
        guard case .encodableMapping(let cause)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause is EncodingError)
        let list = try ListEncoder().encode(ListedError(reason: "r"))
        let transport = FakeTransport { _ in TransportResponse(status: 400, body: .complete(list)) }
        let failure = await #expect(throws: MoyaError.self) {
            try await MethodCodedClient(session: Session(transport: transport)).error()
        }
        guard case .underlying(let listed as ListedError, _)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(listed.reason == "r")
    }
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
