#if Macros
import MoyaMacros
import Testing

@Suite("Values of parameters are escaped in paths")
struct PathValueTests {
    static let values: [(value: String, escaped: String)] = [
        ("moya", "moya"),
        ("a/b", "a%2Fb"),
        ("/", "%2F"),
        ("a?b=c", "a%3Fb=c"),
        ("a#b", "a%23b"),
        ("100%", "100%25"),
        ("%2F", "%252F"),
        ("%2e%2e", "%252e%252e"),
        ("../admin", "..%2Fadmin"),
        ("..\\admin", "..%5Cadmin"),
        ("a;b", "a%3Bb"),
        ("a b", "a%20b"),
        ("a\r\nHost: b", "a%0D%0AHost:%20b"),
        ("\0", "%00"),
        ("größe", "gr%C3%B6%C3%9Fe"),
        ("日本", "%E6%97%A5%E6%9C%AC"),
        ("...", "..."),
        ("a..b", "a..b"),
        ("!$&'()*+,-.:=@_~", "!$&'()*+,-.:=@_~"),
    ]

    @Test("a value with any content stays within one path segment", arguments: values)
    func escaping(value: String, escaped: String) throws {
        let target = ShopAPI.item(value)
        #expect(target.path == "/items/\(escaped)")
        #expect(URL(target: target).absoluteString == "https://shop.example/v1/items/\(escaped)")
        let request = try MoyaProvider<ShopAPI>.defaultEndpointMapping(for: target).urlRequest()
        #expect(request.url?.absoluteString == "https://shop.example/v1/items/\(escaped)")
    }

    @Test("a value is written into the path as in a target's unescaped path", arguments: values)
    func sameAsByHand(value: String, escaped: String) {
        struct ByHand: TargetType {
            let name: String
            var baseURL: URL { ShopAPI.text.baseURL }
            var path: String { "/items/\(name)" }
            var method: Moya.Method { .get }
            var task: HTTPTask { .requestPlain }
            var headers: [String: String]? { nil }
        }
        // In a handwritten path a slash is a separator, and a semicolon stays, although some servers parse
        // parameters after it.
        guard !value.contains("/"), !value.contains(";") else { return }
        #expect(URL(target: ByHand(name: value)) == URL(target: ShopAPI.item(value)))
    }

    @Test("a path with a value stays unchanged in a MultiTarget and at another server", arguments: values)
    func wrapped(value: String, escaped: String) throws {
        let target = ShopAPI.item(value)
        #expect(URL(target: MultiTarget(target)).absoluteString == "https://shop.example/v1/items/\(escaped)")
        for base in ["http://127.0.0.1:8080", "http://127.0.0.1:8080/"] {
            let url = try #require(URL(string: base))
            let endpoint = MoyaProvider<ShopAPI>.endpoints(at: url)(target)
            #expect(endpoint.url == "http://127.0.0.1:8080/items/\(escaped)")
            let multi = MoyaProvider<MultiTarget>.endpoints(at: url)(MultiTarget(target))
            #expect(multi.url == "http://127.0.0.1:8080/items/\(escaped)")
        }
    }

    @Test("a base URL's query stays after the values of the path")
    func baseQuery() throws {
        let url = try #require(URL(string: "http://a.example/x/?key=1#f"))
        #expect(
            MoyaProvider<ShopAPI>.endpoints(at: url)(.item("a/b")).url == "http://a.example/x/items/a%2Fb?key=1#f"
        )
    }

    @Test("raw values, descriptions and numbers can be values in a path")
    func types() {
        #expect(ShopAPI.sorted(order: .byName).path == "/sorted/by_name")
        #expect(ShopAPI.part(of: "a", number: -3).path == "/items/a/parts/-3")
        #expect(ShopAPI.range(first: "a/", last: Named(description: "b?")).path == "/items/a%2F...b%3F.json")
    }

    @Test(
        "a path value that is empty, or one or two dots, is refused before anything is sent",
        arguments: [("", PathValueError.Reason.empty), (".", .dots), ("..", .dots)]
    )
    func refused(value: String, reason: PathValueError.Reason) async throws {
        let provider = MoyaProvider<ShopAPI>(stubClosure: MoyaProvider.immediatelyStub)
        let targets: [(String, ShopAPI)] = [
            ("name", .item(value)), ("name", .part(of: value, number: 1)),
            ("first", .range(first: value, last: Named(description: "x"))),
            ("last", .range(first: "x", last: Named(description: value))),
            ("name", .update(value, unitPrice: nil, tags: [])),
            ("name", .put(raw: Data(), name: value, tag: nil, order: .byName)),
        ]
        for (parameter, target) in targets {
            let error = await #expect(throws: MoyaError.self) { _ = try await provider.request(target) }
            guard case .parameterEncoding(let refusal as PathValueError)? = error else {
                Issue.record("\(target) fails with \(String(describing: error))")
                continue
            }
            #expect(refusal == PathValueError(parameter: parameter, reason: reason))
            let text = try #require(error?.errorDescription)
            #expect(text.contains("`path`") && text.contains("\"\(parameter)\"") && text.contains("ShopAPI."))
            // A request that is created without a provider fails, too.
            #expect(throws: MoyaError.self) { try Endpoint(of: target).urlRequest() }
        }
    }

    @Test("any value of a parameter leads to a path with the template's number of segments, and can be read back")
    func anyValue() throws {
        var seed = UInt64.random(in: 0...UInt64.max)
        let start = seed
        func random(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }
        let alphabet = Array("ab/.?#%&=;:@\\ \t\r\n\0\u{7F}\u{301}äß日🙂\"'<>[]{}|^`+").map(String.init)
        for _ in 0..<2_000 {
            let value = (0..<1 + random(6)).map { _ in alphabet[random(alphabet.count)] }.joined()
            let url = URL(target: ShopAPI.part(of: value, number: 7)).absoluteString
            let segments = url.split(separator: "/", omittingEmptySubsequences: false)
            #expect(segments.count == 8, "\(start): \(value.debugDescription) gives \(url)")
            #expect(
                segments.dropFirst(5).first?.removingPercentEncoding == value,
                "\(start): \(value.debugDescription)"
            )
            #expect(!url.contains("?") && !url.contains("#"), "\(start): \(value.debugDescription) gives \(url)")
        }
    }

    @Test(
        "a path that is declared as escaped but has invalid characters is escaped",
        arguments: ["/a b", "/a?b", "/ä", "/a#b"]
    )
    func notEscaped(path: String) {
        struct Wrong: TargetType {
            let path: String
            var isPathEscaped: Bool { true }
            var baseURL: URL { ShopAPI.text.baseURL }
            var method: Moya.Method { .get }
            var task: HTTPTask { .requestPlain }
            var headers: [String: String]? { nil }
        }
        let url = URL(target: Wrong(path: path))
        #expect(url == ShopAPI.text.baseURL.appendingPathComponent(path))
        #expect(url.query == nil && url.fragment == nil)
    }
}

extension Endpoint {
    fileprivate convenience init(of target: ShopAPI) {
        let endpoint = MoyaProvider<ShopAPI>.defaultEndpointMapping(for: target)
        self.init(
            url: endpoint.url,
            sampleResponseClosure: endpoint.sampleResponseClosure,
            method: endpoint.method,
            task: endpoint.task,
            httpHeaderFields: endpoint.httpHeaderFields
        )
    }
}
#endif
