import Foundation
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Request bodies are sent again through redirects over a real connection", .timeLimit(.minutes(5)))
struct RedirectBodyTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func answer(_ status: Int) -> @Sendable (HandlerServer.ReceivedRequest) -> HandlerServer.Response {
        { $0.head.path == "/a" ? .redirect(status, to: "/b") : .ok("there: \($0.body)") }
    }

    @Test("the file of a request's body is sent again for 307 and 308", arguments: [307, 308], TransportKind.allCases)
    func file(status: Int, kind: TransportKind) async throws {
        try folder.write("from a file", to: "body")
        try await kind.withHandlerServer(Self.answer(status)) { transport, server in
            let response = try await Session.alone(on: transport).data(
                for: URLRequest("PUT", server.url("/a")),
                body: .file(folder.file("body"))
            )
            #expect(response.text == "there: from a file")
            #expect(server.seen.map(\.body) == ["from a file", "from a file"])
            #expect(server.lines == ["PUT /a", "PUT /b"])
        }
    }

    @Test("a body is sent again when an interceptor adapts the redirect", arguments: TransportKind.allCases)
    func adapted(kind: TransportKind) async throws {
        try folder.write("from a file", to: "body")
        for usesFile in [true, false] {
            try await kind.withHandlerServer(Self.answer(307)) { transport, server in
                let session = Session.alone(on: transport, interceptor: NotingAdapter(["X-Adapted": "yes"]))
                let text = usesFile ? "from a file" : "in the request"
                let response = try await session.data(
                    for: URLRequest("PUT", server.url("/a"), body: usesFile ? nil : text),
                    body: usesFile ? .file(folder.file("body")) : nil
                )
                #expect(response.text == "there: \(text)")
                #expect(server.seen.map(\.body) == [text, text])
                #expect(server.seen.map { $0["X-Adapted"] } == ["yes", "yes"])
            }
        }
    }

    @Test(
        "a body that is not repeatable is sent once, and a redirect that needs it again fails",
        arguments: [307, 308],
        TransportKind.allCases
    )
    func once(status: Int, kind: TransportKind) async throws {
        try await kind.withHandlerServer(Self.answer(status)) { transport, server in
            await expectRedirectError(.bodyNotRepeatable, .requestBodyStreamExhausted) {
                _ = try await Session.alone(on: transport).data(
                    for: URLRequest("POST", server.url("/a")),
                    body: .stream(InputStream(data: Data("once".utf8)))
                )
            }
            #expect(server.seen.map(\.body) == ["once"])
        }
    }

    @Test(
        "a body that is not repeatable is dropped in a redirect whose status drops the body",
        arguments: TransportKind.allCases
    )
    func leftBehind(kind: TransportKind) async throws {
        for usesRequest in [true, false] {
            try await kind.withHandlerServer(Self.answer(303)) { transport, server in
                let stream = InputStream(data: Data("once".utf8))
                var request = URLRequest("POST", server.url("/a"))
                if usesRequest { request.httpBodyStream = stream }
                let response = try await Session.alone(on: transport, interceptor: NotingAdapter()).data(
                    for: request,
                    body: usesRequest ? nil : .stream(stream)
                )
                #expect(response.text == "there: ")
                #expect(server.lines == ["POST /a", "GET /b"])
            }
        }
    }

    @Test("a stream has the body of the last redirect's response", arguments: TransportKind.allCases)
    func stream(kind: TransportKind) async throws {
        try await kind.withHandlerServer(Self.answer(302)) { transport, server in
            let (response, body) = try await Session.alone(on: transport)
                .stream(for: URLRequest("POST", server.url("/a"), body: "x"))
            var data = Data()
            for try await chunk in body { data.append(chunk) }
            #expect(String(decoding: data, as: UTF8.self) == "there: ")
            #expect(response.url == server.url("/b"))
            #expect(response.request.url == server.url("/a"))
        }
    }

    @Test(
        "a download has the file name that the response after the last redirect suggests",
        arguments: TransportKind.allCases
    )
    func download(kind: TransportKind) async throws {
        let folder = folder.url
        for disposition in ["attachment; filename=\"named.txt\"", nil] {
            try await kind.withHandlerServer { seen in
                let first = "Content-Disposition: attachment; filename=\"first.txt\""
                guard seen.head.path != "/a" else { return .redirect(to: "/b/path.txt", first) }
                return HandlerServer.Response(
                    headers: disposition.map { ["Content-Disposition: \($0)"] } ?? [],
                    body: "file"
                )
            } _: { transport, server in
                let response = try await Session.alone(on: transport).download(
                    URLRequest(url: server.url("/a")),
                    to: DownloadRequest.suggestedDownloadDestination(in: folder, options: .removePreviousFile)
                )
                let name = disposition == nil ? "path.txt" : "named.txt"
                #expect(response.url == server.url("/b/path.txt"))
                let content = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
                #expect(content == "file")
            }
        }
    }

    @Test("the rest of a download is requested from the last redirect's URL", arguments: TransportKind.allCases)
    func resumption(kind: TransportKind) async throws {
        let target = try await DownloadServer(.init(length: 300_000) { $0.breaksOffAfter = [100_000] })
        try await kind.withHandlerServer { _ in
            .redirect(to: target.url().absoluteString)
        } _: { transport, server in
            let file = folder.file("a")
            let request = URLRequest("GET", server.url("/a"), ["Authorization": "secret"])
            let response = try await Session.alone(on: transport)
                .download(request) { _, _ in (file, .resumesWhenInterrupted) }
            let content = try Data(contentsOf: file)
            #expect(content == Pattern().bytes(300_000))
            #expect(response.url == target.url())
            #expect(server.lines == ["GET /a"])
            let heads = await target.heads
            #expect(heads.count == 2)
            #expect(heads.last?["Range"] == "bytes=100000-")
            #expect(heads.map { $0["Authorization"] } == [nil, nil])
        }
        await target.shutDown()
    }
}
