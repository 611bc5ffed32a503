import Foundation
import Moya
import MoyaHTTP
import Testing

@Suite("The errors of incorrect targets name the mistake", .timeLimit(.minutes(5)))
struct MisuseTextTests {
    /// The properties of a target.
    struct Setup: Sendable {
        var baseURL = "http://127.0.0.1:9"
        var path = ""
        var method: Moya.Method = .post
        var task: @Sendable () -> HTTPTask = { .requestPlain }
        var headers: [String: String]?
    }

    enum Shop: TargetType {
        case order(Setup, card: String)

        private var setup: Setup {
            switch self {
            case .order(let setup, _): setup
            }
        }
        var baseURL: URL { URL(string: setup.baseURL) ?? URL(fileURLWithPath: "/") }
        var path: String { setup.path }
        var method: Moya.Method { setup.method }
        var task: HTTPTask { setup.task() }
        var headers: [String: String]? { setup.headers }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let setup: Setup
        let error: String
        /// The complete text without the error's first sentence.
        let text: String
        /// Whether no request can be created, so that a stub fails, too.
        var isMapping = false

        init(_ testDescription: String, _ setup: Setup, _ error: String, _ text: String, isMapping: Bool = false) {
            (self.testDescription, self.setup, self.error, self.text) = (testDescription, setup, error, text)
            self.isMapping = isMapping
        }

        var wholeText: String {
            switch error {
            case "parameterEncoding": "Failed to encode parameters for URLRequest. Shop.order: \(text)"
            case "encodableMapping": "Failed to encode Encodable object into data. Shop.order: \(text)"
            default: "Shop.order: \(text)"
            }
        }
    }

    private struct Price: Encodable { var amounts = [1, Double.nan] }

    private static let secret = "5ecret"
    private static let part = MultipartFormData(provider: .data(Data(secret.utf8)), name: "n")
    private static let tokens = "letters, digits and !#$%&'*+-.^_`|~, without spaces"

    private static func form(_ part: MultipartFormData, boundary: String? = nil) -> @Sendable () -> HTTPTask {
        { boundary.map { .uploadMultipart([part], boundary: $0) } ?? .uploadMultipart([part]) }
    }

    private static func parameters(
        _ value: any Sendable,
        _ encoding: any ParameterEncoding
    ) -> @Sendable () -> HTTPTask {
        { .requestParameters(parameters: ["token": secret, "p": value], encoding: encoding) }
    }

    static let forms: [Row] = [
        Row(
            "GET with a form",
            Setup(method: .get, task: form(part)),
            "parameterEncoding",
            "`method`: a multipart form can't be sent with GET. Instead, use POST, PUT, PATCH or CONNECT."
        ),
        Row(
            "a form without parts",
            Setup(task: { .uploadMultipart([]) }),
            "parameterEncoding",
            "`task`: its multipart form has no parts. Instead, give it at least one part, or use another task."
        ),
        Row(
            "a boundary with a line break",
            Setup(task: form(part, boundary: "a\nb")),
            "underlying",
            "`task`: \"a\nb\" cannot be a multipart boundary: use 1 to 70 letters, digits and '()+_,-./:=? or spaces, "
                + "not ending with a space, or omit it."
        ),
        Row(
            "a part's MIME type with a line break",
            Setup(task: form(.init(provider: .data(Data()), name: "n", mimeType: "a/b\r\n5ecret"))),
            "underlying",
            "`task`: The MIME type of part \"n\" has a line break, NUL or outer space: write it as in \"image/png\"."
        ),
        Row(
            "a part's name with a NUL",
            Setup(task: form(.init(provider: .data(Data()), name: "n\0"))),
            "underlying",
            "`task`: The name of part \"n\0\" contains a NUL character: remove it."
        ),
        Row(
            "a part's file name with a NUL",
            Setup(task: form(.init(provider: .data(Data()), name: "n", fileName: "\0"))),
            "underlying",
            "`task`: The file name of part \"n\" contains a NUL character: remove it."
        ),
        Row(
            "a part's file without an extension",
            Setup(task: form(.init(provider: .file(URL(fileURLWithPath: "/none")), name: "n"))),
            "underlying",
            "`task`: The URL \"file:///none\" for part \"n\" has no file name with an extension: specify a file name and a "
                + "MIME type, too."
        ),
        Row(
            "a part's file that is not there",
            Setup(task: form(.init(provider: .file(URL(fileURLWithPath: "/none.png")), name: "n"))),
            "underlying",
            "`task`: The file \"/none.png\" for the request body of part \"n\" does not exist: create it before the request "
                + "is sent."
        ),
    ]

    static let bodies: [Row] = [
        Row(
            "a body encoding that may write into the URL",
            Setup(task: {
                .requestCompositeParameters(
                    bodyParameters: ["token": secret],
                    bodyEncoding: URLEncoding.default,
                    urlParameters: ["token": secret]
                )
            }),
            "parameterEncoding",
            "`task`: the bodyEncoding of .requestCompositeParameters is a URLEncoding that may write into the URL. Instead, "
                + "use URLEncoding.httpBody, or another encoding that writes into the body.",
            isMapping: true
        ),
        Row(
            "a file that is not there",
            Setup(task: { .uploadFile(URL(fileURLWithPath: "/none")) }),
            "underlying",
            "`task`: The file \"/none\" for the request body does not exist: create it before the request is sent."
        ),
        Row(
            "a folder",
            Setup(task: { .uploadFile(URL(fileURLWithPath: "/dev", isDirectory: true)) }),
            "underlying",
            "`task`: The file \"/dev\" for the request body is a directory: name a file in it."
        ),
        Row(
            "no file URL",
            Setup(task: { .uploadFile(URL(string: "http://ash:5ecret@h/f") ?? URL(fileURLWithPath: "/")) }),
            "underlying",
            "`task`: The URL \"http://h/f\" for the request body is not a file URL: use the URL of a local file."
        ),
        Row(
            "TRACE with a body",
            Setup(method: .trace, task: { .requestData(Data(secret.utf8)) }),
            "underlying",
            "`method`: A TRACE request cannot have a body here: choose another method, or put the parameters into the URL."
        ),
    ]

    private static let noDateInJSON =
        "`task`: The parameter p is of the type Date, which JSON cannot represent: send a string, a finite number, a Boolean, "
        + "NSNull, an array or a dictionary, or send the whole body with requestJSONEncodable, which encodes every Encodable "
        + "type."

    private static let noNumberInJSON =
        "`task`: The parameter p is a number that is NaN or infinite: send a finite number, or a string."

    private static var deep: any Sendable {
        (0..<600).reduce([String]() as any Sendable) { inner, _ in [inner] as [any Sendable] }
    }

    static let parameters: [Row] = [
        Row(
            "a date in JSON",
            Setup(task: parameters(Date(), JSONEncoding.default)),
            "parameterEncoding",
            noDateInJSON,
            isMapping: true
        ),
        Row(
            "no number in JSON",
            Setup(task: parameters(Double.nan, JSONEncoding.default)),
            "parameterEncoding",
            noNumberInJSON,
            isMapping: true
        ),
        Row(
            "null in a property list",
            Setup(task: parameters(["a": [NSNull()]], PropertyListEncoding.default)),
            "parameterEncoding",
            "`task`: The value at p.a[0] is of type NSNull, which a property list cannot represent.",
            isMapping: true
        ),
        Row(
            "deep parameters",
            Setup(task: parameters(deep, URLEncoding.httpBody)),
            "parameterEncoding",
            "`task`: The parameters are nested more than 512 levels deep: reduce the depth.",
            isMapping: true
        ),
        Row(
            "no number in a form",
            Setup(task: { .requestFormEncodable(Price()) }),
            "parameterEncoding",
            "`task`: The number at amounts[1] is infinite or not a number: a form cannot represent it.",
            isMapping: true
        ),
        Row(
            "no names in a form",
            Setup(task: { .requestFormEncodable(secret) }),
            "parameterEncoding",
            "`task`: A form needs names, but String has none at its top level: put it into a struct or a dictionary.",
            isMapping: true
        ),
        Row(
            "no number in an Encodable",
            Setup(task: { .requestJSONEncodable(Price()) }),
            "encodableMapping",
            "`task`: the Double at amounts[1] can't be encoded. Instead, give a value that the encoder supports, or "
                + "configure the encoder for it.",
            isMapping: true
        ),
        Row(
            "no number as an Encodable, compressed",
            Setup(task: { .gzipped(.requestJSONEncodable(Double.infinity)) }),
            "encodableMapping",
            "`task`: the Double can't be encoded. Instead, give a value that the encoder supports, or configure the "
                + "encoder for it.",
            isMapping: true
        ),
    ]

    private static func relative(_ url: String) -> String {
        "`baseURL`: The URL \"\(url)\" is not absolute: give it a scheme and a host, as in \"https://example.com\"."
    }

    static let heads: [Row] =
        [
            ("api.example.com", "/orders", "api.example.com/orders"),
            ("api.example.com?k=5ecret", "", "api.example.com"),
            ("https:", "", "https:"), ("https://", "/orders", "https:///orders"), ("//ash:5ecret@h", "", "//h"),
            ("/orders", "", "/orders"),
        ].map { url, path, text in
            Row("the URL \(url)", Setup(baseURL: url, path: path), "underlying", relative(text))
        }
        + ["ftp", "file", "data"].map { scheme in
            Row(
                "the scheme \(scheme)",
                Setup(baseURL: "\(scheme)://h"),
                "underlying",
                "`baseURL`: URLs with the scheme \"\(scheme)\" are not supported: use \"http\" or \"https\"."
            )
        }
        + ["GE T", "", "GET / HTTP/1.1\r\nX: y", "GÉT"].map { method in
            Row(
                "the method \(method.debugDescription)",
                Setup(method: Moya.Method(rawValue: method)),
                "underlying",
                "`method`: \"\(method)\" is not an HTTP method: a method is \(tokens)."
            )
        }
        + ["X Y", "X:", "", "X\r\nY", "É"].map { name in
            Row(
                "the header name \(name.debugDescription)",
                Setup(headers: [name: secret]),
                "underlying",
                "`headers`: \"\(name)\" is not a header name: a name is \(tokens)."
            )
        }
        + ["5ecret\r\nX: y", "5ecret\n", "\r5ecret", "5ecret\0"].map { value in
            Row(
                "the header value \(value.debugDescription)",
                Setup(headers: ["X-Token": value]),
                "underlying",
                "`headers`: The value of the header \"X-Token\" has a line break or another control character: leave it "
                    + "out, or escape it."
            )
        }

    static var rows: [Row] { forms + bodies + parameters + heads }

    private func expect(_ result: Result<Response, MoyaError>, as row: Row) {
        guard case .failure(let error) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error.name == row.error)
        #expect(error.localizedDescription == row.wholeText)
        #expect((error as NSError).localizedDescription == row.wholeText)
        #expect(!error.localizedDescription.contains(Self.secret))
        #expect(error.response == nil)
    }

    @Test("the complete text of a target's error is the same through every entry point", arguments: rows)
    func text(row: Row) async {
        let provider = MoyaProvider<Shop>()
        let target = Shop.order(row.setup, card: Self.secret)
        for entryPoint in EntryPoint.allCases { expect(await entryPoint.request(target, from: provider), as: row) }
        do throws(MoyaError) {
            _ = try await provider.stream(target)
            Issue.record("no error")
        } catch {
            expect(.failure(error), as: row)
        }
        let multi = await EntryPoint.async.request(MultiTarget(target), from: MoyaProvider<MultiTarget>())
        expect(multi, as: row)
    }

    @Test(
        "a stub that cannot be converted to a URLRequest fails with the same text, and other stubs are not checked",
        arguments: rows
    )
    func stubs(row: Row) async {
        for entryPoint in EntryPoint.allCases {
            for behavior in [StubBehavior.immediate, .delayed(seconds: 0)] {
                let provider = MoyaProvider<Shop>(stubClosure: { _ in behavior })
                let result = await entryPoint.request(.order(row.setup, card: Self.secret), from: provider)
                if row.isMapping { expect(result, as: row) } else { #expect(result.response?.statusCode == 200) }
            }
        }
    }

    // MARK: Mistakes outside the target

    private struct Changing: PluginType, RequestAdapter, RequestInterceptor {
        var change: @Sendable (inout URLRequest) -> Void

        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
            var request = request
            change(&request)
            return request
        }
    }

    @Test("mistakes of a plugin or the session are not attributed to the target", arguments: EntryPoint.allCases)
    func others(entryPoint: EntryPoint) async {
        func text(_ change: @escaping @Sendable (inout URLRequest) -> Void) async -> String? {
            let provider = MoyaProvider<Shop>(plugins: [Changing(change: change)])
            let result = await entryPoint.request(.order(Setup(headers: ["A": "b"]), card: Self.secret), from: provider)
            guard case .failure(let error) = result else { return nil }
            return error.localizedDescription
        }
        let value =
            "The value of the header \"X\" has a line break or another control character: leave it out, or escape it."
        let header = await text { $0.allHTTPHeaderFields = ["X": "5ecret\r\n"] }
        #expect(header == "Shop.order: a header that is not from `headers`: \(value)")
        let method = await text { $0.httpMethod = "A B" }
        #expect(
            method
                == "Shop.order: the method, changed since `method`: \"A B\" is not an HTTP method: a method is \(Self.tokens)."
        )
        let url = await text { $0.url = URL(string: "ftp://h") }
        #expect(
            url
                == "Shop.order: the URL, changed since `baseURL`: URLs with the scheme \"ftp\" are not supported: use \"http\" "
                + "or \"https\"."
        )
        let configuration = URLSessionConfiguration.default
        configuration.headers = ["X": "5ecret\n"]
        let provider = MoyaProvider<Shop>(session: Session(configuration: configuration))
        guard case .failure(let error) = await entryPoint.request(.order(Setup(), card: ""), from: provider) else {
            Issue.record("no error")
            return
        }
        #expect(error.localizedDescription == "Shop.order: a header that is not from `headers`: \(value)")
    }

    // MARK: Matching

    @Test("the cause of a target's error stays unchanged, and can be cast and matched")
    func causes() async throws {
        func error(_ setup: Setup) async -> MoyaError? {
            guard
                case .failure(let error) = await EntryPoint.async.request(
                    Shop.order(setup, card: ""),
                    from: MoyaProvider<Shop>()
                )
            else { return nil }
            return error
        }
        guard
            case .underlying(RequestValidationError.unsupportedScheme("ftp"), nil) = await error(
                Setup(baseURL: "ftp://h")
            )
        else {
            Issue.record("unsupportedScheme")
            return
        }
        guard
            case .parameterEncoding(JSONEncoding.Error.invalidJSONObject) = await error(
                Setup(task: Self.parameters(Date(), JSONEncoding.default))
            )
        else {
            Issue.record("invalidJSONObject")
            return
        }
        let deep = await error(Setup(task: Self.parameters(Self.deep, URLEncoding.httpBody)))
        guard case .parameterEncoding(URLEncoding.Error.nestedTooDeeply) = deep else {
            Issue.record("nestedTooDeeply")
            return
        }
        guard
            case .encodableMapping(EncodingError.invalidValue(let value, let context)) =
                await error(Setup(task: { .requestJSONEncodable(Price()) }))
        else {
            Issue.record("invalidValue")
            return
        }
        #expect((value as? Double)?.isNaN == true)
        #expect(context.codingPath.map(\.stringValue) == ["amounts", "Index 1"])
        #expect(!context.debugDescription.isEmpty)
        #expect((context.underlyingError as? TargetMisuse)?.target == "Shop.order")
        let file = await error(Setup(task: { .uploadFile(URL(fileURLWithPath: "/none")) }))
        #expect(
            file?.underlyingError as? RequestBodyError
                == RequestBodyError(.missing, file: URL(fileURLWithPath: "/none").absoluteURL)
        )
    }

    @Test("errors that the target does not cause stay unchanged")
    func foreign() async {
        struct Own: Error, LocalizedError { var errorDescription: String? { "own" } }
        struct Refusing: ParameterEncoding {
            func encode(_ request: any URLRequestConvertible, with parameters: [String: any Sendable]?) throws
                -> URLRequest
            {
                throw Own()
            }
        }
        struct Unencodable: Encodable {
            func encode(to encoder: any Encoder) throws { throw Own() }
        }
        for (task, text) in [
            (
                HTTPTask.requestParameters(parameters: [:], encoding: Refusing()),
                "Failed to encode parameters for URLRequest. own"
            ),
            (.requestJSONEncodable(Unencodable()), "Failed to encode Encodable object into data."),
        ] {
            let result = await EntryPoint.async.request(TaskTarget(task: task), from: MoyaProvider<TaskTarget>())
            guard case .failure(let error) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(error.localizedDescription == text)
            #expect(error.underlyingError is Own)
        }
    }
}

extension MoyaError {
    fileprivate var underlyingError: (any Error)? { errorUserInfo[NSUnderlyingErrorKey] as? any Error }
}
