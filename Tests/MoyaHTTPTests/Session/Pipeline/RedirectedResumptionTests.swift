import Foundation
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A download is resumed from changing signed URLs", .timeLimit(.minutes(5)))
struct RedirectedResumptionTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("the body of an expired URL's response is read, so that its connection can be used again")
    func expiredBody() async throws {
        let ranges = Locked(0)
        let refusal = Source([Data("expired".utf8)])
        let transport = FakeTransport { request in
            guard request.url.path == "/signed" else {
                return TransportResponse(status: 302, headers: [.location: "/signed"])
            }
            guard request.headers[.range] != nil else {
                let body = Source([Data("ab".utf8)], error: URLError(.networkConnectionLost)).body
                return TransportResponse(status: 200, headers: [.eTag: "\"v\"", .contentLength: "4"], body: body)
            }
            let count = ranges.withLock { count in
                count += 1
                return count
            }
            if count == 1 { return TransportResponse(status: 403, body: refusal.body) }
            let headers: HTTPFields = [.eTag: "\"v\"", .contentRange: "bytes 2-3/4", .contentLength: "2"]
            return TransportResponse(status: 206, headers: headers, body: .complete(Data("cd".utf8)))
        }
        let file = folder.file("a")
        let request = URLRequest(url: try #require(URL(string: "https://example.com/file")))
        let destination: DownloadRequest.Destination = { _, _ in (file, .resumesWhenInterrupted) }
        _ = try await Session(transport: transport).download(request, to: destination)
        #expect(try Data(contentsOf: file) == Data("abcd".utf8))
        #expect(refusal.pulls == 2)
    }

    static let length = 300_000

    /// The behavior of the servers, and the requests to them after the first process has ended.
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var isOtherOrigin = false
        /// Whether each signed URL is valid for only one request.
        var isSingleUse = false
        var validators = ["ETag: \"v0\""]
        /// The validators of the second process, if they differ.
        var laterValidators: [String]?
        /// Whether a 206 has the validators of a 200.
        var hasValidatorsIn206 = true
        /// The files that the first process leaves.
        var kept = [".a.part", ".a.part.json"]
        var later: [String]
    }

    private static let resumed = ["/file", "/signed?n=2", "/signed?n=2 bytes=100000-"]
    private static let restarted = ["/file", "/signed?n=2"]

    static let rows: [Row] = [
        Row(testDescription: "at one origin", later: resumed),
        Row(testDescription: "at another origin", isOtherOrigin: true, later: resumed),
        Row(
            testDescription: "by a date",
            isOtherOrigin: true,
            validators: ["Date: Sun, 06 Nov 1994 08:49:39 GMT", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"],
            later: resumed
        ),
        Row(
            testDescription: "a date need not be in a 206",
            validators: ["Date: Sun, 06 Nov 1994 08:49:39 GMT", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"],
            hasValidatorsIn206: false,
            later: resumed
        ),
        Row(
            testDescription: "each URL is valid once",
            isOtherOrigin: true,
            isSingleUse: true,
            // The first process has followed the redirect twice.
            later: [
                "/file", "/signed?n=3", "/signed?n=3 bytes=100000-", "/file bytes=100000-", "/signed?n=4 bytes=100000-",
            ]
        ),
        Row(testDescription: "not if the tag has changed", laterValidators: ["ETag: \"v1\""], later: restarted),
        Row(
            testDescription: "not if the date has changed",
            validators: ["Date: Sun, 06 Nov 1994 08:49:39 GMT", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"],
            laterValidators: ["Date: Sun, 06 Nov 1994 08:49:40 GMT", "Last-Modified: Sun, 06 Nov 1994 08:49:38 GMT"],
            later: restarted
        ),
        Row(
            testDescription: "not if the 206 lacks the tag",
            hasValidatorsIn206: false,
            later: resumed + ["/signed?n=2"]
        ),
        Row(testDescription: "not by a weak tag", validators: ["ETag: W/\"v0\""], kept: [], later: restarted),
    ]

    /// The servers: one that redirects, and the same or another one with the file.
    private final class Servers: Sendable {
        private struct State {
            var isFirstProcess = true
            var redirects = 0
            var used: Set<String> = []
            var lines: [String] = []
        }

        let main: ReactingServer
        let mirror: ReactingServer
        private let state: Locked<State>

        var lines: [String] { state.withLock { $0.lines } }

        init(_ row: Row) async throws {
            let state = Locked(State())
            self.state = state
            mirror = try await ReactingServer { Self.react(to: $0.head, row, state, mirror: nil) }
            let mirror = row.isOtherOrigin ? mirror.url().absoluteString.dropLast() : ""
            main = try await ReactingServer { Self.react(to: $0.head, row, state, mirror: String(mirror)) }
        }

        /// Begins the second process, whose responses are complete.
        func repair() { state.withLock { ($0.isFirstProcess, $0.lines) = (false, []) } }

        func shutDown() async {
            await main.shutDown()
            await mirror.shutDown()
        }

        private static func react(
            to head: RequestHead,
            _ row: Row,
            _ state: Locked<State>,
            mirror: String?
        ) -> ReactingServer.Reaction {
            state.withLock { state in
                let range = head["range"]
                state.lines.append(([head.target] + [range].compactMap(\.self)).joined(separator: " "))
                if head.target == "/file" {
                    state.redirects += 1
                    return .respond(302, headers: ["Location: \(mirror ?? "")/signed?n=\(state.redirects)"])
                }
                guard state.used.insert(head.target).inserted || !row.isSingleUse else { return .respond(403) }
                let isChanged = !state.isFirstProcess && row.laterValidators != nil
                let validators = isChanged ? row.laterValidators ?? [] : row.validators
                let body = Pattern(version: isChanged ? 1 : 0).bytes(RedirectedResumptionTests.length)
                guard let start = range.flatMap({ Int($0.dropFirst(6).dropLast()) }) else {
                    return state.isFirstProcess
                        ? .part(headers: validators, body: body.prefix(100_000), of: body.count)
                        : .respond(200, headers: validators, body: body)
                }
                guard !state.isFirstProcess else { return .respond(503) }
                let content = "Content-Range: bytes \(start)-\(body.count - 1)/\(body.count)"
                let fields = row.hasValidatorsIn206 ? validators : []
                return .respond(206, headers: fields + [content], body: body.dropFirst(start))
            }
        }
    }

    private func download(from server: ReactingServer, _ kind: TransportKind) async throws -> SessionResponse {
        let file = folder.file("a")
        var request = server.request("/file")
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        let transport = kind.make()
        return try await transport.shutDown(after: {
            try await Session(transport: transport).download(request, to: { _, _ in (file, .resumesWhenInterrupted) })
        })
    }

    @Test(
        "another process resumes a redirected download if the validator is the same",
        arguments: rows,
        TransportKind.allCases
    )
    func later(_ row: Row, kind: TransportKind) async throws {
        let servers = try await Servers(row)
        await #expect(throws: URLError.self) { try await download(from: servers.main, kind) }
        #expect(try folder.names == row.kept)
        servers.repair()
        let response = try await download(from: servers.main, kind)
        #expect(response.statusCode == 200)
        #expect(response.request.url == servers.main.url("/file"))
        #expect(response.request.value(forHTTPHeaderField: "Range") == nil)
        #expect(servers.lines == row.later)
        let content = try Data(contentsOf: folder.file("a"))
        #expect(content == Pattern(version: row.laterValidators == nil ? 0 : 1).bytes(Self.length))
        #expect(try folder.names == ["a"])
        if row.isOtherOrigin {
            #expect(servers.mirror.requests.allSatisfy { $0.head["authorization"] == nil })
            #expect(servers.main.requests.allSatisfy { $0.head["authorization"] == "Bearer secret" })
        }
        await servers.shutDown()
    }

    @Test(
        "the resumption of a download follows the redirect again if the signed URL has expired",
        arguments: [
            302, 307, 400, 401, 403, 404, 410,
        ],
        TransportKind.allCases
    )
    func expired(_ status: Int, kind: TransportKind) async throws {
        let body = Pattern().bytes(Self.length)
        let redirects = Locked(0)
        let server = try await ReactingServer { received in
            let tag = "ETag: \"v\""
            if received.head.target == "/file" {
                let number = redirects.withLock { count in
                    count += 1
                    return count
                }
                return .respond(302, headers: ["Location: /signed?n=\(number)"])
            }
            guard let start = received.head["range"].flatMap({ Int($0.dropFirst(6).dropLast()) }) else {
                return .part(headers: [tag], body: body.prefix(100_000), of: body.count)
            }
            let isFirst = received.head.target == "/signed?n=1"
            // 302 and 307 are also followed if the URL is not the target of a redirect.
            guard !isFirst else { return .respond(status, headers: ["Location: /elsewhere"]) }
            let content = "Content-Range: bytes \(start)-\(body.count - 1)/\(body.count)"
            return .respond(206, headers: [tag, content], body: body.dropFirst(start))
        }
        let response = try await download(from: server, kind)
        #expect(response.statusCode == 200)
        #expect(response.url == server.url("/signed?n=2"))
        #expect(response.request.value(forHTTPHeaderField: "Range") == nil)
        #expect(try Data(contentsOf: folder.file("a")) == body)
        let paths = ["/file", "/signed?n=1", "/signed?n=1", "/file", "/signed?n=2"]
        #expect(server.requests.map(\.head.target) == paths)
        let range = "bytes=100000-"
        #expect(server.values(of: "range") == [nil, nil, range, range, range])
        #expect(server.values(of: "if-range") == [nil, nil, "\"v\"", "\"v\"", "\"v\""])
        await server.shutDown()
    }

    @Test("a download from a refused URL that is not the target of a redirect fails", arguments: TransportKind.allCases)
    func refused(kind: TransportKind) async throws {
        let server = try await ReactingServer { received in
            guard received.head["range"] == nil else { return .respond(403) }
            return .part(headers: ["ETag: \"v\""], body: Pattern().bytes(100_000), of: Self.length)
        }
        let error = await #expect(throws: URLError.self) { try await download(from: server, kind) }
        #expect(error?.code == .badServerResponse)
        #expect(server.count == 2)
        #expect(try folder.names == [".a.part", ".a.part.json"])
        await server.shutDown()
    }

    @Test("a download that is the result of a POST is not requested by another POST", arguments: TransportKind.allCases)
    func post(kind: TransportKind) async throws {
        let server = try await ReactingServer { received in
            if received.head.method == "POST" { return .respond(303, headers: ["Location: /result"]) }
            guard received.head["range"] == nil else { return .respond(403) }
            return .part(headers: ["ETag: \"v\""], body: Pattern().bytes(100_000), of: Self.length)
        }
        let file = folder.file("a")
        let transport = kind.make()
        let error = await #expect(throws: URLError.self) {
            try await transport.shutDown(after: {
                try await Session(transport: transport)
                    .download(server.request(method: "POST"), to: { _, _ in (file, .resumesWhenInterrupted) })
            })
        }
        #expect(error?.code == .badServerResponse)
        #expect(server.requests.map(\.head.method) == ["POST", "GET", "GET"])
        await server.shutDown()
    }
}
