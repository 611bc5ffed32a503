#if Macros
import MoyaMacros

/// An API in a module whose declarations are isolated to the main actor by default.
@API("https://api.example.com")
protocol Hub {
    @GET("/users/{name}") func user(name: String) async throws -> HubUser
    @GET("/users") func users(page: Int?, order: HubOrder) async throws(MoyaError) -> [HubUser]
    @POST("/issues") @Bearer func create(issue: Body<HubIssue>) async throws -> HubIssue
    @POST("/labels") func label(title: String, color: String?, issue: HubIssue) async throws
    @POST("/upload") @Multipart func upload(note: String, photo: Data?) async throws
    @GET("/archive/{id}") @Download func archive(id: Int, to file: URL) async throws
    @GET("/labels") @Sample(#"[{"title": "bug"}]"#) func labels() async throws -> [HubLabel]
    @GET("/labels/{title}") func label(_ title: String) async throws -> HubLabel?
    @GET("/events") @Stream func events() async throws -> ServerSentEvents
    @GET("/text") @Sample("hello\n\nworld") func text() async throws -> String?
}

/// A response's model is decoded off the main actor.
nonisolated struct HubLabel: Codable, Equatable {
    var title: String
}

/// A sample is requested off the main actor.
nonisolated struct HubUser: Codable, Equatable, Sampled {
    var login: String
    static var sample: HubUser { HubUser(login: "octocat") }
}

nonisolated enum HubOrder: String { case newest = "new" }

/// A body's model is encoded off the main actor.
nonisolated struct HubIssue: Codable, Sampled {
    var title: String
    static let sample = HubIssue(title: "sample")
}

/// A result by status, which is created off the main actor.
@StatusResult
nonisolated enum HubResult {
    @Status(200) case label(HubLabel)
    case other(Response)
}

/// A part of a composed API.
@API("https://api.example.com", isPart: true) @Idempotent
protocol HubUsers {
    @GET("/users/{name}") @Retry(.never) @Sample(#"{"login":"octocat"}"#)
    func typedUser(name: String, page: Int?) async throws -> TypedResponse<HubUser>
    @POST("/labels") @ByStatus func save(title: String, more: QueryMap<[String: HubOrder]>) async throws -> HubResult
    @GET("/lines") @Stream func lines() async throws -> DecodedLines<HubLabel>
    @GET("/events") @Stream(until: "end") func labels() async throws -> DecodedEvents<HubLabel>
    @GET func user(at link: RequestURL<URL>) async throws -> HubUser
}

/// Another part.
@API("https://api.example.com", isPart: true)
protocol HubIssues {
    @POST("/issues") @JSON(encoder: JSONEncoder(), decoder: JSONDecoder())
    func create(issue: Body<HubIssue>) async throws(MoyaError) -> HubIssue
}

/// A composed API.
@API protocol WholeHub: HubUsers, HubIssues {}

/// An isolated protocol with nonisolated methods.
@MainActor
@API("https://api.example.com")
protocol IsolatedHub: Sendable {
    @GET("/users/{name}") func user(name: String) async throws -> HubUser
    @GET("/zen") @Sample("ok") nonisolated func zen() async throws -> String
}

/// Parameters and methods with the names of keywords and of generated code.
@API("https://api.example.com")
protocol KeywordHub {
    @GET("/a/{for}") func search(for: String, in: Int?, `inout`: Bool, where value: String) async throws
    @POST("/b") func `init`(class: String, `default`: Int, some: Bool, await: String) async throws
    @POST("/c") @FormURLEncoded func `repeat`(`while`: String, _ `let`: [Int]) async throws
    @POST("/d") @Multipart func `switch`(`case`: String?, `func`: Data) async throws
    @PUT("/e") @Headers(["X-Var": "v{var}"]) func `in`(`return`: Body<HubIssue>?, `var`: String) async throws
    @GET("/f") func `for`(`throw`: Header<String>) async throws -> String
    @GET("/g/{a}") func `for`(`in` a: String) async throws -> String
    // swift-format-ignore: AlwaysUseLowerCamelCase
    @GET("/p") func path(path: String, caller: String, state: Int, answer: String, PathValue: String) async throws
    @GET("/m") func method() async throws
    @GET("/u") func baseURL() async throws
    @GET("/d") func declaredBaseURL() async throws
    @GET("/x") func task(task: String, headers: String) async throws
    @GET("/y") func caller(x: Int) async throws
    @GET("/z") func state(x: Int) async throws
    @GET("/0") func handlers(x: Int) async throws
    @GET("/1") func calls(x: Int) async throws
    @GET("/2") func provider(x: Int) async throws
    @GET("/3") func `raw name`(`first name`: String) async throws
}

/// Types with the names that generated code uses.
enum Shadows {
    nonisolated struct Data: Codable, Equatable, Sampled {
        var data: Swift.Int
        static let sample = Data(data: 7)
    }
    nonisolated struct Response: Codable, Equatable, Sampled {
        var response: Swift.Int
        static let sample = Response(response: 8)
    }
    nonisolated enum String: Swift.String, Codable, CustomStringConvertible {
        case one = "1/1"
        var description: Swift.String { "one" }
    }
    nonisolated struct CreateBody: Codable {}
    nonisolated struct Handlers: Codable {}
    nonisolated struct Target: Codable {}
    nonisolated struct CodingKeys: Codable {}
    enum Moya {}
    enum MoyaMacros {}
    enum Foundation {}
    enum URL {}
    enum Int {}
    enum Bool {}
    enum Void {}
    enum Error {}
    enum Task {}
    enum Method {}
    enum Encodable {}
    enum Sendable {}
    enum TargetType {}
    enum HTTPTask {}
    enum APIClient {}
    enum APICaller {}
    enum MockState {}
    enum PathValue {}
    enum WireValue {}
    enum SampleData {}
    enum URLEncoding {}
    enum MultipartFormData {}
    enum ValidationType {}
    enum AuthorizationType {}
    enum AccessTokenAuthorizable {}
    enum MoyaError {}
    enum RetryChoice {}
    enum RequestRetrier {}
    enum IdempotencyKeys {}
    enum RequestEncoder {}
    enum ResponseDecoder {}
    enum JSONDecoder {}
    enum JSONEncoder {}
    enum NamedFields {}
    enum Session {}
    enum StatusErrorBody {}
    nonisolated struct Failure: Codable, Swift.Error {}

    @API("https://api.example.com")
    protocol Shadow {
        @GET("/data/{path}") @Sample(#"{"data":7}"#) func data(path: String, query: Data?) async throws -> Data
        @GET("/response") @Bearer @Sample(#"{"response":8}"#) func response(tag: Header<String>) async throws
            -> Response
        @POST("/create") func create(body: CreateBody, handlers: Handlers, keys: CodingKeys?) async throws -> Target
        @PUT("/put") func put(data: Body<Data>) async throws -> Handlers
        @PUT("/bytes") func bytes(_ data: Body<Foundation_Data>) async throws
        @POST("/form") @FormURLEncoded func form(text: String) async throws
        @POST("/parts") @Multipart func parts(text: String, bytes: Foundation_Data) async throws
        @POST("/many") @Retry(.never) @Idempotent @ErrorBody(Failure.self, for: 409)
        func many(rest: QueryMap<[Swift.String: Swift.Int]>, extra: HeaderMap<[Swift.String: Swift.String]>)
            async throws
            -> Data
        @GET func link(_ link: RequestURL<Swift.String>) async throws
    }
}

typealias Foundation_Data = Data
#endif
