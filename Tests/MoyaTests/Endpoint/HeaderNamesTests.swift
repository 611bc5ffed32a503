import Foundation
import MoyaHTTP
import TestServers
import TestSupport
import Testing

@testable import Moya

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Header names are compared ignoring case (RFC 9110, section 5.1)", .timeLimit(.minutes(5)))
struct HeaderNamesTests {
    struct Target: TargetType {
        var baseURL: URL
        var headers: [String: String]?
        var task: HTTPTask = .requestPlain
        var path: String { "" }
        var method: Moya.Method { .post }
    }

    /// A step that sets a header with the given spelling in the dictionary of a request.
    struct Setting: PluginType, RequestInterceptor, ParameterEncoding, HTTPMiddleware {
        let name: String
        var value: String

        init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

        private func changed(_ request: URLRequest) -> URLRequest {
            var request = request
            request.allHTTPHeaderFields = (request.allHTTPHeaderFields ?? [:]).merging([name: value]) { $1 }
            return request
        }

        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest { changed(request) }

        func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
            changed(urlRequest)
        }

        func encode(
            _ urlRequest: any URLRequestConvertible,
            with parameters: [String: any Sendable]?
        ) throws -> URLRequest { changed(try urlRequest.asURLRequest()) }

        func respond(
            to request: TransportRequest,
            context: RequestContext,
            next: @escaping Next
        ) async throws -> TransportResponse {
            var request = request
            if let name = HTTPField.Name(name) { request.headers[name] = value }
            return try await next(request)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The only line of the header that is sent.
        let sent: String
        var headers: [String: String]?
        var task: HTTPTask = .requestPlain
        var added: [[String: String]] = []
        var closure: Setting?
        var adapters: [Setting] = []
        var plugins: [Setting] = []
        var middleware: [Setting] = []
        var session: [String: String] = [:]

        init(_ description: String, _ sent: String, _ change: (inout Row) -> Void) {
            (testDescription, self.sent) = (description, sent)
            change(&self)
        }
    }

    static let rows: [Row] = [
        Row("one dictionary: the last in the order of code points", "x-a: 3") {
            $0.headers = ["X-A": "1", "X-a": "2", "x-a": "3"]
        },
        Row("one dictionary that an endpoint adds", "X-a: 2") {
            $0.headers = ["x-a": "0"]
            $0.added = [["X-A": "1", "X-a": "2"]]
        },
        Row("target and endpoint", "X-A: 2") {
            $0.headers = ["x-a": "1"]
            $0.added = [["X-A": "2"]]
        },
        Row("three steps of an endpoint", "X-A: 3") {
            $0.headers = ["x-a": "1"]
            $0.added = [["X-a": "2"], ["X-A": "3"]]
        },
        Row("a name that comes back", "x-a: 3") {
            $0.headers = ["x-a": "1"]
            $0.added = [["X-A": "2"], ["x-a": "3"]]
        },
        Row("target and encoding", "X-A: 2") {
            $0.headers = ["x-a": "1"]
            $0.task = .requestParameters(parameters: [:], encoding: Setting("X-A", "2"))
        },
        Row("request closure", "X-A: 2") {
            $0.headers = ["x-a": "1"]
            $0.closure = Setting("X-A", "2")
        },
        Row("request closure, after an encoding", "X-A: 2") {
            $0.task = .requestParameters(parameters: [:], encoding: Setting("x-a", "1"))
            $0.closure = Setting("X-A", "2")
        },
        Row("adapter", "X-A: 2") {
            $0.headers = ["x-a": "1"]
            $0.adapters = [Setting("X-A", "2")]
        },
        Row("two adapters", "X-A: 3") { $0.adapters = [Setting("x-a", "2"), Setting("X-A", "3")] },
        Row("plugin", "X-A: 2") {
            $0.headers = ["x-a": "1"]
            $0.plugins = [Setting("X-A", "2")]
        },
        Row("two plugins, after an adapter", "X-A: 4") {
            $0.adapters = [Setting("x-a", "2")]
            $0.plugins = [Setting("X-a", "3"), Setting("X-A", "4")]
        },
        Row("a step with the value of the one before", "X-A: 1") {
            $0.headers = ["x-a": "1"]
            $0.plugins = [Setting("X-A", "1")]
        },
        Row("middleware", "X-A: 2") {
            $0.headers = ["x-a": "1"]
            $0.middleware = [Setting("X-A", "2")]
        },
        Row("session and target", "x-a: 1") {
            $0.headers = ["x-a": "1"]
            $0.session = ["X-A": "0"]
        },
        Row("session and plugin", "x-a: 1") {
            $0.plugins = [Setting("x-a", "1")]
            $0.session = ["X-A": "0"]
        },
        Row("one dictionary of the session", "x-a: 2") { $0.session = ["X-A": "1", "x-a": "2", "X-a": "3"] },
    ]

    @Test(
        "each header name is sent once, and the value of a later step replaces an earlier value",
        arguments: rows,
        TransportKind.allCases
    )
    func sent(_ row: Row, _ kind: TransportKind) async throws {
        let heads = Recorder<String>()
        let server = try await RawServer { connection in
            var text = ""
            while let more = try await connection.read() {
                text += String(buffer: more)
                guard text.hasSuffix("\r\n\r\n") else { continue }
                heads.add(text)
                text = ""
                try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let transport = kind.make()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = row.session
        let session = Session(
            transport: transport,
            configuration: configuration,
            interceptor: Interceptor(adapters: row.adapters),
            middleware: row.middleware
        )
        let provider = MoyaProvider<Target>(
            endpointClosure: { target in
                row.added.reduce(MoyaProvider.defaultEndpointMapping(for: target)) {
                    $0.adding(newHTTPHeaderFields: $1)
                }
            },
            requestClosure: { endpoint, done in
                done(
                    Result {
                        let request = try endpoint.urlRequest()
                        return try row.closure?.encode(request, with: nil) ?? request
                    }.mapError { MoyaError.underlying($0, nil) }
                )
            },
            session: session,
            plugins: row.plugins
        )
        // The order of a dictionary differs each time it is created.
        for _ in 0..<8 {
            let target = Target(baseURL: server.url(), headers: row.headers, task: row.task)
            _ = try await provider.request(target)
        }
        #expect(heads.values.count == 8)
        for head in heads.values {
            let lines = head.components(separatedBy: "\r\n").filter { $0.lowercased().hasPrefix("x-a:") }
            #expect(lines == [row.sent])
        }
        await transport.shutdown()
        await server.shutDown()
    }

    @Test("an endpoint keeps all spellings of a header name, and equals an endpoint that sends the same headers")
    func endpoint() throws {
        let target = Target(baseURL: URL(fileURLWithPath: "/"), headers: ["x-a": "1", "B": "2"])
        let endpoint = MoyaProvider.defaultEndpointMapping(for: target).adding(newHTTPHeaderFields: ["X-A": "2"])
        #expect(endpoint.httpHeaderFields == ["x-a": "1", "X-A": "2", "B": "2"])
        #expect(try endpoint.urlRequest().allHTTPHeaderFields == ["X-A": "2", "B": "2"])
        let changed = endpoint.replacing(task: .requestData(Data())).adding(newHTTPHeaderFields: [:])
        #expect(try changed.urlRequest().allHTTPHeaderFields == ["X-A": "2", "B": "2"])
        let plain = Target(baseURL: target.baseURL, headers: ["X-A": "2", "B": "2"])
        #expect(endpoint == MoyaProvider.defaultEndpointMapping(for: plain))
    }

    @Test("header names that differ in case cause one warning for each target, without values")
    func warning() {
        let warnings = Recorder<String>()
        let warning = FieldNameWarning { warnings.add($0) }
        let fields = UniqueFieldNames(["Content-Type": "secret", "Content-type": "b", "A": "c"])
        for owner in ["Shop.item", "Shop.item", nil, "Shop.list"] { warning.check(fields, of: owner) }
        warning.check(UniqueFieldNames(["A": "1", "B": "2"]), of: "Shop.other")
        // A later step causes no warning.
        warning.check(UniqueFieldNames(["A": "1", "a": "2"], after: ["A": "1"]), of: "Shop.other")
        #expect(warnings.values.count == 3)
        #expect(
            warnings.values.allSatisfy { $0.contains(#""Content-Type", "Content-type""#) && !$0.contains("secret") }
        )
        #expect(warnings.values.first?.contains("of Shop.item") == true)
    }
}
