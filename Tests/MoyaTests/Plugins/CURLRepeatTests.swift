// On other platforms an application cannot start processes.
#if os(macOS) || os(Linux)
import Foundation
import Moya
import TestServers
import TestSupport
import Testing

@Suite(
    "A logged curl command repeats a request",
    .enabled(if: Bash.hasCURL),
    .timeLimit(.minutes(2))
)
struct CURLRepeatTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method: Moya.Method = .get
        var headers: [String: String] = [:]
        var sessionHeaders: [String: String] = [:]
        var cookies: [String] = []
        var handlesCookies = true
        var task: HTTPTask = .requestPlain
    }

    static let rows: [Row] =
        [Moya.Method.get, .post, .put, .patch, .delete].map { Row(testDescription: "\($0.rawValue)", method: $0) }
        + [
            Row(
                testDescription: "cookies of the storage",
                cookies: ["a=1; Path=/", "b=\"x y\"; Path=/", "c=3; Path=/other"]
            ),
            Row(testDescription: "a cookie header", headers: ["Cookie": "own=1"], cookies: ["a=1; Path=/"]),
            Row(testDescription: "no cookies", cookies: ["a=1; Path=/"], handlesCookies: false),
            Row(
                testDescription: "headers of the session, some of which are replaced",
                headers: ["accept-encoding": "gzip", "X-B": "2"],
                sessionHeaders: ["X-A": "1", "x-b": "1", "User-Agent": "me/1", "Accept-Language": "de"]
            ),
            Row(testDescription: "no content coding", headers: ["Accept-Encoding": "identity"]),
            Row(testDescription: "a tab", headers: ["X-A": "a\tb"]),
            Row(testDescription: "a body", method: .post, cookies: ["a=1"], task: .requestData(Data("a\tb".utf8))),
            Row(testDescription: "an empty body", method: .post, task: .requestData(Data())),
        ]

    /// Sends the request of a row and returns its command.
    private func command(_ row: Row, to url: URL, _ behavior: StubBehavior = .never) async throws -> String {
        let configuration = URLSessionConfiguration.default
        configuration.headers = HTTPHeaders(row.sessionHeaders)
        let jar = CookieJar()
        jar.store(setCookie: row.cookies, from: url, context: CookieContext())
        let output = Recorder<String>()
        let logger = NetworkLoggerPlugin(
            configuration: NetworkLoggerPlugin.Configuration(
                formatter: NetworkLoggerPlugin.Configuration.Formatter(entry: { _, message, _ in message }),
                output: { _, items in items.forEach { output.add($0) } },
                logOptions: [.formatRequestAscURL, .secrets]
            )
        )
        let provider = MoyaProvider<TaskTarget>(
            requestClosure: { endpoint, done in
                done(
                    Result { try endpoint.urlRequest() }.map { request in
                        var request = request
                        request.httpShouldHandleCookies = row.handlesCookies
                        return request
                    }.mapError { ($0 as? MoyaError) ?? .underlying($0, nil) }
                )
            },
            stubClosure: { _ in behavior },
            session: Session(configuration: configuration, options: SessionOptions(cookieStorage: jar)),
            plugins: [logger]
        )
        let target = TaskTarget(baseURL: url, method: row.method, task: row.task, headers: row.headers)
        let result = await EntryPoint.async.request(target, from: provider)
        #expect(result.response?.statusCode == 200, "\(result)")
        return try #require(output.values.first)
    }

    @Test("the logged curl command sends the same head and body, and a stub logs the same command", arguments: rows)
    func same(row: Row) async throws {
        let server = try await ReactingServer()
        let command = try await command(row, to: server.url("/p"))
        #expect(try await self.command(row, to: server.url("/p"), .immediate) == command)
        try await Bash.run(curl: command)
        let requests = server.requests
        try #require(requests.count == 2, "\(command)")
        let heads = requests.map { request in
            request.head.fields.map { "\($0.name.lowercased()): \($0.value)" }.filter { field in
                // Foundation on Linux adds this field, which is the default of HTTP/1.1.
                !TransportKind.isDefaultURLSessionOnLinux || field != "connection: keep-alive"
            }.sorted()
        }
        #expect(heads[1] == heads[0], "\(command)")
        #expect(requests[1].body == requests[0].body)
        // A terminal would complete a file name at a tab.
        #expect(!command.replacing("\n\t", with: "").contains("\t"))
        await server.shutDown()
    }

    @Test("the logged curl command decodes the response's body")
    func decoded() async throws {
        let gzip = try #require(Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJ11FILi3K4QIA3Lhl/wwAAAA="))
        let server = try await ReactingServer { _ in .respond(200, headers: ["Content-Encoding: gzip"], body: gzip)
        }
        let command = try await command(Row(testDescription: ""), to: server.url("/"))
        #expect(command.contains("--compressed"))
        let output = try await Bash.run(
            "curl() { command curl -q --noproxy '*' -s \"$@\"; }\n\(command.dropFirst(2))"
        )
        #expect(output == "hello, curl\n")
        let plain = try await self.command(
            Row(testDescription: "", headers: ["Accept-Encoding": "identity"]),
            to: server.url("/")
        )
        #expect(!plain.contains("--compressed"))
        await server.shutDown()
    }

    @Test("the logged curl command masks cookies")
    func masked() async throws {
        let server = try await ReactingServer()
        let jar = CookieJar()
        jar.store(setCookie: ["session=5ecret; Path=/"], from: server.url("/"), context: CookieContext())
        let session = Session(options: SessionOptions(cookieStorage: jar))
        let request = session.request(URLRequest(url: server.url("/")))
        let texts = Recorder<String>()
        request.cURLDescription { texts.add($0) }
        let text = try #require(texts.values.first)
        #expect(
            text.contains(#"-H "Cookie: ***""#) && text.contains("-H \"User-Agent: ") && !text.contains("5ecret")
        )
        await server.shutDown()
    }
}
#endif
