#if Macros
import Testing

@Suite("Mistakes in methods are diagnosed")
struct DiagnosticsInEndpointsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var rule: String
        /// The members of the protocol, with marks.
        var members: String
        var findings: [Expansion.Finding]
        /// The members after the fix-its.
        var fixed: String?

        init(_ rule: String, _ members: String, _ findings: [Expansion.Finding], fixed: String? = nil) {
            (self.rule, self.members, self.findings, self.fixed) = (rule, members, findings, fixed)
        }

        var testDescription: String { rule }
    }

    @Test("an unsupported signature of a method is reported at its place in the source", arguments: Self.signatures)
    func signature(row: Row) { check(row) }

    @Test(
        "an invalid path, or an unknown parameter in it, is reported at its place in the source",
        arguments: Self.templates
    )
    func template(row: Row) { check(row) }

    @Test(
        "redundant, excess or contradictory attributes are reported at their place in the source",
        arguments: Self.attributes
    )
    func attribute(row: Row) { check(row) }

    private func check(_ row: Row) {
        Expansion.expect(
            Self.source(row.members),
            finds: row.findings,
            fixed: row.fixed.map { Self.source($0) }
        )
    }

    private static func source(_ members: String) -> String {
        "@API(\"https://api.example.com\")\nprotocol Shop {\n\(members)\n}"
    }

    static let signatures = [
        Row(
            "It waits for a server",
            "@GET(\"/a\") func •a() -> Item",
            [.init("'a' sends a request: it must be 'async throws'", fixIts: ["make it 'async throws'"])],
            fixed: "@GET(\"/a\") func a() async throws -> Item"
        ),
        Row(
            "It can fail",
            "@GET(\"/a\") func •a() async",
            [.init("'a' sends a request: it must be 'async throws'", fixIts: ["make it 'async throws'"])],
            fixed: "@GET(\"/a\") func a() async throws"
        ),
        Row(
            "It keeps the type that it throws",
            "@GET(\"/a\") func •a() throws(MoyaError) -> Item",
            [.init("'a' sends a request: it must be 'async throws'", fixIts: ["make it 'async throws'"])],
            fixed: "@GET(\"/a\") func a() async throws(MoyaError) -> Item"
        ),
        Row(
            "It throws MoyaError and nothing else",
            "@GET(\"/a\") func a() async throws(•Other) -> Item",
            [.init("an endpoint throws MoyaError: write 'throws' or 'throws(MoyaError)'")]
        ),
        Row(
            "It is not generic",
            "@POST(\"/a\") func a•<T>(value: Body<T>) async throws",
            [.init("an endpoint can't be generic: it becomes a case of an enum")]
        ),
        Row(
            "Nor in a parameter",
            "@POST(\"/a\") func a(value: •some Encodable) async throws",
            [.init("an endpoint can't be generic: it becomes a case of an enum")]
        ),
        Row(
            "It is not static",
            "@GET(\"/a\") •static func a() async throws",
            [.init("an endpoint is called on a client: it can't be static")]
        ),
        Row(
            "It is not mutating",
            "@GET(\"/a\") •mutating func a() async throws",
            [.init("an endpoint can't be mutating")]
        ),
        Row(
            "A parameter is not inout",
            "@GET(\"/a\") func a(b: •inout Int) async throws",
            [.init("a parameter of an endpoint can't be 'inout'", fixIts: ["remove 'inout'"])],
            fixed: "@GET(\"/a\") func a(b: Int) async throws"
        ),
        Row(
            "A parameter is not variadic",
            "@GET(\"/a\") func a(b: Int•...) async throws",
            [.init("a parameter of an endpoint can't be variadic: take an array")]
        ),
        Row(
            "A parameter has a name",
            "@GET(\"/a\") func a(b •_: Int) async throws",
            [.init("a parameter of an endpoint needs a name")]
        ),
        Row(
            "An overload's case would be that of another method",
            """
            @GET("/a") func a() async throws
            @GET("/a") func ◦a(b: Int) async throws
            @GET("/b") func •aB() async throws
            """,
            [
                .init(
                    "'aB()' and 'a(b:)' would both have the case 'aB': rename one of them, or a label",
                    notes: ["here is the first one"]
                )
            ]
        ),
        Row(
            "Types do not tell overloads apart if their names are the same",
            "@GET(\"/a\") func ◦a(b: [Int]) async throws\n@GET(\"/b\") func •a(b: Array<Int>) async throws",
            [
                .init(
                    "'a(b:)' and 'a(b:)' would both have the case 'aB': rename one of them, or a label",
                    notes: ["here is the first one"]
                )
            ]
        ),
        Row(
            "A default is for a parameter",
            "@GET(\"/a\") @Default(•\"c\", 1) func a(b: Int) async throws",
            [.init("there is no parameter 'c'")]
        ),
        Row(
            "Once",
            "@GET(\"/a\") @Default(\"b\", 1) @Default(•\"b\", 2) func a(b: Int) async throws",
            [.init("'b' already has a default")]
        ),
        Row(
            "And its expression means no method",
            "@GET(\"/a\") @Default(\"b\", •a) func a(b: Int) async throws",
            [.init("'a' is a member of the generated client here: write the name of its type or module, too")]
        ),
    ]

    static let templates = [
        Row(
            "A name in the path is that of a parameter; one that is like it is meant",
            "@GET(\"/users/•{nmae}\") func user(name: String) async throws -> User",
            [.init("there is no parameter 'nmae'", fixIts: ["name 'name'"])],
            fixed: "@GET(\"/users/{name}\") func user(name: String) async throws -> User"
        ),
        Row(
            "Or the parameter is missing",
            "@GET(\"/users/•{name}\") func user() async throws -> User",
            [.init("there is no parameter 'name'", fixIts: ["add the parameter 'name: String'"])],
            fixed: "@GET(\"/users/{name}\") func user(name: String) async throws -> User"
        ),
        Row(
            "Besides others",
            "@GET(\"/{owner}/•{repo}\") func user(owner: String) async throws -> User",
            [.init("there is no parameter 'repo'", fixIts: ["add the parameter 'repo: String'"])],
            fixed: "@GET(\"/{owner}/{repo}\") func user(owner: String, repo: String) async throws -> User"
        ),
        Row(
            "A label is no name",
            "@GET(\"/•{of}\") func user(of name: String) async throws -> User",
            [.init("there is no parameter 'of'", fixIts: ["add the parameter 'of: String'"])],
            fixed: "@GET(\"/{of}\") func user(of name: String, of: String) async throws -> User"
        ),
        Row(
            "In the query, too",
            "@GET(\"/users?n=1&page=•{pge}\") func users(page: Int) async throws -> User",
            [.init("there is no parameter 'pge'", fixIts: ["name 'page'"])],
            fixed: "@GET(\"/users?n=1&page={page}\") func users(page: Int) async throws -> User"
        ),
        Row(
            "And in a header",
            "@GET(\"/a\") @Headers([\"X-A\": \"v •{b}\"]) func a() async throws",
            [.init("there is no parameter 'b'", fixIts: ["add the parameter 'b: String'"])],
            fixed: "@GET(\"/a\") @Headers([\"X-A\": \"v {b}\"]) func a(b: String) async throws"
        ),
        Row(
            "A path begins with a slash",
            "@GET(\"•users\") func users() async throws",
            [.init("a path begins with '/'", fixIts: ["insert '/'"])],
            fixed: "@GET(\"/users\") func users() async throws"
        ),
        Row(
            "Braces are closed",
            "@GET(\"/users/•{name\") func user(name: String) async throws",
            [.init("this '{' has no '}'")]
        ),
        Row(
            "And opened",
            "@GET(\"/users/name•}\") func user(name: String) async throws",
            [.init("this '}' has no '{'")]
        ),
        Row(
            "Between them is a name alone",
            "@GET(\"/users/•{name:int}\") func user(name: String) async throws",
            [.init("'{name:int}' is not a parameter: write only its name between braces")]
        ),
        Row(
            "And there is one",
            "@GET(\"/users/•{}\") func user() async throws",
            [.init("'{}' is not a parameter: write only its name between braces")]
        ),
        Row(
            "What a path can't have is escaped",
            "@GET(\"/größ•ßen\") func a() async throws".replacing("größ•ß", with: "gr•öß"),
            [.init("a path can't have 'ö' as it is: escape it as '%C3%B6'", fixIts: ["escape it as '%C3%B6'"])],
            fixed: "@GET(\"/gr%C3%B6ßen\") func a() async throws"
        ),
        Row(
            "A space, too",
            "@GET(\"/a•b\") func a() async throws".replacing("•", with: "• "),
            [.init("a path can't have ' ' as it is: escape it as '%20'", fixIts: ["escape it as '%20'"])],
            fixed: "@GET(\"/a%20b\") func a() async throws"
        ),
        Row(
            "An escape has two digits",
            "@GET(\"/100•%/x\") func a() async throws",
            [
                .init(
                    "after '%' two hexadecimal digits must follow; the character itself is '%25'",
                    fixIts: ["escape it as '%25'"]
                )
            ],
            fixed: "@GET(\"/100%25/x\") func a() async throws"
        ),
        Row(
            "No dots that lead elsewhere",
            "@GET(\"/a/•../b\") func a() async throws",
            [.init("'.' and '..' lead to another path: write that path")]
        ),
        Row(
            "Nor when they are escaped",
            "@GET(\"/a/•%2E%2e/b\") func a() async throws",
            [.init("'.' and '..' lead to another path: write that path")]
        ),
        Row(
            "Something between two slashes",
            "@GET(\"/a/•/b\") func a() async throws",
            [.init("this path segment is empty", fixIts: ["remove one '/'"])],
            fixed: "@GET(\"/a/b\") func a() async throws"
        ),
        Row(
            "No fragment",
            "@GET(\"/a•#b\") func a() async throws",
            [.init("a fragment is not sent to a server")]
        ),
        Row(
            "Query items have names and values",
            "@GET(\"/a?b=1&•c\") func a() async throws",
            [.init("'c' is not a query item: write 'name=value' or 'name={parameter}'")]
        ),
        Row(
            "And values are whole",
            "@GET(\"/a?•b=x{c}\") func a(c: Int) async throws",
            [.init("'b=x{c}' is not a query item: write 'name=value' or 'name={parameter}'")]
        ),
        Row(
            "An item stands there once",
            "@GET(\"/a?b=1&•b=2\") func a() async throws",
            [.init("the query has 'b' twice")]
        ),
        Row(
            "A path is a literal",
            "@GET(•\"/a/\\(b)\") func a() async throws",
            [.init("this must be a text in quotes, without interpolation")]
        ),
        Row(
            "A parameter as other libraries write it",
            "@GET(\"/users/•:id\") func user(id: Int) async throws",
            [
                .init(
                    "':id' is sent as it is: write '{id}' for the parameter, or '%3Aid' for a colon",
                    fixIts: ["write '{id}'"]
                )
            ],
            fixed: "@GET(\"/users/{id}\") func user(id: Int) async throws"
        ),
        Row(
            "With any verb, and with more in its segment",
            "@HTTP(\"PURGE\", \"/•:user_id.json?a=:b\") func user() async throws",
            [
                .init(
                    "':user_id' is sent as it is: write '{user_id}' for the parameter, or '%3Auser_id' for a colon",
                    fixIts: ["write '{user_id}'"]
                )
            ],
            fixed: "@HTTP(\"PURGE\", \"/{user_id}.json?a=:b\") func user() async throws"
        ),
    ]

    static let attributes = [
        Row(
            "A method has an HTTP method",
            "func •user() async throws -> User",
            [
                .init(
                    "'user' has no HTTP method: add @GET, @POST or another, with its path",
                    fixIts: ["add @GET(\"/user\")"]
                )
            ],
            fixed: "@GET(\"/user\") func user() async throws -> User"
        ),
        Row(
            "And one only",
            "@GET(\"/a\") •@POST(\"/a\") func a() async throws",
            [.init("an endpoint has only one HTTP method and one path", fixIts: ["remove @POST(\"/a\")"])],
            fixed: "@GET(\"/a\") func a() async throws"
        ),
        Row(
            "Which is a token",
            "@HTTP(•\"GET IT\", \"/a\") func a() async throws",
            [
                .init(
                    "this is not an HTTP method: use letters, digits and !#$%&'*+-.^_`|~ (RFC 9110, section 5.6.2)"
                )
            ]
        ),
        Row(
            "An attribute stands there once",
            "@GET(\"/a\") @Bearer •@Bearer func a() async throws",
            [.init("@Bearer is repeated")]
        ),
        Row(
            "One scheme",
            "@GET(\"/a\") @Bearer •@Basic func a() async throws",
            [.init("@Bearer and @Basic exclude each other")]
        ),
        Row(
            "One form",
            "@POST(\"/a\") @Multipart •@FormURLEncoded func a(b: Int) async throws",
            [.init("@Multipart and @FormURLEncoded exclude each other")]
        ),
        Row(
            "An answer goes into a file, or is read as it comes",
            "@GET(\"/a\") @Download •@Stream func a(to: URL) async throws",
            [.init("@Stream and @Download exclude each other")]
        ),
        Row(
            "A streamed list in pages",
            "@GET(\"/a\") @Stream •@Paged(.link) func a() async throws -> StreamingLines",
            [.init("@Stream and @Paged exclude each other")]
        ),
        Row(
            "A list in pages with another result",
            "@GET(\"/a\") @Paged(.link) func a() async throws -> •[Item]",
            [.init("a method with @Paged returns 'PagedSequence<Item>'")]
        ),
        Row(
            "A list in pages without its pagination",
            "@GET(\"/a\") func a() async throws -> •PagedSequence<Item>",
            [
                .init(
                    "a list in pages needs @Paged with the way in which the server divides it, such as '@Paged(.link)'"
                )
            ]
        ),
        Row(
            "Items of any type",
            "@GET(\"/a\") @Paged(.link) func a() async throws -> PagedSequence<•any Named>",
            [.init("'any Named' can't be decoded: write the name of a type that is Decodable")]
        ),
        Row(
            "A pagination that means a parameter",
            "@GET(\"/a\") @Paged(.cursor(at: •b, query: \"c\")) func a(b: String) async throws -> PagedSequence<Item>",
            [
                .init(
                    "'b' is a member of the generated client here: write the name of its type or module, too"
                )
            ]
        ),
        Row(
            "Options of a WebSocket that mean a parameter",
            "@WebSocket(\"/a\", options: WebSocketOptions(bufferSize: •b)) func a(b: Int) async throws -> WebSocket",
            [
                .init(
                    "'b' is a member of the generated client here: write the name of its type or module, too"
                )
            ]
        ),
        Row(
            "The reconnection of a WebSocket with one connection",
            "@WebSocket(\"/a\", reconnection: •.init()) func a() async throws -> WebSocket",
            [
                .init(
                    "a 'WebSocket' has one connection: 'reconnection' is for a method that returns 'ReconnectingWebSocket'"
                )
            ]
        ),
        Row(
            "GET sends no form",
            "@GET(\"/a\") •@FormURLEncoded func a(b: Int) async throws",
            [.init("GET sends no body, so @FormURLEncoded has no effect")]
        ),
        Row(
            "Nor parts",
            "@DELETE(\"/a\") •@Multipart func a(b: Int) async throws",
            [.init("a multipart form is sent with POST, PUT or PATCH, not with DELETE")]
        ),
        Row(
            "A stream has one of several forms",
            "@GET(\"/a\") @Stream func a() async throws -> •[String]",
            [
                .init(
                    """
                    a method with @Stream returns one of 'DecodedEvents', 'DecodedLines', 'EventSequence', 'ServerSentEvents', \
                    'StreamingEvents', 'StreamingLines', 'StreamingBody', 'StreamingResponse'
                    """
                )
            ]
        ),
        Row(
            "And needs its attribute",
            "@GET(\"/a\") func a() async throws -> •StreamingLines",
            [.init("a streamed result needs @Stream", fixIts: ["add @Stream"])],
            fixed: "@Stream @GET(\"/a\") func a() async throws -> StreamingLines"
        ),
        Row(
            "A WebSocket is the result of its attribute",
            "@WebSocket(\"/a\") func a() async throws -> •DecodedLines<Item>\n"
                + "@WebSocket(\"/b\") func •b() async throws\n@WebSocket(\"/c\") func c() async throws -> •WebSocket?",
            Array(repeating: .init("a method with @WebSocket returns 'WebSocket' or 'ReconnectingWebSocket'"), count: 3)
        ),
        Row(
            "And of no other",
            "@GET(\"/a\") func a() async throws -> •WebSocket",
            [.init("a WebSocket needs @WebSocket with its path, in place of the HTTP method")]
        ),
        Row(
            "Nor is it a stream",
            "@WebSocket(\"/a\") •@Stream func a() async throws -> WebSocket",
            [.init("@WebSocket and @Stream exclude each other")]
        ),
        Row(
            "It has no HTTP method",
            "@WebSocket(\"/a\") •@GET(\"/a\") func a() async throws -> WebSocket",
            [.init("an endpoint has only one HTTP method and one path", fixIts: ["remove @GET(\"/a\")"])],
            fixed: "@WebSocket(\"/a\") func a() async throws -> WebSocket"
        ),
        Row(
            "And no decoded part",
            "@WebSocket(\"/a\") •@KeyPath(\"b\") func a() async throws -> WebSocket",
            [.init("@KeyPath is for a decoded result: this one is not decoded")]
        ),
        Row(
            "A download gives nothing else",
            "@GET(\"/a\") @Download func a(to: URL) async throws -> •Data",
            [.init("a download's body is in its file: the method must return nothing or Response")]
        ),
        Row(
            "And goes somewhere",
            "@GET(\"/a\") •@Download func a(b: Int) async throws",
            [
                .init(
                    """
                    a download needs a parameter for its destination: '@escaping DownloadDestination', or the file's 'URL'
                    """
                )
            ]
        ),
        Row(
            "A time-out is positive",
            "@GET(\"/a\") @Timeout(•0) func a() async throws\n@GET(\"/b\") @Timeout(•-1.5) func b() async throws",
            [
                .init("a timeout is a positive number of seconds; 'nil' selects the session's timeout"),
                .init("a timeout is a positive number of seconds; 'nil' selects the session's timeout"),
            ]
        ),
        Row(
            "A time-out's duration is positive",
            "@GET(\"/a\") @Timeout(total: •.zero) func a() async throws\n"
                + "@GET(\"/b\") @Timeout(attempt: •.seconds(0), pool: •.milliseconds(-5)) func b() async throws\n"
                + "@GET(\"/c\") @Timeout(connect: •Duration.seconds(0.0)) func c() async throws\n"
                + "@GET(\"/d\") @Timeout(total: Limits.zero, firstByte: .seconds(Limits.short)) func d() async throws",
            Array(
                repeating: .init("a timeout is a positive duration; 'nil' selects that of the provider or the session"),
                count: 4
            )
        ),
        Row(
            "A time-out has a time",
            "@GET(\"/a\") •@Timeout func a() async throws\n@GET(\"/b\") •@Timeout() func b() async throws",
            Array(
                repeating: .init(
                    "@Timeout needs a time: seconds without any byte, or a labeled duration such as 'total: .seconds(30)'"
                ),
                count: 2
            )
        ),
        Row(
            "A time-out's duration means no member of the target",
            "@GET(\"/a\") @Timeout(total: •timeouts.total) func a() async throws",
            [
                .init(
                    "'timeouts' is a member of the generated target here: write the name of its type or module, too"
                )
            ]
        ),
        Row(
            "A time-out's expression means no member of the target",
            "@GET(\"/a\") @Timeout(•timeoutInterval) func a() async throws",
            [
                .init(
                    "'timeoutInterval' is a member of the generated target here: write the name of its type or module, too"
                )
            ]
        ),
        Row(
            "A key path leads into what is decoded",
            "@GET(\"/a\") •@KeyPath(\"b\") func a() async throws -> Data",
            [.init("@KeyPath is for a decoded result: this one is not decoded")]
        ),
        Row(
            "A header's name is a token",
            "@GET(\"/a\") @Headers([•\"X A\": \"1\"]) func a() async throws",
            [
                .init(
                    "'X A' is not a header name: use letters, digits and !#$%&'*+-.^_`|~ (RFC 9110, section 5.1)"
                )
            ]
        ),
        Row(
            "And stands there once",
            "@GET(\"/a\") @Headers([\"X-A\": \"1\", •\"x-a\": \"2\"]) func a() async throws",
            [.init("the header 'x-a' is set twice")]
        ),
        Row(
            "Also besides a parameter",
            "@GET(\"/a\") @Headers([\"X-A\": \"1\"]) func a(•xA: Header<String>) async throws",
            [.init("the header 'X-A' is set twice")]
        ),
        Row(
            "A header's value is a literal without escapes",
            "@GET(\"/a\") @Headers([\"X-A\": •\"1\\r\\nX-B: 2\"]) func a() async throws",
            [.init("this must be a text in quotes, without interpolation")]
        ),
        Row(
            "A name on the wire is for a parameter",
            "@GET(\"/a\") @Names([•\"c\": \"d\"]) func a(b: Int) async throws",
            [.init("there is no parameter 'c'")]
        ),
    ]
}
#endif
