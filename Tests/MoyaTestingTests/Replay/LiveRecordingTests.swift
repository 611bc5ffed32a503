import Foundation
import TestServers
import TestSupport
import Testing

@testable import MoyaTesting

@Suite("Traffic is recorded from real sockets", .timeLimit(.minutes(5)))
struct LiveRecordingTests {
    /// The result of each request of a session, as text.
    private typealias Answers = [String]

    /// Sends all requests in a new session, because redirects, cookies and challenges belong to the session.
    private func responses(_ transport: HARTransport, at base: URL) async throws -> Answers {
        let session = Session(transport: transport, options: SessionOptions(cookieStorage: CookieJar()))
        var responses: Answers = []
        func ask(_ path: String, _ change: (inout URLRequest) -> Void = { _ in }) async throws {
            var request = URLRequest(url: try #require(URL(string: path, relativeTo: base)).absoluteURL)
            change(&request)
            let response = try await session.data(for: request)
            let text = String(decoding: response.data, as: UTF8.self)
            responses.append("\(response.statusCode) \(response.url?.path ?? "") \(text)")
        }
        try await ask("/login")
        try await ask("/page")
        try await ask("/page") { $0.setValue("\"v1\"", forHTTPHeaderField: "If-None-Match") }
        try await ask("/text") {
            $0.httpMethod = "POST"
            $0.httpBody = Data("a=1&password=secret".utf8)
            $0.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        }
        try await ask("/binary")
        try await ask("/missing")
        return responses
    }

    @Test("a recording replays redirects, cookies and conditional requests after the server has stopped")
    func session() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("a.har")
        let server = try await StubServer([
            "/login": .init(
                status: "302 Found",
                headers: ["Location: /page", "Set-Cookie: sid=secret; Path=/; HttpOnly", "Set-Cookie: b=secret"]
            ),
            "/page": .init(headers: ["ETag: \"v1\"", "Content-Type: text/html"], body: Data("<p>Grüße</p>".utf8)),
            "/text": .init(headers: ["Content-Type: text/plain"], body: Data("ok".utf8), framing: .chunks),
            "/binary": .init(body: Data([0, 1, 2, 0xFF]), framing: .close),
        ])
        let base = server.url("/")
        let matching = HARMatching(headers: ["Cookie", "If-None-Match"])
        let recording = try HARTransport(file: file, mode: .record, matching: matching)
        let live = try await responses(recording, at: base)
        try recording.finish()
        await recording.shutdown()
        await server.shutDown()

        let replaying = try HARTransport(file: file, mode: .replay, matching: matching)
        #expect(try await responses(replaying, at: base) == live)
        try replaying.finish()
        #expect(live.count == 6)
        #expect(live[0] == "200 /page <p>Grüße</p>")

        let text = try folder.text("a.har")
        #expect(!text.contains("secret"))
        #expect(text.contains("<p>Grüße</p>"))
        let har = try HAR(contentsOf: file)
        #expect(har.entries.map(\.response.status) == [302, 200, 200, 200, 200, 200, 404])
        #expect(har.entries[0].response.redirectURL == "/page")
        #expect(har.entries[0].response.cookies.map(\.name) == ["sid", "b"])
        #expect(har.entries[1].request.cookies.map(\.name).sorted() == ["b", "sid"])
        #expect(har.entries[5].response.content.encoding == "base64")
        let timings = har.entries.map(\.timings)
        #expect(timings.allSatisfy { $0.send >= 0 && $0.wait >= 0 && $0.receive >= 0 })
        #expect(har.entries.allSatisfy { $0.time == $0.timings.total })
    }

    @Test("a recorder delivers a large body completely, and records its beginning")
    func largeBody() async throws {
        try await PlainServer.run { server in
            let recorder = HARRecorder(over: Session().transport, options: HARRecordingOptions(bodyLimit: 10))
            let session = Session(transport: recorder)
            let response = try await session.data(for: URLRequest(url: server.url("/bytes/3000000")))
            #expect(response.data.count == 3_000_000)
            let content = try #require(recorder.har.entries.first?.response.content)
            #expect(content.text == "xxxxxxxxxx")
            #expect(content.size == 3_000_000)
            await recorder.shutdown()
        }
    }

    @Test("concurrent requests are recorded from real sockets and replayed concurrently")
    func concurrent() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("a.har")
        @Sendable func all(_ transport: HARTransport, _ base: URL) async throws -> [Int: String] {
            let session = Session(transport: transport)
            return try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let url = try #require(URL(string: "/echo?n=\(number)", relativeTo: base)).absoluteURL
                        let response = try await session.data(for: URLRequest(url: url))
                        let echo = try JSONDecoder().decode(PlainServer.Echo.self, from: response.data)
                        return (number, echo.uri)
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
        }
        let (base, live) = try await PlainServer.run { server in
            let recording = try HARTransport(file: file, mode: .record)
            let responses = try await all(recording, server.baseURL)
            try recording.finish()
            await recording.shutdown()
            return (server.baseURL, responses)
        }
        let replaying = try HARTransport(file: file, mode: .replay)
        #expect(try await all(replaying, base) == live)
        #expect(live.count == 40)
        try replaying.finish()
    }

    @Test("the error of an unreachable server is recorded and replayed")
    func refused() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("a.har")
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        var codes: [URLError.Code?] = []
        for mode in [HARMode.record, .replay] {
            let transport = try HARTransport(file: file, mode: mode)
            do {
                _ = try await Session(transport: transport).data(for: URLRequest(url: url))
            } catch {
                codes.append((error as? URLError)?.code)
            }
            try transport.finish()
        }
        #expect(codes == [.cannotConnectToHost, .cannotConnectToHost])
    }
}
