#if Macros
import MoyaMacros
import Testing

@Suite("A parameter's value has the same text at every place")
struct ParameterFormTests {
    /// A value and the text that is sent at each place.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let value: any Sendable
        /// The pairs in a query and in a form, in the default style.
        let pairs: [String]
        let header: Form
        let path: Form
        /// The pairs of parts; `nil` if they equal those of a form.
        let parts: [String]?

        var testDescription: String { name }

        init(
            _ name: String,
            _ value: any Sendable,
            _ pairs: [String],
            header: Form,
            path: Form? = nil,
            parts: [String]? = nil
        ) {
            (self.name, self.value, self.pairs) = (name, value, pairs)
            (self.header, self.path, self.parts) = (header, path ?? header, parts)
        }

        /// Creates a row for a value with one text.
        init(_ name: String, _ value: any Sendable, _ text: String, parts: [String]? = nil) {
            self.init(name, value, ["v=\(text)"], header: .text(text), parts: parts)
        }
    }

    enum Form: Equatable, Sendable {
        case none
        case text(String)
        case refused
    }

    static let day = Date(timeIntervalSince1970: 86_400)
    static let file = URL(fileURLWithPath: "/tmp/a b.png")
    static let web = URL(string: "https://a.example/b?c=d")!
    static let id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!
    static let bytes = Data([0xFB, 0xFF, 0x00])

    static let texts = [
        Row("Int", 5, "5"),
        Row("Int.min", Int.min, "\(Int.min)"),
        Row("UInt8", UInt8(7), "7"),
        Row("Double", 1.5, "1.5"),
        Row("Float", Float(0.1), "0.1"),
        Row("true", true, "1"),
        Row("false", false, "0"),
        Row("String", "a b&c=d", "a b&c=d"),
        Row("String beyond ASCII", "größe 日本 🙂", "größe 日本 🙂"),
        Row("Substring", "xyz".dropFirst(), "yz"),
        Row("Character", Character("é"), "é"),
        Row("Date", day, "1970-01-02T00:00:00Z"),
        Row("UUID", id, "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
        Row("URL", web, "https://a.example/b?c=d", parts: ["v=file https://a.example/b?c=d"]),
        Row("Data", bytes, "+/8A", parts: ["v=data +/8A"]),
        Row("Decimal", Decimal(string: "1.10")!, "1.1"),
        Row(
            "a large Decimal",
            Decimal(string: "123456789012345678901234567890.5")!,
            "123456789012345678901234567890.5"
        ),
        Row("a large Double", 1e21, "1e+21"),
        Row("a whole Double", 3.0, "3"),
        Row("enum of String", Direction.up, "asc end"),
        Row("enum of Int that is not Encodable", Rank.second, "2"),
        Row("enum with a description", Described.only, "raw"),
        Row("RawRepresentable struct", Identifier(rawValue: "i/1"), "i/1"),
        Row("RawRepresentable of a RawRepresentable", Reference(rawValue: Identifier(rawValue: "r")), "r"),
        Row("OptionSet", Flags(rawValue: 6), "6"),
        Row("LosslessStringConvertible", Version(1, 2), "1.2"),
        Row("LosslessStringConvertible that is not Encodable", Named(description: "n m"), "n m"),
    ]

    static let collections = [
        Row("[Int]", [1, 2], ["v[]=1", "v[]=2"], header: .text("1, 2"), path: .refused),
        Row("[String]", ["b", "a"], ["v[]=b", "v[]=a"], header: .text("b, a"), path: .refused),
        Row("[Date]", [day], ["v[]=1970-01-02T00:00:00Z"], header: .text("1970-01-02T00:00:00Z"), path: .refused),
        Row("[Bool]", [true, false], ["v[]=1", "v[]=0"], header: .text("1, 0"), path: .refused),
        Row(
            "[enum]",
            [Direction.up, .down],
            ["v[]=asc end", "v[]=desc/end"],
            header: .text("asc end, desc/end"),
            path: .refused
        ),
        Row(
            "[enum that is not Encodable]",
            [Rank.second, .first],
            ["v[]=2", "v[]=1"],
            header: .text("2, 1"),
            path: .refused
        ),
        Row("[enum?]", [Rank.second, nil], ["v[]=2"], header: .text("2"), path: .refused),
        Row("[[enum]]", [[Direction.up], [.down]], ["v[][]=asc end", "v[][]=desc/end"], header: .refused),
        Row("[[enum that is not Encodable]]", [[Rank.first]], ["v[][]=1"], header: .refused),
        Row("[LosslessStringConvertible]", [Version(1, 2)], ["v[]=1.2"], header: .text("1.2"), path: .refused),
        Row("[LosslessStringConvertible]", [Named(description: "n")], ["v[]=n"], header: .text("n"), path: .refused),
        Row("ArraySlice", [1, 2, 3].dropFirst(), ["v[]=2", "v[]=3"], header: .text("2, 3"), path: .refused),
        Row("Set", Set([Rank.second, .first]), ["v[]=1", "v[]=2"], header: .text("1, 2"), path: .refused),
        Row(
            "Set of enum",
            Set([Direction.down, .up]),
            ["v[]=asc end", "v[]=desc/end"],
            header: .text("asc end, desc/end"),
            path: .refused
        ),
        Row("[Set]", [Set(["b", "a", "c"])], ["v[][]=a", "v[][]=b", "v[][]=c"], header: .refused),
        Row("Dictionary", ["b": Direction.up, "a": .down], ["v[a]=desc/end", "v[b]=asc end"], header: .refused),
        Row("Dictionary with enum keys", [Direction.up: Rank.second], ["v[asc end]=2"], header: .refused),
        Row("Dictionary with Int keys", [2: [true], 1: []], ["v[2][]=1"], header: .refused),
        Row("Dictionary with UUID keys", [id: day], ["v[\(id)]=1970-01-02T00:00:00Z"], header: .refused),
        Row("an empty array", [Int](), [], header: .none, path: .refused),
        Row("an empty dictionary", [String: Int](), [], header: .refused),
        Row(
            "[any Sendable]",
            [1, Direction.up, [Rank.first]] as [any Sendable],
            ["v[]=1", "v[]=asc end", "v[][]=1"],
            header: .refused
        ),
        Row(
            "a struct",
            Place(),
            ["v[direction]=asc end", "v[isOpen]=1", "v[tags][]=1", "v[tags][]=2", "v[x]=1.5"],
            header: .refused
        ),
        Row(
            "a struct with a description",
            Person(name: "Ada", born: day),
            ["v[born]=1970-01-02T00:00:00Z", "v[name]=Ada"],
            header: .refused
        ),
        Row("[a struct]", [Person(name: "Ada")], ["v[][name]=Ada"], header: .refused),
        Row(
            "[URL]",
            [file, web],
            ["v[]=\(file)", "v[]=\(web)"],
            header: .text("\(file), \(web)"),
            path: .refused,
            parts: ["v[]=file \(file)", "v[]=file \(web)"]
        ),
        Row(
            "Set of URL",
            Set([web, file]),
            ["v[]=\(file)", "v[]=\(web)"],
            header: .text("\(file), \(web)"),
            path: .refused,
            parts: ["v[]=file \(file)", "v[]=file \(web)"]
        ),
        Row("[Data]", [bytes], ["v[]=+/8A"], header: .text("+/8A"), path: .refused, parts: ["v[]=data +/8A"]),
        Row("[String: URL]", ["a": file], ["v[a]=\(file)"], header: .refused, parts: ["v[a]=file \(file)"]),
        Row(
            "a struct with content",
            Attachment(file: file, bytes: bytes, title: "t"),
            ["v[bytes]=+/8A", "v[file]=\(file)", "v[title]=t"],
            header: .refused,
            parts: ["v[bytes]=data +/8A", "v[file]=file \(file)", "v[title]=t"]
        ),
    ]

    /// The types that older systems of Apple lack.
    static let wide: [Row] = {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return [] }
        return [Row("Int128", Int128.max, "\(Int128.max)")]
    }()

    /// Further shapes and types.
    static let others = [
        Row("NSNumber of a Boolean", NSNumber(value: true), "1"),
        Row("NSNumber", NSNumber(value: 2.5), "2.5"),
        Row("a final class", Ticket(code: "T 1"), "T 1"),
        Row("Int??", 5 as Int??, "5"),
        Row("nil??", Int??.some(nil), [], header: .none, path: .refused),
        Row("[String: Int?]", ["b": 1, "a": nil], ["v[b]=1"], header: .refused),
        Row("[[String]?]", [["a"], nil], ["v[][]=a"], header: .refused),
        Row("Set of arrays", Set([[2], [1, 3]]), ["v[][]=1", "v[][]=3", "v[][]=2"], header: .refused),
        Row("a list of nil alone", [Int?.none], [], header: .none, path: .refused),
        Row("[Character]", Array("ab"), ["v[]=a", "v[]=b"], header: .text("a, b"), path: .refused),
        Row("[Flags]", [Flags(rawValue: 1)], ["v[]=1"], header: .text("1"), path: .refused),
        Row("an empty string", "", ["v="], header: .text(""), path: .refused),
        Row("a description without text", Named(description: ""), ["v="], header: .text(""), path: .refused),
        Row("dots", Identifier(rawValue: ".."), ["v=.."], header: .text(".."), path: .refused),
        Row("keys with brackets", ["a]b": 1], ["v[a]b]=1"], header: .refused),
    ]

    /// Values that are refused at every place.
    static let refused: [(String, any Sendable)] = [
        ("NaN", Double.nan), ("infinity", -Double.infinity), ("[NaN]", [1, Float.nan]),
        ("Decimal.nan", Decimal.nan),
        ("a description", Worded(description: "w")), ("[a description]", [Worded(description: "w")]),
        ("pairs, whose description is Swift", ["a": 1] as KeyValuePairs<String, Int>),
        ("keys, whose description is Swift", ["a": 1].keys), ("values, whose description is Swift", ["a": 1].values),
        ("a static text", "s" as StaticString),
        ("a case without text", Textless.big), ("[a case without text]", [Textless.small]),
        ("a case that is not Encodable", Nameless.big), ("[a case that is not Encodable]", [Nameless.big]),
        ("a struct with a case without text", Container()),
        ("a date after the year 9999", Date.distantFuture.addingTimeInterval(3e11)),
        ("a type whose encoding fails", Unencodable()),
    ]

    // MARK: The places

    private func request(_ encoding: URLEncoding, _ value: any Sendable) throws -> URLRequest {
        let task = HTTPTask.requestParameters(parameters: ["v": WireValue.of(value)], encoding: encoding)
        return try Endpoint(
            url: "https://a.example",
            sampleResponseClosure: { .networkResponse(200, Data()) },
            method: .post,
            task: task
        ).urlRequest()
    }

    private func pairs(_ text: String?) -> [String] {
        (text ?? "").split(separator: "&").map { $0.removingPercentEncoding ?? "" }
    }

    private func parts(_ value: any Sendable, style: URLEncoding = .default) throws -> [String] {
        let task = FormParts(style: style).adding("v", value).task
        guard case .uploadMultipart(let parts) = task else {
            _ = try Endpoint(of: task).urlRequest()
            Issue.record("\(task)")
            return []
        }
        return parts.map { part in
            switch part.provider {
            case .data(let data) where data == Self.bytes: "\(part.name)=data \(data.base64EncodedString())"
            case .data(let data): "\(part.name)=\(String(decoding: data, as: UTF8.self))"
            case .file(let file): "\(part.name)=file \(file)"
            case .stream: "\(part.name)=stream"
            }
        }
    }

    private func header(_ value: any Sendable, style: URLEncoding = .default) -> Form {
        let check = HTTPTask.requestPlain.checkingHeader("v", value, style: style)
        guard case .requestPlain = check else { return .refused }
        return WireValue.header(value, style: style).map(Form.text) ?? .none
    }

    private func path(_ value: any Sendable, style: URLEncoding = .default) -> Form {
        let check = HTTPTask.requestPlain.checkingPath("v", value, style: style)
        guard case .requestPlain = check else { return .refused }
        return .text(PathValue.escape(value, style: style).removingPercentEncoding ?? "")
    }

    // MARK: Tests

    @Test(
        "a value has the same text in the query, a form, a header, the path and a part",
        arguments: Self.texts + Self.collections + Self.others + Self.wide
    )
    func form(row: Row) throws {
        #expect(pairs(try request(.queryString, row.value).url?.query(percentEncoded: true)) == row.pairs)
        let body = try request(.httpBody, row.value).httpBody
        #expect(pairs(body.map { String(decoding: $0, as: UTF8.self) }) == row.pairs)
        #expect(header(row.value) == row.header)
        #expect(path(row.value) == row.path)
        #expect(try parts(row.value) == row.parts ?? row.pairs)
    }

    @Test(
        "an optional parameter has the text of its value",
        arguments: Self.texts + Self.collections + Self.others + Self.wide
    )
    func optional(row: Row) throws {
        func check<Value: Sendable>(_ value: Value) throws {
            for optional in [value as Value?, nil] {
                let isNil = optional == nil
                let pairs = isNil ? [] : row.pairs
                #expect(self.pairs(try request(.queryString, optional).url?.query(percentEncoded: true)) == pairs)
                #expect(header(optional) == (isNil ? .none : row.header))
                #expect(try parts(optional) == (isNil ? [] : row.parts ?? row.pairs))
                #expect(path(optional) == (isNil ? .refused : row.path))
                #expect(
                    self.pairs(
                        try request(.httpBody, [optional]).httpBody.map { String(decoding: $0, as: UTF8.self) }
                    )
                        == (isNil ? [] : row.pairs.map { "v[]" + $0.dropFirst() })
                )
            }
        }
        try check(row.value)
    }

    @Test(
        "an unsupported value of a parameter is an error before anything is sent",
        arguments: Self.refused.indices
    )
    func refusal(index: Int) throws {
        let value = Self.refused[index].1
        for encoding in [URLEncoding.queryString, .httpBody] {
            let error = #expect(throws: MoyaError.self) { try request(encoding, value) }
            guard case .parameterEncoding? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(header(value) == .refused)
        #expect(path(value) == .refused)
        #expect(throws: MoyaError.self) { try parts(value) }
    }

    @Test("Booleans and names of parameters have the endpoint's style", arguments: [true, false])
    func styles(value: Bool) throws {
        let text = value ? "true" : "false"
        let style = URLEncoding(destination: .httpBody, arrayEncoding: .noBrackets, boolEncoding: .literal)
        #expect(
            pairs(try request(style, [value]).httpBody.map { String(decoding: $0, as: UTF8.self) }) == ["v=\(text)"]
        )
        #expect(header(value, style: style) == .text(text))
        #expect(path(value, style: style) == .text(text))
        #expect(try parts([value, value], style: style) == ["v=\(text)", "v=\(text)"])
        let index = URLEncoding(arrayEncoding: .indexInBrackets)
        #expect(
            try parts([Self.file, Self.web], style: index) == ["v[0]=file \(Self.file)", "v[1]=file \(Self.web)"]
        )
    }

    @Test(
        "an element of a header's list is an error if a recipient would read it as several elements or none",
        arguments: [
            (["a,b"], Form.refused), (["a", ""], .refused), ([" "], .refused), (["\"a"], .refused),
            (["\"a,b\"", "W/\"c\\\",d\""], .text("\"a,b\", W/\"c\\\",d\"")), (["a b;q=0.5"], .text("a b;q=0.5")),
        ]
    )
    func headerElements(elements: [String], form: Form) { #expect(header(elements) == form) }

    @Test("a text with commas may be the whole value of a header")
    func headerText() {
        #expect(WireValue.header("a, b") == "a, b")
        #expect(header("a, b") == .text("a, b"))
    }

    @Test("the error for an unsupported value names the parameter, the place and the remedy")
    func errorTexts() throws {
        let tasks: [(HTTPTask, [String])] = [
            (.requestPlain.checkingPath("ids", [1, 2]), ["\"ids\"", "path", "pass a string"]),
            (.requestPlain.checkingHeader("place", Place()), ["\"place\"", "header", "pass a string"]),
            (
                .requestPlain.checkingHeader("tags", ["a,b"]),
                ["\"tags\"", "comma", "pass the whole header as a string"]
            ),
            (FormParts().adding("size", Textless.big).task, ["size", "raw values"]),
            (FormParts().adding("ratio", Double.nan).adding("x", 1).task, ["ratio", "not a number"]),
            (FormParts().adding("a", [Nameless.big]).task, ["a", "Nameless", "Encodable"]),
        ]
        for (task, words) in tasks {
            let error = #expect(throws: MoyaError.self) { _ = try Endpoint(of: task).urlRequest() }
            let text = error?.errorDescription ?? ""
            for word in words { #expect(text.contains(word), "\(text)") }
        }
    }

    @Test("excessive nesting of a parameter is an error and not a crash", arguments: [600, 5_000])
    func depth(levels: Int) {
        let value = (0..<levels).reduce(1 as any Sendable) { value, _ in [value] }
        #expect(throws: MoyaError.self) { try request(.queryString, value) }
        #expect(header(value) == .refused)
        #expect(throws: MoyaError.self) { try parts(value) }
    }

    @Test("content of a part other than text stays unchanged, even in lists")
    func content() throws {
        let part = MultipartFormData(
            provider: .data(Self.bytes),
            name: "own",
            fileName: "a.png",
            mimeType: "image/png"
        )
        let task = FormParts().adding("v", [part, part]).adding("w", [HTTPBody.data(Self.bytes)]).task
        guard case .uploadMultipart(let parts) = task else {
            Issue.record("\(task)")
            return
        }
        #expect(parts.prefix(2) == [part, part])
        #expect(parts.last?.name == "w[]")
        #expect(parts.count == 3)
    }
}

extension Endpoint {
    fileprivate convenience init(of task: HTTPTask) {
        self.init(
            url: "https://a.example",
            sampleResponseClosure: { .networkResponse(200, Data()) },
            method: .post,
            task: task
        )
    }
}
#endif
