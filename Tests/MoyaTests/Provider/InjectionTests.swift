import Foundation
import Moya
import MoyaHTTP
import TestServers
import TestSupport
import Testing

/// Line breaks in values, which could inject headers or requests, are refused, or escaped where an encoding applies.
@Suite("Line breaks in values cannot inject headers", .timeLimit(.minutes(5)))
struct InjectionTests {
    /// A place from which a line break may come.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var target: @Sendable (inout TaskTarget, String) -> Void = { _, _ in }
        var plugin: (@Sendable (inout URLRequest, String) -> Void)?
        var interceptor: (@Sendable (inout URLRequest, String) -> Void)?
        var session: [String: String] = [:]
    }

    private struct Changing: PluginType, RequestInterceptor {
        var change: @Sendable (inout URLRequest) -> Void

        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest { changed(request) }

        func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
            changed(urlRequest)
        }

        private func changed(_ request: URLRequest) -> URLRequest {
            var request = request
            change(&request)
            return request
        }
    }

    /// The texts of an attacker.
    static let breaks = ["a\r\nX-Evil: y", "a\nX-Evil: y", "a\rX-Evil: y", "a\r\n\r\nGET /evil HTTP/1.1\r\n\r\n"]

    private static func part(_ data: String, name: String, fileName: String? = nil, mimeType: String? = nil)
        -> MultipartFormData
    {
        MultipartFormData(provider: .data(Data(data.utf8)), name: name, fileName: fileName, mimeType: mimeType)
    }

    static let refused: [Row] = [
        Row(testDescription: "a target's header", target: { $0.headers = ["X-A": $1] }),
        Row(testDescription: "a header's name", target: { $0.headers = [$1: "a"] }),
        Row(testDescription: "the method", target: { $0.method = Moya.Method(rawValue: $1) }),
        Row(testDescription: "a content type", target: { $0.task = .uploadBody(.data(Data()), contentType: $1) }),
        Row(
            testDescription: "a compressed body's coding",
            target: {
                $0.headers = ["Content-Encoding": $1]
                $0.task = .gzipped(.requestData(Data("a".utf8)))
            }
        ),
        Row(
            testDescription: "a boundary",
            target: { $0.task = .uploadMultipart([part("a", name: "b")], boundary: $1) }
        ),
        Row(
            testDescription: "a part's MIME type",
            target: { $0.task = .uploadMultipart([part("a", name: "b", mimeType: $1)]) }
        ),
        Row(testDescription: "a plugin's header", plugin: { $0.allHTTPHeaderFields = ["X-A": $1] }),
        Row(testDescription: "a plugin's method", plugin: { $0.httpMethod = $1 }),
        Row(testDescription: "an interceptor's header", interceptor: { $0.allHTTPHeaderFields = ["X-A": $1] }),
        Row(testDescription: "an interceptor's method", interceptor: { $0.httpMethod = $1 }),
        Row(
            testDescription: "a host with escapes",
            plugin: { request, text in
                let host = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                request.url = URL(string: "http://127.0.0.1\(host):\(request.url?.port ?? 0)/")
            }
        ),
    ]

    @Test(
        "line breaks in a target's values are refused before anything is sent",
        arguments: refused,
        TransportKind.allCases
    )
    func refuses(row: Row, kind: TransportKind) async throws {
        let server = try await ReactingServer()
        for text in Self.breaks {
            for entryPoint in EntryPoint.allCases {
                let result = await request(row, text, server, kind, through: entryPoint)
                guard case .failure(let error) = result else {
                    Issue.record("\(result)")
                    continue
                }
                let cause = error.errorUserInfo[NSUnderlyingErrorKey]
                #expect(cause is RequestValidationError || cause is MultipartError, "\(error)")
            }
        }
        #expect(server.requests.isEmpty)
        #expect(server.brokenOff == 0)
        await server.shutDown()
    }

    @Test("line breaks in a session's header are refused with every request", arguments: TransportKind.allCases, breaks)
    func session(kind: TransportKind, text: String) async throws {
        let server = try await ReactingServer()
        var row = Row(testDescription: "")
        for headers in [["X-A": text], [text: "a"]] {
            row.session = headers
            let result = await request(row, text, server, kind, through: .async)
            #expect(result.underlying is RequestValidationError, "\(result)")
        }
        #expect(server.requests.isEmpty)
        await server.shutDown()
    }

    static let escaped: [Row] = [
        Row(testDescription: "the path", target: { $0.path = $1 }),
        Row(
            testDescription: "a path with escapes",
            target: { target, text in
                let path = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                target.baseURL =
                    URL(string: "\(target.baseURL.absoluteString)/\(path)?\(path)=\(path)") ?? target.baseURL
            }
        ),
        Row(
            testDescription: "parameters",
            target: { $0.task = .requestParameters(parameters: [$1: $1], encoding: URLEncoding.queryString) }
        ),
        Row(
            testDescription: "a form's values",
            target: { $0.task = .requestParameters(parameters: [$1: $1], encoding: URLEncoding.httpBody) }
        ),
        Row(
            testDescription: "a part's name and file name",
            target: { $0.task = .uploadMultipart([part("v", name: $1, fileName: $1, mimeType: "a/b")]) }
        ),
    ]

    @Test(
        "line breaks in a target's values are escaped where an encoding applies",
        arguments: escaped,
        TransportKind.allCases
    )
    func escapes(row: Row, kind: TransportKind) async throws {
        let server = try await ReactingServer()
        let transport = kind.make()
        let provider = MoyaProvider<TaskTarget>(session: .withoutHeaders(transport))
        for text in Self.breaks {
            for entryPoint in EntryPoint.allCases {
                var target = TaskTarget(baseURL: server.url("/p"), task: .requestPlain)
                row.target(&target, text)
                let result = await entryPoint.request(target, from: provider)
                #expect(result.response?.statusCode == 200, "\(result)")
            }
        }
        let requests = server.requests
        #expect(requests.count == Self.breaks.count * EntryPoint.allCases.count)
        for request in requests {
            expectNothingInjected(request.head)
            let lines = String(decoding: request.body, as: UTF8.self)
                .split(separator: "\r\n", omittingEmptySubsequences: false)
            #expect(!lines.contains { $0.unicodeScalars.contains { $0.value < 0x20 } }, "\(lines)")
            // A form has its delimiter, two headers, an empty line, the value, the last delimiter and an empty line.
            if request.head["content-type"]?.hasPrefix("multipart") == true {
                #expect(lines.count == 7 && lines.last?.isEmpty == true, "\(lines)")
                #expect(lines.dropFirst(2).first == "Content-Type: a/b")
            } else {
                #expect(lines.count == 1)
            }
        }
        await transport.shutdown()
        await server.shutDown()
    }

    private func expectNothingInjected(_ head: RequestHead) {
        #expect(head["x-evil"] == nil)
        for text in [head.method, head.target] + head.fields.flatMap({ [$0.name, $0.value] }) {
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "\(text.debugDescription)")
        }
    }

    // MARK: Hostile servers

    static let answers = [
        "Location: /next%0D%0AX-Evil:%20y", "Location: /next\rX-Evil: y", "Location: /next\nX-Evil: y",
        "Location: /next\r X-Evil: y", "Location: /next?a=%0d%0aX-Evil:%20y#\r", "Location: //%0D%0AX-Evil: y/",
        "Location: \u{1}/next", "Set-Cookie: a=b\rX-Evil: y\r\nLocation: /next",
        "Set-Cookie: a=b%0D%0AX-Evil: y\r\nLocation: /next",
        "Set-Cookie: a=b; Path=/\rX-Evil\r\nLocation: /next",
    ]

    @Test("a server's redirect or cookie cannot inject a line break", arguments: answers, TransportKind.allCases)
    func hostileServer(response: String, kind: TransportKind) async throws {
        let seen = Recorder<RequestHead>()
        let server = try await RawServer { connection in
            while let head = try await connection.head() {
                _ = try await connection.body()
                seen.add(head)
                try await connection.writer.write(
                    head.path == "/first"
                        ? "HTTP/1.1 302 Found\r\n\(response)\r\nContent-Length: 0\r\n\r\n"
                        : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
                )
            }
        }
        let transport = kind.make()
        // The session has a separate storage, because all tests share the default one.
        let session = Session(transport: transport, options: SessionOptions(cookieStorage: CookieJar()))
        let provider = MoyaProvider<SomeTarget>(session: session)
        for entryPoint in EntryPoint.allCases {
            // The client may fail or send an escaped request.
            _ = await entryPoint.request(SomeTarget(baseURL: server.url("/first"), path: ""), from: provider)
            _ = await entryPoint.request(SomeTarget(baseURL: server.url("/last"), path: ""), from: provider)
        }
        #expect(seen.values.count >= 4)
        for head in seen.values { expectNothingInjected(head) }
        await transport.shutdown()
        await server.shutDown()
    }

    // MARK: Tools

    private func request(
        _ row: Row,
        _ text: String,
        _ server: ReactingServer,
        _ kind: TransportKind,
        through entryPoint: EntryPoint
    ) async -> Result<Response, MoyaError> {
        var target = TaskTarget(baseURL: server.url(), task: .requestPlain)
        row.target(&target, text)
        let configuration = URLSessionConfiguration.default
        configuration.headers = HTTPHeaders(row.session)
        let transport = kind.make()
        let provider = MoyaProvider<TaskTarget>(
            session: Session(
                transport: transport,
                configuration: configuration,
                interceptor: row.interceptor.map { change in Changing { change(&$0, text) } }
            ),
            plugins: row.plugin.map { change in [Changing { change(&$0, text) }] } ?? []
        )
        let result = await entryPoint.request(target, from: provider)
        await transport.shutdown()
        return result
    }
}
