import Foundation
import TestServers
import TestSupport
import Testing

@testable import MoyaTesting

@Suite("A session's requests are recorded from real sockets", .timeLimit(.minutes(5)))
struct LiveSessionRecordingTests {
    private enum Vault: TargetType, Equatable {
        case open(URL)

        var baseURL: URL { if case .open(let url) = self { url } else { URL(fileURLWithPath: "/") } }
        var path: String { "" }
        var method: Moya.Method { .post }
        var task: HTTPTask { .requestParameters(parameters: ["a": 1], encoding: JSONEncoding.default) }
        var headers: [String: String]? { nil }
    }

    @Test(
        "a challenge and the response to it are replayed after the server has stopped",
        arguments: ["/basic", "/digest"]
    )
    func challenge(_ path: String) async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("a.har")
        let server = try await ReactingServer { request in
            let authorization = request.head["Authorization"] ?? ""
            let isDigest = request.head.path == "/digest"
            let challenge =
                isDigest ? #"Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256"# : #"Basic realm="r""#
            let isAnswer = isDigest ? authorization.contains(" response=") : authorization == "Basic dTpoaWRkZW4="
            guard isAnswer else {
                return .respond(401, headers: ["WWW-Authenticate: \(challenge)"], body: Data("no".utf8))
            }
            return .respond(200, headers: ["Content-Type: text/plain"], body: Data("in, with \(request.text)".utf8))
        }
        let url = server.url(path)
        let credentials = CredentialsPlugin { _ in URLCredential(user: "u", password: "hidden", persistence: .none) }
        var responses: [String] = []
        for mode in [HARMode.record, .replay] {
            let transport = try HARTransport(file: file, mode: mode, matching: HARMatching(headers: ["Authorization"]))
            let provider = MoyaProvider<Vault>(session: Session(transport: transport), plugins: [credentials])
            responses.append(try await provider.request(.open(url)).mapString())
            let requests = transport.requests
            #expect(requests.map(\.status) == [401, 200])
            #expect(requests.map(\.text) == [#"{"a":1}"#, #"{"a":1}"#])
            #expect(requests.allSatisfy { $0.target as? Vault == .open(url) })
            try requests.expect(
                inOrder: .post(path).without(header: "Authorization"),
                .post(path).header("Authorization", path == "/digest" ? "Digest ***" : "Basic ***")
            )
            try transport.finish()
            await transport.shutdown()
            if mode == .record { await server.shutDown() }
        }
        #expect(responses == [#"in, with {"a":1}"#, #"in, with {"a":1}"#])
        #expect(server.count == 2)
        let har = try HAR(contentsOf: file)
        #expect(har.entries.map(\.response.status) == [401, 200])
        let sent = server.requests.last?.head["Authorization"] ?? ""
        let text = try folder.text("a.har")
        #expect(!text.contains("hidden") && !text.contains(sent.split(separator: " ").last ?? "?"))
    }

    @Test("a 304 without a body is replayed")
    func notModified() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("a.har")
        let server = try await RawServer { connection in
            while let head = try await connection.head() {
                let isKnown = head["If-None-Match"] == "\"v1\""
                let answer =
                    isKnown
                    ? "HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\nContent-Length: 5\r\n\r\n"
                    : "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"
                try await connection.writer.write(Data(answer.utf8))
            }
        }
        var request = URLRequest(url: server.url("/page"))
        var responses: [[String]] = []
        for mode in [HARMode.record, .replay] {
            let matching = HARMatching(headers: ["If-None-Match"])
            let transport = try HARTransport(file: file, mode: mode, matching: matching)
            let session = Session(transport: transport)
            for tag in [nil, "\"v1\"", "\"v0\""] {
                request.setValue(tag, forHTTPHeaderField: "If-None-Match")
                let response = try await session.data(for: request)
                responses.append([
                    "\(response.statusCode)", String(decoding: response.data, as: UTF8.self),
                    response.headers[.eTag] ?? "", response.headers[.contentLength] ?? "",
                ])
            }
            try transport.finish()
            await transport.shutdown()
            if mode == .record { await server.shutDown() }
        }
        #expect(responses[0] == ["200", "hello", "\"v1\"", "5"])
        #expect(responses[1] == ["304", "", "\"v1\"", "5"])
        #expect(responses[2] == responses[0])
        #expect(Array(responses[3...]) == Array(responses[..<3]))
    }
}
