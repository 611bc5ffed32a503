#if Macros
import MoyaMacros

/// An API with parameters and results of every kind.
@API("https://shop.example/v1", keys: .snakeCase)
protocol Shop: Sendable {
    @GET("/items/{name}") func item(_ name: String) async throws -> Item
    @GET("/items/{name}/parts/{number}") func part(of name: String, number: Int) async throws -> Item?
    @GET("/sorted/{order}") @Sample("[]") func sorted(order: Order) async throws -> [Item]
    @GET("/items/{first}...{last}.json") func range(first: String, last: Named) async throws -> [Item]
    @GET("/search?kind=new&maxPrice={maxPrice}") @KeyPath("found.items")
    func search(orders: [Order], maxPrice: Double?, since: Date?, order: Order?) async throws -> [Item]
    @POST("/items") @Bearer func add(item: Body<Item>, dryRun: Query<Bool?>, xRequestID: Header<String>)
        async throws -> Item
    @PATCH("/items/{name}") func update(_ name: String, unitPrice: Double?, tags: [String]) async throws(MoyaError)
    @POST("/cart") @FormURLEncoded @URLStyle(arrayEncoding: .noBrackets) func fill(tags: [String], order: Order)
        async throws
    @POST("/photos") @Multipart func upload(note: Named, order: Order?, photo: MultipartFormData) async throws
    @PUT("/raw/{name}") @Headers(["Content-Type": "text/x", "If-Match": "{tag}", "X-Order": "by {order}"])
    func put(raw: Body<Data>, name: String, tag: Int?, order: Order) async throws -> String
    @GET("/text") @Sample("hello") @Validation(.none) func text() async throws -> String?
    @GET("/data") @Sample({ Item(name: "made", unitPrice: 2) }) func data() async throws -> Data
    @DELETE("/maybe") func maybe() async throws -> Data?
    @GET("/response") @Sample(Item.sample) @Headers(["X-Shop": "1"]) func response() async throws -> Response
    @GET("/named/{name}") @Sample({ (name: String, price: Double) in Item(name: name, unitPrice: price) })
    func named(name: String, price: Double) async throws -> Item
    @GET("/news") @Stream func news() async throws -> ServerSentEvents
    @GET("/log") @Stream @Sample("a\nb\n") func log() async throws -> StreamingLines
    @GET("/pages/{name}") @Paged(.link) @KeyPath("items") func pages(of name: String) async throws -> PagedSequence<
        Item
    >
    @GET("/state/{state}") func clash(state: String, caller: Query<String>, answer: Int, path: String) async throws
}

struct Item: Codable, Equatable, Sendable, Sampled {
    var name: String
    var unitPrice: Double

    static let sample = Item(name: "sample", unitPrice: 1)
}

enum Order: String, Codable, Sendable {
    case byName = "by_name"
    case byPrice = "by_price"
}

/// A type that is its description.
struct Named: LosslessStringConvertible, Sendable {
    var description: String

    init(description: String) { self.description = description }

    init(_ description: String) { self.description = description }
}

/// A type that has only a description, which is for people.
struct Worded: CustomStringConvertible, Sendable {
    var description: String
}
#endif
