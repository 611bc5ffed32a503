import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A logger whose output is recorded, and requests for it.
struct LoggerBench {
    typealias Logger = NetworkLoggerPlugin
    typealias Options = Logger.Configuration.LogOptions

    let output = Recorder<[String]>()
    var options: Options = .default
    var secretNames: Set<String> = []
    var target: any TargetType = SomeTarget()

    var logger: Logger {
        Logger(
            configuration: Logger.Configuration(
                formatter: Logger.Configuration.Formatter(entry: { identifier, message, _ in "\(identifier): \(message)"
                }),
                output: { [output] _, items in output.add(items) },
                logOptions: options,
                secretNames: secretNames
            )
        )
    }

    /// Returns a request that is about to be sent, in a session with the given headers.
    func request(
        _ url: String = "http://h/p?q=1",
        _ headers: [String: String] = ["A": "b"],
        body: String? = nil,
        sessionHeaders: [String: String] = ["S": "t"]
    ) throws -> Request {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = "PUT"
        request.allHTTPHeaderFields = headers
        request.httpBody = body.map { Data($0.utf8) }
        let configuration = URLSessionConfiguration.default
        configuration.headers = HTTPHeaders(sessionHeaders)
        return Session(transport: FakeTransport.body(""), configuration: configuration, startRequestsImmediately: false)
            .request(request)
    }

    /// Returns the items that the logger writes for a request.
    func items(_ request: any RequestType) -> [String] {
        logger.willSend(request, target: target)
        #expect(output.values.count == 1)
        return output.values.last ?? []
    }

    /// Returns the items that the logger writes for a result.
    func items(_ result: Result<Response, MoyaError>) -> [String] {
        logger.didReceive(result, target: target)
        #expect(output.values.count == 1)
        return output.values.last ?? []
    }
}

@Suite("NetworkLoggerPlugin logs requests and results, and masks secrets")
struct NetworkLoggerPluginTests {
    typealias Logger = NetworkLoggerPlugin
    typealias Options = Logger.Configuration.LogOptions

    // MARK: Requests

    static let requestRows: [(Options, [String])] = [
        ([], ["Request: http://h/p?q=1"]),
        (.requestHeaders, ["Request: http://h/p?q=1", #"Request Headers: ["A": "b", "S": "t"]"#]),
        (.requestBody, ["Request: http://h/p?q=1", "Request Body: text"]),
        (.requestMethod, ["Request: http://h/p?q=1", "HTTP Request Method: PUT"]),
        ([.successResponseBody, .errorResponseBody, .secrets], ["Request: http://h/p?q=1"]),
        (
            .default,
            ["Request: http://h/p?q=1", #"Request Headers: ["A": "b", "S": "t"]"#, "HTTP Request Method: PUT"]
        ),
        (
            .verbose,
            [
                "Request: http://h/p?q=1", #"Request Headers: ["A": "b", "S": "t"]"#, "Request Body: text",
                "HTTP Request Method: PUT",
            ]
        ),
    ]

    @Test("facts 128, 129: a request's log items come in order, each if its option is set", arguments: requestRows)
    func request(options: Options, expected: [String]) throws {
        let bench = LoggerBench(options: options)
        #expect(try bench.items(bench.request(body: "text")) == expected)
    }

    @Test("fact 129: a logged request without a body has no body item, and a logged stream has one")
    func body() throws {
        let bench = LoggerBench(options: .requestBody)
        #expect(try bench.items(bench.request()) == ["Request: http://h/p?q=1"])
        struct Streaming: RequestType {
            var request: URLRequest?
            var sessionHeaders: [String: String] { [:] }
            func authenticate(username: String, password: String, persistence: URLCredential.Persistence) -> Self {
                self
            }
            func authenticate(with credential: URLCredential) -> Self { self }
            func cURLDescription(calling handler: @escaping (String) -> Void) -> Self { self }
        }
        var request = URLRequest(url: SomeTarget().baseURL)
        request.httpBodyStream = InputStream(data: Data("text".utf8))
        let items = LoggerBench(options: .verbose).items(Streaming(request: request))
        #expect(items.map { $0.prefix { $0 != ":" } }.contains("Request Body Stream"), "\(items)")
        // The request is missing or invalid.
        request.url = nil
        for request in [nil, request] {
            for options in [.verbose, .formatRequestAscURL] as [Options] {
                let items = LoggerBench(options: options).items(Streaming(request: request))
                #expect(items == ["Request: (invalid request)"])
            }
        }
    }

    @Test("fact 130: the log shows the request's header instead of an equal name ignoring case, and text is escaped")
    func headers() throws {
        let bench = LoggerBench(options: .requestHeaders)
        let request = try bench.request("http://h/", ["b": "own \"x\""], sessionHeaders: ["B": "session", "A": "a"])
        #expect(bench.items(request).last == #"Request Headers: ["A": "a", "b": "own \"x\""]"#)
        let none = LoggerBench(options: .requestHeaders)
        #expect(try none.items(none.request("http://h/", [:], sessionHeaders: [:])).last == "Request Headers: [:]")
    }

    @Test("facts 134, 136: the cURL text replaces all log items of a request and none of a response")
    func curl() throws {
        let options: Options = [.verbose, .formatRequestAscURL]
        let bench = LoggerBench(options: options)
        #expect(
            try bench.items(bench.request(body: "text")).map(\.withoutUsualHeaders) == [
                "Request: $ curl -v \\\n\t-X PUT \\\n\t-H \"S: t\" \\\n\t-H \"A: b\" \\\n\t-H \"Content-Type:\" \\\n\t"
                    + "-d \"text\" \\\n\t\"http://h/p?q=1\""
            ]
        )
        let result: Result<Response, MoyaError> = .success(Response(statusCode: 200, data: Data("x".utf8)))
        #expect(LoggerBench(options: options).items(result).last == "Response Body: x")
    }

    @Test(
        "facts 128, 134, 135: live and stubbed requests are logged in order, with the changes of all plugins",
        arguments: EntryPoint.allCases,
        [false, true]
    )
    func provider(entryPoint: EntryPoint, isStubbed: Bool) async {
        for options in [[], .formatRequestAscURL] as [Options] {
            let bench = LoggerBench(options: options)
            let provider = MoyaProvider<SomeTarget>(
                stubClosure: { _ in isStubbed ? .immediate : .never },
                session: Session(
                    FakeTransport { _ in
                        bench.output.add(["network"])
                        return TransportResponse(status: 200)
                    }
                ),
                // The request includes the changes of later plugins.
                plugins: [bench.logger, RecordingPlugin(calls: Recorder(), header: ("X", "p"))]
            )
            _ = await entryPoint.request(SomeTarget(), from: provider)
            bench.output.add(["completed"])
            let events = bench.output.values.map { $0.first?.prefix(7) ?? "" }
            let expected =
                isStubbed ? ["Request", "Respons", "complet"] : ["Request", "network", "Respons", "complet"]
            #expect(events.map { $0.prefix(7) } == expected.map { $0.prefix(7) })
            if options == .formatRequestAscURL {
                #expect(bench.output.values.first?.count == 1)
                #expect(bench.output.values.first?.first?.contains(#"-H "X: p""#) == true)
            }
        }
    }

    // MARK: Results

    private func response(_ headers: [String: String]? = nil, status: Int = 200) throws -> Response {
        let url = try #require(URL(string: "http://user:pass@h/p?token=5ecret&q=1"))
        let head = headers.flatMap {
            HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: $0)
        }
        return Response(statusCode: status, data: Data("body".utf8), response: head)
    }

    @Test("fact 131: a logged response has an item for its head, and an item for its body if the option is set")
    func success() throws {
        let response = try response(["A": "b"])
        let items = LoggerBench(options: [.verbose, .secrets]).items(.success(response))
        #expect(items == ["Response: \(try #require(response.response).description)", "Response Body: body"])
        let short = LoggerBench().items(.success(response))
        #expect(short.count == 1)
        let item = try #require(short.first)
        #expect(item.hasPrefix("Response: ") && item.contains("http://h/p") && item.contains("200"), "\(item)")
    }

    @Test(
        "facts 131 to 133: log options decide whether a body is shown, and a failure with a response is logged as a response"
    )
    func responseBody() throws {
        let response = try response()
        let results: [Result<Response, MoyaError>] = [
            .success(response), .failure(.statusCode(response)), .failure(.underlying(URLError(.timedOut), response)),
        ]
        let rows: [(Options, [Bool])] = [
            (.default, [false, false, false]),
            (.successResponseBody, [true, true, true]),
            (.errorResponseBody, [false, true, true]),
            (.verbose, [true, true, true]),
        ]
        for (options, expected) in rows {
            for (result, isShown) in zip(results, expected) {
                let items = LoggerBench(options: options, target: Zoo.plain).items(result)
                let head = "Response: Received empty network response for plain."
                #expect(items == (isShown ? [head, "Response Body: body"] : [head]), "\(options) \(result)")
            }
        }
    }

    private struct Mistake: Error, CustomStringConvertible {
        let description = "no luck at http://h/?token=5ecret&pin=5ecret&q=1"
    }

    @Test("fact 133: a logged failure without a response has one item")
    func failure() {
        let result: Result<Response, MoyaError> = .failure(.parameterEncoding(Mistake()))
        let start = "Failed to encode parameters for URLRequest."
        let items = LoggerBench(options: .verbose, target: Zoo.plain).items(result)
        #expect(
            items == [
                "Error: Error calling plain : \(start) no luck at http://h/?token=***&pin=***&q=1"
            ]
        )
        let masked = LoggerBench(secretNames: ["Q"], target: Zoo.plain).items(result)
        let text = "\(start) no luck at http://h/?token=***&pin=***&q=***"
        #expect(masked == ["Error: Error calling plain : \(text)"])
    }

    // MARK: Secrets

    private enum Zoo: TargetType {
        case plain
        case login(password: String)

        var baseURL: URL { SomeTarget().baseURL }
        var path: String { "" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    static let secretHeaders = [
        "Authorization": "Bearer 5ecret", "Proxy-authorization": "Basic 5ecret", "Cookie": "a=5ecret",
        "X-Api-Key": "5ecret",
    ]

    @Test(
        "secrets of requests are masked in the log by default, in items and in cURL",
        arguments: [.verbose, .formatRequestAscURL] as [Options]
    )
    func masked(options: Options) throws {
        let bench = LoggerBench(options: options, secretNames: ["x-api-key", "Access token"])
        let request = try bench.request(
            "http://ash:5ecret@h/p?q=1&access%20Token=5ecret&access+token=5ecret&flag#access%20token=5ecret",
            Self.secretHeaders,
            sessionHeaders: ["Set-Cookie": "a=5ecret", "S": "t"]
        )
        let text = bench.items(request).joined(separator: "\n")
        #expect(!text.contains("5ecret"), "\(text)")
        #expect(text.contains("http://h/p?q=1&access%20Token=***&access+token=***&flag#access%20token=***"))
        #expect(text.contains("Bearer ***"))
        #expect(text.contains("Basic ***"))
    }

    @Test("secret fields of a form body are masked in the log", arguments: [Options.verbose, .formatRequestAscURL])
    func maskedForm(options: Options) throws {
        let headers = ["Content-Type": "application/x-www-form-urlencoded"]
        let bench = LoggerBench(options: options, secretNames: ["password"])
        let text = try bench.items(bench.request("http://h/", headers, body: "user=ash&password=5ecret")).joined()
        #expect(text.contains("user=ash&password=***"), "\(text)")
        #expect(!text.contains("5ecret"), "\(text)")
    }

    @Test("values of known secret names are masked in logged URLs and JSON, and wherever they occur again")
    func maskedBodies() throws {
        let bench = LoggerBench(options: .verbose)
        let headers = ["Authorization": "Bearer 5ecret-token", "Content-Type": "application/json"]
        let body = #"{"user":{"accessToken":"5ecret"},"echo":"5ecret-token","n":1}"#
        let text = try bench.items(bench.request("http://h/p/5ecret-token?api_key=5ecret", headers, body: body))
            .joined()
        #expect(!text.contains("5ecret"), "\(text)")
        #expect(text.contains(#"{"user":{"accessToken":"***"},"echo":"***","n":1}"#), "\(text)")
        let response = Response(
            statusCode: 200,
            data: Data(#"{"refresh_token":"5ecret-token","e":"5ecret-token"}"#.utf8)
        )
        let items = LoggerBench(options: .verbose).items(.success(response))
        #expect(items.last == #"Response Body: {"refresh_token":"***","e":"***"}"#)
    }

    @Test("the log option secrets shows secrets", arguments: [.verbose, .formatRequestAscURL] as [Options])
    func shown(options: Options) throws {
        let bench = LoggerBench(options: options.union(.secrets), secretNames: ["x-api-key", "token"])
        let url = "http://ash:5ecret@h/p?token=5ecret"
        let text = try bench.items(bench.request(url, Self.secretHeaders)).joined(separator: "\n")
        for secret in ["Bearer 5ecret", "Basic 5ecret", "a=5ecret", "token=5ecret"] {
            #expect(text.contains(secret), "\(secret) in \(text)")
        }
        // The command omits the credentials in the URL: curl would send them, and the session does not.
        #expect(text.contains("ash:5ecret") == (options != .formatRequestAscURL), "\(text)")
        #expect(!text.contains("***"))
    }

    @Test("cookies, credentials in the URL, and values of additional names are masked in logged responses by default")
    func maskedResponse() throws {
        let response = try response(["Set-Cookie": "id=5ecret; HttpOnly", "X-Token": "5ecret", "A": "b"])
        let secretNames: Set = ["token", "x-token"]
        let items = LoggerBench(secretNames: secretNames).items(.success(response))
        let text = items.joined()
        #expect(!text.contains("5ecret") && !text.contains("pass"), "\(text)")
        #expect(text.contains("token=***&q=1"), "\(text)")
        let shown = LoggerBench(options: .secrets, secretNames: secretNames).items(.success(response)).joined()
        #expect(shown.contains("id=5ecret"))
    }

    @Test("a target's name is logged, and its values are not")
    func targets() {
        let rows: [(any TargetType, String)] = [
            (Zoo.plain, "plain"), (Zoo.login(password: "5ecret"), "login(***)"),
            (MultiTarget(Zoo.login(password: "5ecret")), "login(***)"), (MultiTarget(Zoo.plain), "plain"),
            (SomeTarget(tag: "5ecret"), "SomeTarget"),
        ]
        let empty = Result<Response, MoyaError>.success(Response(statusCode: 200, data: Data()))
        let failure = Result<Response, MoyaError>.failure(.requestMapping("x"))
        for (target, name) in rows {
            #expect(
                LoggerBench(target: target).items(empty) == ["Response: Received empty network response for \(name)."]
            )
            #expect(
                LoggerBench(target: target).items(failure)
                    == [
                        "Error: Error calling \(name) : Failed to map Endpoint to a URLRequest. The URL \"x\" is not valid."
                    ]
            )
        }
        let login = Zoo.login(password: "5ecret")
        #expect(
            LoggerBench(options: .secrets, target: login).items(empty)
                == ["Response: Received empty network response for \(login)."]
        )
    }
}
