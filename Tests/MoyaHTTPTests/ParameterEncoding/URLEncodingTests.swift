import Foundation
import MoyaHTTP
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Parameters are written into a query or a form")
struct URLEncodingTests {
    private static func request(_ method: HTTPMethod = .get, _ url: String = "http://h/") throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method.rawValue
        return request
    }

    private static func query(_ parameters: [String: any Sendable], _ encoding: URLEncoding = .default) throws
        -> String?
    {
        let url = try encoding.encode(request(), with: parameters).url?.absoluteString
        return url?.split(separator: "?", maxSplits: 1).last.map(String.init)
    }

    private static func body(of request: URLRequest) -> String? {
        request.httpBody.map { String(decoding: $0, as: UTF8.self) }
    }

    private static let form = "application/x-www-form-urlencoded; charset=utf-8"

    // MARK: The destination of the pairs

    static let methods: [(HTTPMethod, Bool)] = [
        (.get, true), (.head, true), (.delete, true), (.post, false), (.put, false), (.patch, false),
        (.options, false), (.query, false), (.trace, false), (.connect, false),
        (HTTPMethod(rawValue: "PROPFIND"), false), (HTTPMethod(rawValue: "getx"), false),
    ]

    @Test(
        "fact 22: URLEncoding writes to the query for GET, HEAD and DELETE, and to the body for every other method by default",
        arguments: methods
    )
    func methodDependent(_ method: HTTPMethod, isQuery: Bool) throws {
        let encoded = try URLEncoding.default.encode(Self.request(method), with: ["k": "v"])
        #expect(encoded.url?.absoluteString == (isQuery ? "http://h/?k=v" : "http://h/"))
        #expect(Self.body(of: encoded) == (isQuery ? nil : "k=v"))
        #expect(encoded.value(forHTTPHeaderField: "Content-Type") == (isQuery ? nil : Self.form))
        #expect(encoded.httpMethod == method.rawValue)
    }

    @Test("the query destination applies to every method and leaves the body unchanged", arguments: methods)
    func queryString(_ method: HTTPMethod, isQuery: Bool) throws {
        var request = try Self.request(method)
        request.httpBody = Data("raw".utf8)
        let encoded = try URLEncoding.queryString.encode(request, with: ["k": "v"])
        #expect(encoded.url?.absoluteString == "http://h/?k=v")
        #expect(Self.body(of: encoded) == "raw")
        #expect(encoded.allHTTPHeaderFields?.isEmpty != false)
    }

    @Test("the body destination applies to every method and leaves the URL unchanged", arguments: methods)
    func httpBody(_ method: HTTPMethod, isQuery: Bool) throws {
        let encoded = try URLEncoding.httpBody.encode(Self.request(method, "http://h/?a=1#f"), with: ["k": "v"])
        #expect(encoded.url?.absoluteString == "http://h/?a=1#f")
        #expect(Self.body(of: encoded) == "k=v")
        #expect(encoded.value(forHTTPHeaderField: "Content-Type") == Self.form)
    }

    // MARK: The URL

    @Test(
        "fact 23: new pairs of parameters follow the existing query after &, and the fragment stays at the end",
        arguments: [
            ("http://h", "http://h?k=v"),
            ("http://h/", "http://h/?k=v"),
            ("http://h/p/q", "http://h/p/q?k=v"),
            ("http://h/?", "http://h/?k=v"),
            ("http://h/?#f", "http://h/?k=v#f"),
            ("http://h/#", "http://h/?k=v#"),
            ("http://h/#f?x=1", "http://h/?k=v#f?x=1"),
            ("http://h/?a=1", "http://h/?a=1&k=v"),
            ("http://h/?a=1&b", "http://h/?a=1&b&k=v"),
            ("http://h/?k=1", "http://h/?k=1&k=v"),
            ("http://h/?a=1?2#f", "http://h/?a=1?2&k=v#f"),
            // Existing escapes are not escaped again, and characters that need no escape are unchanged.
            ("http://h/%20?a=%20b+c%5B%5D!$'()*,;:@", "http://h/%20?a=%20b+c%5B%5D!$'()*,;:@&k=v"),
            ("http://u:p@h:8080/?a=1", "http://u:p@h:8080/?a=1&k=v"),
            ("http://[::1]:8080/", "http://[::1]:8080/?k=v"),
        ]
    )
    func existingQuery(_ url: String, result: String) throws {
        let encoded = try URLEncoding.queryString.encode(Self.request(.get, url), with: ["k": "v"])
        #expect(encoded.url?.absoluteString == result)
    }

    @Test("URLEncoding adds the query to a URL relative to a base, too")
    func relativeURL() throws {
        let url = try #require(URL(string: "p?a=1", relativeTo: URL(string: "http://h/b/c")))
        let encoded = try URLEncoding.default.encode(URLRequest(url: url), with: ["k": "v"])
        #expect(encoded.url?.absoluteURL.absoluteString == "http://h/b/p?a=1&k=v")
    }

    #if os(macOS) || os(Linux)
    // The test has a separate process, because Foundation on Linux traps when a copy of a request without a URL is changed.
    @Test("URLEncoding refuses a request without a URL for each destination, and does not end the process")
    func noURL() async {
        await #expect(processExitsWith: .success) {
            var request = URLRequest(url: try #require(URL(string: "http://h/")))
            request.httpMethod = "POST"
            request.url = nil
            for encoding in [URLEncoding.default, .queryString, .httpBody] {
                #expect(throws: RequestValidationError.invalidURL("")) {
                    try encoding.encode(request, with: ["k": "v"])
                }
                #expect(try encoding.encode(request, with: nil) == request)
            }
        }
    }
    #endif

    @Test("URLEncoding passes on an error of asURLRequest()")
    func failingRequest() {
        struct Failing: URLRequestConvertible {
            func asURLRequest() throws -> URLRequest { throw URLError(.badURL) }
        }
        #expect(throws: URLError(.badURL)) { try URLEncoding.default.encode(Failing(), with: ["k": "v"]) }
        #expect(throws: URLError(.badURL)) { try URLEncoding.default.encode(Failing(), with: nil) }
    }

    // MARK: Names and order

    @Test("fact 24: URLEncoding sorts names at every depth")
    func sorted() throws {
        let parameters: [String: any Sendable] = ["b": 2, "a": 1, "c": ["y": 2, "x": 1], "B": 0, "é": 3]
        #expect(try Self.query(parameters) == "B=0&a=1&b=2&c%5Bx%5D=1&c%5By%5D=2&%C3%A9=3")
    }

    static let arrays: [(URLEncoding.ArrayEncoding, String, String)] = [
        (.brackets, "k[]=1&k[]=2", "k[][]=1&k[][a]=true&k[][]=2"),
        (.noBrackets, "k=1&k=2", "k=1&k[a]=true&k=2"),
        (.indexInBrackets, "k[0]=1&k[1]=2", "k[0][0]=1&k[1][a]=true&k[2][0]=2"),
        (.custom { "\($0).\($1)&" }, "k.0&=1&k.1&=2", "k.0&.0&=1&k.1&[a]=true&k.2&.0&=2"),
    ]

    @Test("fact 24: URLEncoding writes arrays in order in the chosen style, with escaped names", arguments: arrays)
    func array(_ style: URLEncoding.ArrayEncoding, flat: String, nested: String) {
        let encoding = URLEncoding(arrayEncoding: style, boolEncoding: .literal)
        func text(_ value: Any) -> String? {
            encoding.queryComponents(fromKey: "k", value: value).map { "\($0)=\($1)" }
                .joined(separator: "&").removingPercentEncoding
        }
        #expect(text([1, 2]) == flat)
        #expect(text(NSArray(array: [1, 2])) == flat)
        #expect(text([[1], ["a": true], [2]] as [Any]) == nested)
        #expect(text([Any]())?.isEmpty == true)
        for (name, _) in encoding.queryComponents(fromKey: "k", value: [1, 2]) {
            #expect(!name.contains { "[]&".contains($0) })
        }
    }

    @Test("fact 24: arrays of parameters have escaped brackets by default, and dictionaries become name[key]")
    func nested() throws {
        #expect(try Self.query(["k": [1, 2]]) == "k%5B%5D=1&k%5B%5D=2")
        #expect(try Self.query(["k": ["a b": ["c": [true]]]]) == "k%5Ba%20b%5D%5Bc%5D%5B%5D=1")
        let foundation = URLEncoding.default.queryComponents(fromKey: "k", value: NSDictionary(dictionary: ["a": "b"]))
        #expect(foundation.map { "\($0)=\($1)" } == ["k%5Ba%5D=b"])
    }

    /// The written form of a name and a value, without escapes.
    private static func plain(_ value: Any, _ style: URLEncoding.ArrayEncoding = .brackets) -> String? {
        URLEncoding(arrayEncoding: style).queryComponents(fromKey: "k", value: value).map { "\($0)=\($1)" }
            .joined(separator: "&").removingPercentEncoding
    }

    @Test(
        "collections of all kinds are written as arrays or dictionaries of parameters, and unordered collections are sorted"
    )
    func collections() {
        #expect(Self.plain([1, 2, 3][1...]) == "k[]=2&k[]=3")
        #expect(Self.plain(ContiguousArray([1, 2])) == "k[]=1&k[]=2")
        #expect(Self.plain(Set(["b", "a", "c"])) == "k[]=a&k[]=b&k[]=c")
        #expect(Self.plain(Set([2, 1]), .indexInBrackets) == "k[0]=1&k[1]=2")
        #expect(Self.plain(NSSet(array: ["b", "a"])) == "k[]=a&k[]=b")
        #expect(Self.plain(Set([["x": 1]])) == "k[][x]=1")
        #expect(Self.plain(NSArray(array: [NSNull(), 1, NSArray(array: [2])])) == "k[]=1&k[][]=2")
        #expect(Self.plain([2: "b", 1: "a"]) == "k[1]=a&k[2]=b")
        #expect(Self.plain([AnyHashable("b"): 1, AnyHashable(2): true]) == "k[2]=1&k[b]=1")
        #expect(Self.plain(NSDictionary(dictionary: [1: ["x": 2]])) == "k[1][x]=2")
        #expect(Self.plain(Set<Int>()) == "")
    }

    @Test("512 levels of parameters are encoded, more levels are refused, and no depth crashes")
    func deep() throws {
        func value(_ levels: Int) -> any Sendable { (0..<levels).reduce(1 as any Sendable) { value, _ in [value] } }
        let encoding = URLEncoding(destination: .queryString, arrayEncoding: .noBrackets)
        for levels in [300, 512] {
            let components = encoding.queryComponents(fromKey: "k", value: value(levels))
            #expect(components.map { "\($0)=\($1)" } == ["k=1"])
        }
        for levels in [513, 5_000] {
            #expect(encoding.queryComponents(fromKey: "k", value: value(levels)).isEmpty)
            let parameters: [String: any Sendable] = ["a": 1, "k": value(levels)]
            #expect(throws: URLEncoding.Error.nestedTooDeeply) { try encoding.encode(Self.request(), with: parameters) }
        }
        #expect(
            URLEncoding.Error.nestedTooDeeply.localizedDescription
                == "The parameters are nested more than 512 levels deep: reduce the depth."
        )
    }

    // MARK: Values

    /// A value, its text with Booleans as numbers, and with Booleans as words; `nil` if nothing is written.
    struct ValueRow: Sendable, CustomTestStringConvertible {
        let value: @Sendable () -> Any
        let numeric: String?
        let literal: String?

        init(_ value: @escaping @Sendable @autoclosure () -> Any, _ numeric: String?, _ literal: String? = nil) {
            self.value = value
            self.numeric = numeric
            self.literal = literal ?? numeric
        }

        var testDescription: String { "\(type(of: value())) \(value())" }
    }

    static let values: [ValueRow] = [
        ValueRow(true, "1", "true"), ValueRow(false, "0", "false"),
        ValueRow(NSNumber(value: true), "1", "true"), ValueRow(NSNumber(value: false), "0", "false"),
        ValueRow(Bool?.some(true) as Any, "1", "true"),
        // Code with parameters of type [String: AnyHashable] passes such values.
        ValueRow(AnyHashable(true), "1", "true"), ValueRow(AnyHashable(1), "1"), ValueRow(AnyHashable("v"), "v"),
        // Numbers that are 0 or 1, or of one byte, are not Booleans.
        ValueRow(1, "1"), ValueRow(0, "0"), ValueRow(NSNumber(value: 1), "1"), ValueRow(NSNumber(value: 0), "0"),
        ValueRow(Int8(1), "1"), ValueRow(Int8(5), "5"), ValueRow(UInt8(1), "1"),
        ValueRow(NSNumber(value: Int8(1)), "1"), ValueRow(NSNumber(value: Int8(5)), "5"),
        ValueRow(NSNumber(value: Int8(0)), "0"), ValueRow(NSNumber(value: UInt8(1)), "1"),
        ValueRow(Int.max, "9223372036854775807"), ValueRow(Int.min, "-9223372036854775808"),
        ValueRow(UInt64.max, "18446744073709551615"),
        ValueRow(1.5, "1.5"), ValueRow(-0.25, "-0.25"), ValueRow(1e21, "1e%2B21"),
        // On every platform, the text is the same as Foundation's on Apple's platforms.
        ValueRow(1.0, "1"), ValueRow(100.0, "100"), ValueRow(-3.0, "-3"), ValueRow(0.0, "0"), ValueRow(-0.0, "-0"),
        ValueRow(1e15, "1000000000000000"), ValueRow(1e16, "1e%2B16"), ValueRow(10.25, "10.25"),
        ValueRow(Float(2), "2"), ValueRow(CGFloat(3), "3"), ValueRow(NSNumber(value: 100.0), "100"),
        ValueRow(NSNumber(value: Float(2)), "2"), ValueRow(AnyHashable(4.0), "4"),
        ValueRow(Double?.some(5) as Any, "5"),
        ValueRow(NSNumber(value: Int64.max), "9223372036854775807"), ValueRow("1.0", "1.0"),
        ValueRow(Decimal(100), "100"),
        ValueRow(Float(0.1), "0.1"), ValueRow(NSNumber(value: 1.5), "1.5"), ValueRow(Decimal(1.5), "1.5"),
        ValueRow("true", "true"), ValueRow("", ""), ValueRow(NSString("a b"), "a%20b"), ValueRow(Character("c"), "c"),
        ValueRow(CGFloat(1.5), "1.5"), ValueRow("vw".dropLast(), "v"),
        ValueRow(
            UUID(uuidString: "00000000-0000-0000-0000-0000000000FF") as Any,
            "00000000-0000-0000-0000-0000000000FF"
        ),
        ValueRow(Data([0xFB, 0xFF]), "%2B/8%3D"), ValueRow(NSData(data: Data([1])), "AQ%3D%3D"), ValueRow(Data(), ""),
        ValueRow(URL(string: "http://h/p?q=1") as Any, "http%3A//h/p?q%3D1"),
        // The description of this URL would be "p -- http://h/a".
        ValueRow(URL(string: "p", relativeTo: URL(string: "http://h/a")) as Any, "http%3A//h/p"),
        ValueRow(Date(timeIntervalSince1970: 0), "1970-01-01T00%3A00%3A00Z"),
        ValueRow(Int?.some(3) as Any, "3"), ValueRow(Int??.some(3) as Any, "3"),
        ValueRow(Int?.none as Any, nil), ValueRow(Int??.some(nil) as Any, nil), ValueRow(NSNull(), nil),
        ValueRow([Int?.none as Any, NSNull()], nil), ValueRow(["a": NSNull()], nil), ValueRow([String: Any](), nil),
    ]

    enum Sort: String, Encodable { case newest = "new" }
    enum Filter: Encodable { case tag(String) }
    struct User: Encodable {
        struct Address: Encodable { let city: String }
        let name: String
        let isAdmin: Bool
        let born: Date
        let addresses: [Address]
        let note: String?
    }
    struct Version: CustomStringConvertible, Encodable {
        let major: Int
        var description: String { "v\(major)" }
    }
    struct Opaque { let secret = "hunter2" }
    final class Box: Sendable {}

    @Test("values of the application's types are written as names of cases, as descriptions, or by the form encoder")
    func applicationsValues() throws {
        let date = Date(timeIntervalSince1970: 0)
        let user = User(name: "a b", isAdmin: true, born: date, addresses: [.init(city: "c")], note: nil)
        let parameters: [String: any Sendable] = [
            "sort": Sort.newest, "version": Version(major: 2), "user": user, "dates": [date], "filter": Filter.tag("t"),
        ]
        let request = URLRequest(url: try #require(URL(string: "http://h/p")))
        let query = try URLEncoding.default.encode(request, with: parameters).url?.query(percentEncoded: false)
        #expect(
            query?.components(separatedBy: "&") == [
                "dates[]=1970-01-01T00:00:00Z", "filter[tag][_0]=t", "sort=newest", "user[addresses][][city]=c",
                "user[born]=1970-01-01T00:00:00Z", "user[isAdmin]=1", "user[name]=a b", "version=v2",
            ]
        )
        let encoder = URLEncodedFormEncoder()
        let form: String = try encoder.encode(["dates": [date]])
        #expect(form == "dates%5B%5D=1970-01-01T00%3A00%3A00Z")
        let numbers: String = try encoder.encode(["a": 100.0, "b": 2.5])
        #expect(numbers == "a=100&b=2.5")
        let nested: String = try encoder.encode(["user": user])
        let components = URLEncoding.default.queryComponents(fromKey: "user", value: user)
        #expect(components.map { "\($0)=\($1)" }.joined(separator: "&") == nested)
        let literal = URLEncoding(arrayEncoding: .indexInBrackets, boolEncoding: .literal)
        #expect(
            literal.queryComponents(fromKey: "u", value: [user]).map(\.1) == [
                "c", "1970-01-01T00%3A00%3A00Z", "true", "a%20b",
            ]
        )
    }

    @Test("a parameter without a text causes an error that names the parameter and the type, but not the value")
    func unsupportedValues() throws {
        let request = URLRequest(url: try #require(URL(string: "http://h/p")))
        for (value, type) in [(Opaque(), "Opaque"), (Box(), "Box"), ([Opaque()], "Opaque")] as [(any Sendable, String)]
        {
            let name = value is [Opaque] ? "a[]" : "a"
            let error = #expect(throws: URLEncoding.Error.self) {
                try URLEncoding.default.encode(request, with: ["a": value])
            }
            #expect(error == .unsupportedValue(name: name, type: type))
            let text = error?.localizedDescription ?? ""
            #expect(text.contains("parameter \(name) is") && text.contains(type) && !text.contains("hunter2"))
        }
        #expect(throws: URLEncodedFormEncoder.Error.unrepresentableDate(path: "a")) {
            try URLEncoding.default.encode(request, with: ["a": Date(timeIntervalSince1970: .infinity)])
        }
    }

    @Test(
        "fact 24: URLEncoding writes Booleans as 1 and 0 or true and false, numbers as decimals, and omits nil",
        arguments: values
    )
    func value(_ row: ValueRow) {
        for (style, text) in [(URLEncoding.BoolEncoding.numeric, row.numeric), (.literal, row.literal)] {
            let components = URLEncoding(boolEncoding: style).queryComponents(fromKey: "k", value: row.value())
            #expect(components.map(\.0) == (text == nil ? [] : ["k"]))
            #expect(components.map(\.1) == (text.map { [$0] } ?? []))
        }
    }

    @Test("URLEncoding omits nil and NSNull with their separators")
    func leftOut() throws {
        let parameters: [String: any Sendable] = [
            "a": Int?.none, "b": 1, "c": NSNull(), "d": [1, nil, 3] as [Int?], "e": nil as String?,
        ]
        #expect(try Self.query(parameters, URLEncoding(arrayEncoding: .indexInBrackets)) == "b=1&d%5B0%5D=1&d%5B2%5D=3")
        #expect(try Self.query(["": ""]) == "=")
        #expect(try Self.query(["": "v", "k": ""]) == "=v&k=")
    }

    // MARK: Escaping

    static let characters: [(String, String, String)] =
        [(":", "%3A"), ("#", "%23"), ("[", "%5B"), ("]", "%5D"), ("@", "%40")]
        .map { ($0, $1, "RFC 3986, section 2.2, gen-delims") }
        + ["/", "?"].map { ($0, $0, "RFC 3986, section 3.4: gen-delims that a query may hold") }
        + [
            ("!", "%21"), ("$", "%24"), ("&", "%26"), ("'", "%27"), ("(", "%28"), (")", "%29"), ("*", "%2A"),
            ("+", "%2B"), (",", "%2C"), (";", "%3B"), ("=", "%3D"),
        ].map { ($0, $1, "RFC 3986, section 2.2, sub-delims") }
        + ["-", ".", "_", "~", "a", "z", "A", "Z", "0", "9"].map { ($0, $0, "RFC 3986, section 2.3, unreserved") }
        + [
            (" ", "%20"), ("\"", "%22"), ("%", "%25"), ("<", "%3C"), (">", "%3E"), ("\\", "%5C"), ("^", "%5E"),
            ("`", "%60"), ("{", "%7B"), ("|", "%7C"), ("}", "%7D"), ("%20", "%2520"), ("%2B", "%252B"),
        ].map { ($0, $1, "RFC 3986, section 2.1: all else is percent-encoded") }
        + [
            ("\r", "%0D"), ("\n", "%0A"), ("\r\n", "%0D%0A"), ("\0", "%00"), ("\t", "%09"), ("\u{1B}", "%1B"),
            ("\u{7F}", "%7F"),
        ].map { ($0, $1, "RFC 3986, section 2.1: control characters") }
        + [
            ("é", "%C3%A9"), ("e\u{301}", "e%CC%81"), ("中", "%E4%B8%AD"), ("😀", "%F0%9F%98%80"), ("\u{A0}", "%C2%A0"),
            ("👩‍👩‍👧", "%F0%9F%91%A9%E2%80%8D%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7"), ("\u{2028}", "%E2%80%A8"),
        ].map { ($0, $1, "RFC 3986, section 2.5: UTF-8, byte by byte") }

    @Test(
        "fact 24: URLEncoding escapes reserved characters in names and values of the query and the body",
        arguments: characters
    )
    func escaping(_ character: String, escaped: String, section: String) throws {
        #expect(URLEncoding.default.escape(character) == escaped, "\(section)")
        for (parameters, text) in [([character: "v"], "\(escaped)=v"), (["k": character], "k=\(escaped)")] {
            let query = try URLEncoding.default.encode(Self.request(), with: parameters)
            #expect(query.url?.absoluteString == "http://h/?\(text)", "\(section)")
            let form = try URLEncoding.default.encode(Self.request(.post), with: parameters)
            #expect(Self.body(of: form) == text, "\(section)")
        }
        let nested = try Self.query(["k": [character: [character]]])
        #expect(nested == "k%5B\(escaped)%5D%5B%5D=\(escaped)", "\(section)")
    }

    @Test(
        "fact 24: URLEncoding leaves unreserved ASCII characters, / and ? unescaped in names and values",
        arguments: 0..<128
    )
    func ascii(_ code: Int) throws {
        let character = String(UnicodeScalar(UInt8(code)))
        let isPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?".contains(character)
        let hex = String(code, radix: 16, uppercase: true)
        let escaped = isPlain ? character : "%" + String(repeating: "0", count: 2 - hex.count) + hex
        #expect(try Self.query(["a\(character)b": "\(character)v"]) == "a\(escaped)b=\(escaped)v")
    }

    @Test(
        "escaping is reversible and writes only unreserved characters, /, ? and percent-encoded bytes, for text of any length"
    )
    func longTexts() {
        let everything = String(String.UnicodeScalarView((0...0x2FF).compactMap(Unicode.Scalar.init))) + "中😀"
        let texts = [
            everything, String(repeating: "a", count: 10_000), String(repeating: "&", count: 10_000),
            String(repeating: "😀", count: 10_000), String(repeating: everything, count: 15),
        ]
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?%".utf8)
        for text in texts {
            let escaped = URLEncoding.default.escape(text)
            #expect(escaped.utf8.allSatisfy(plain.contains))
            #expect(escaped.removingPercentEncoding == text)
        }
    }

    // MARK: Content type and empty parameters

    @Test(
        "fact 25: URLEncoding keeps an existing content type, in upper and lower case of its name",
        arguments: ["Content-Type", "content-type", "CONTENT-TYPE"]
    )
    func contentType(_ name: String) throws {
        var request = try Self.request(.post)
        request.allHTTPHeaderFields = [name: "text/x", "Accept": "a/b"]
        let encoded = try URLEncoding.default.encode(request, with: ["k": "v"])
        #expect(encoded.allHTTPHeaderFields == [name: "text/x", "Accept": "a/b"])
    }

    @Test("fact 25: URLEncoding adds the content type beside other headers")
    func contentTypeAdded() throws {
        var request = try Self.request(.put)
        request.allHTTPHeaderFields = ["Accept": "a/b"]
        let encoded = try URLEncoding.default.encode(request, with: ["k": "v"])
        #expect(encoded.allHTTPHeaderFields == ["Accept": "a/b", "Content-Type": Self.form])
    }

    @Test(
        "fact 26: an empty dictionary of parameters, or one with only nil values, leaves the URL unchanged",
        arguments: ["http://h", "http://h/", "http://h/?", "http://h/?a=1", "http://h/?a=1#f", "http://h/#f"]
    )
    func nothingForTheQuery(_ url: String) throws {
        let request = try Self.request(.get, url)
        #expect(try URLEncoding.default.encode(request, with: [:]) == request)
        #expect(try URLEncoding.default.encode(request, with: ["k": NSNull()]).url?.absoluteString == url)
    }

    @Test("fact 26: an empty dictionary of parameters gives an empty body with its content type")
    func nothingForTheBody() throws {
        for parameters: [String: any Sendable] in [[:], ["k": NSNull()]] {
            let encoded = try URLEncoding.default.encode(Self.request(.post), with: parameters)
            #expect(encoded.httpBody == Data())
            #expect(encoded.value(forHTTPHeaderField: "Content-Type") == Self.form)
        }
    }

    @Test("URLEncoding leaves a request without parameters unchanged", arguments: methods)
    func noParameters(_ method: HTTPMethod, isQuery: Bool) throws {
        var request = try Self.request(method, "http://h/?#f")
        request.httpBody = Data("raw".utf8)
        for encoding in [URLEncoding.default, .queryString, .httpBody] {
            let encoded = try encoding.encode(request, with: nil)
            #expect(encoded == request)
            #expect(encoded.httpBody == request.httpBody)
            #expect(encoded.allHTTPHeaderFields?.isEmpty != false)
        }
    }
}
