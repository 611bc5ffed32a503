import Foundation
import TestSupport
import Testing

@testable import MoyaTesting

@Suite("A capturing transport captures requests", .timeLimit(.minutes(5)))
struct CapturingTransportTests {
    @Test("a capturing transport has the executors of the inner transport")
    func executors() {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let inner = Session().transport
        let executors = CapturingTransport(over: inner).taskExecutors
        #expect(executors.map { ObjectIdentifier($0) } == inner.taskExecutors.map { ObjectIdentifier($0) })
    }

    @Test("a capturing transport forwards a body that can be read only once")
    func stream() async throws {
        let received = Locked(Data())
        let transport = CapturingTransport(
            over: FakeTransport { request in
                let reader = try #require(try request.body?.open())
                while let piece = try await reader.next() { received.withLock { $0.append(piece) } }
                return TransportResponse(status: 201)
            }
        )
        let data = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        _ = try await transport.ask("http://h/a", method: .put, body: .stream(InputStream(data: data)))
        #expect(received.withLock { $0 } == data)
        #expect(transport.requests[0].body == data)
        #expect(transport.requests[0].isSent)
        #expect(transport.requests[0].status == 201)
    }

    @Test("a capturing transport captures nothing of a body that the inner transport does not read")
    func unread() async throws {
        let opened = Locked(false)
        let body = HTTPBody.sequence(
            AsyncStream<Data> {
                opened.withLock { $0 = true }
                return nil
            }
        )
        let transport = CapturingTransport(over: FakeTransport { _ in TransportResponse(status: 413) })
        _ = try await transport.ask("http://h/a", method: .post, body: body)
        #expect(opened.withLock { $0 } == false)
        #expect(transport.requests[0].status == 413)
        #expect(transport.requests[0].body == nil)
        _ = try body.open()
    }

    @Test("a capturing transport passes the request and the response on unchanged")
    func transparent() async throws {
        let got = Locked<TransportRequest?>(nil)
        let transport = CapturingTransport(
            over: FakeTransport { request in
                got.withLock { $0 = request }
                return TransportResponse(status: 299, headers: [.eTag: "x"], body: .complete(Data("y".utf8)))
            }
        )
        let url = try #require(URL(string: "http://h/a"))
        let connected = Locked(0)
        var request = TransportRequest(
            method: .patch,
            url: url,
            headers: [.accept: "z"],
            body: .data(Data("w".utf8)),
            idleTimeout: .seconds(3),
            exchangeTimeout: .seconds(4),
            responseBufferLimit: 5
        )
        request.onConnect = { connected.withLock { $0 += 1 } }
        let response = try await transport.send(request)
        let sent = try #require(got.withLock { $0 })
        #expect(sent.method == .patch && sent.url == url && sent.headers == request.headers)
        #expect(sent.body == request.body && sent.body?.data == Data("w".utf8))
        #expect(sent.idleTimeout == .seconds(3) && sent.exchangeTimeout == .seconds(4) && sent.responseBufferLimit == 5)
        sent.onConnect?()
        #expect(connected.withLock { $0 } == 1)
        #expect(response.status == 299 && response.headers == [.eTag: "x"])
        guard case .complete(let data) = response.body else { throw URLError(.badServerResponse) }
        #expect(data == Data("y".utf8))
    }

    @Test("a capturing transport captures only the last reading of a body that is opened again")
    func openedAgain() async throws {
        let folder = try TemporaryFolder()
        try folder.write("whole", to: "f")
        let transport = CapturingTransport(
            over: FakeTransport { request in
                _ = try await request.body?.open().next()
                let reader = try #require(try request.body?.open())
                while try await reader.next() != nil {}
                return TransportResponse(status: 200)
            }
        )
        _ = try await transport.ask("http://h/a", method: .post, body: .file(folder.file("f")))
        #expect(transport.requests[0].text == "whole")
        #expect(transport.requests[0].bodySize == 5)
    }

    @Test("a capturing transport captures the failure of a body that cannot be read")
    func unreadable() async throws {
        let folder = try TemporaryFolder()
        let missing = RequestBodyError(.missing, file: folder.file("none"))
        let transport = CapturingTransport.answering()
        await #expect(throws: missing) {
            try await transport.ask("http://h/a", method: .post, body: .file(folder.file("none")))
        }
        #expect(transport.requests[0].error as? RequestBodyError == missing)
        #expect(transport.requests[0].isSent)
        #expect(transport.requests[0].description == "POST http://h/a → RequestBodyError")
    }

    @Test("nested capturing transports each capture a streamed body")
    func nested() async throws {
        let inner = HARRecorder(over: FakeTransport.text("ok"))
        let middle = CapturingTransport(over: inner)
        let outer = CapturingTransport(over: middle)
        let body = HTTPBody.stream(InputStream(data: Data("once".utf8)))
        _ = try await outer.ask("http://h/a", method: .post, headers: [.contentType: "text/plain"], body: body)
        #expect(outer.requests[0].text == "once")
        #expect(middle.requests[0].text == "once")
        #expect(inner.har.entries[0].request.postData?.text == "once")
    }

    @Test("a replayer and a recording transport also capture requests")
    func recordings() async throws {
        let replayer = HARReplayer(.texts(["http://h/a": "a"]))
        _ = try await replayer.ask("http://h/a")
        await #expect(throws: HARMismatch.self) {
            try await replayer.ask("http://h/b", method: .post, body: .stream(InputStream(data: Data("x".utf8))))
        }
        #expect(
            replayer.requests.map(\.description) == ["GET http://h/a → 200", "POST http://h/b, 1 byte → HARMismatch"]
        )
        #expect(replayer.requests[1].text == "x")

        let folder = try TemporaryFolder()
        for mode in [HARMode.record, .recordMissing, .replay, .passthrough] {
            let transport = try HARTransport(file: folder.file("a.har"), mode: mode) { FakeTransport.text("live") }
            try folder.write("body", to: "f")
            let file = HTTPBody.file(folder.file("f"))
            _ = try await transport.ask("http://h/a", method: .post, headers: [.contentType: "text/plain"], body: file)
            if mode == .recordMissing {
                let stream = HTTPBody.stream(InputStream(data: Data("once".utf8)))
                _ = try await transport.ask("http://h/s", method: .post, body: stream)
                #expect(transport.requests.last?.text == "once")
            }
            #expect(transport.requests.count == (mode == .recordMissing ? 2 : 1), "\(mode)")
            #expect(transport.requests[0].text == "body", "\(mode)")
            #expect(transport.requests[0].status == 200, "\(mode)")
            #expect(transport.log.count == transport.requests.count)
            let missing = HTTPBody.file(folder.file("none"))
            await #expect(throws: RequestBodyError.self) { try await transport.ask("http://h/a", body: missing) }
            #expect(transport.requests.last?.error is RequestBodyError, "\(mode)")
            try transport.finish(allowsUnused: true)
        }
    }

    @Test("a capturing plugin captures the requests of stubs")
    func plugin() async throws {
        let folder = try TemporaryFolder()
        try folder.write("in a file", to: "f")
        let file = folder.file("f")
        let asked = RequestLogPlugin()
        let provider = MoyaProvider<Upload>(stubClosure: MoyaProvider.immediatelyStub, plugins: [asked])
        _ = try await provider.request(.json)
        _ = try await provider.request(.file(file))
        _ = try await provider.request(.form)
        try asked.requests.expect(
            inOrder: .post("/json").json(["a": 1]).header("Content-Type", "application/json"),
            .post("https://h.example/file").text("in a file").target(Upload.file(file)),
            .post("/form")
        )
        #expect(asked.requests[2].text?.contains("form-data; name=\"part\"\r\n\r\nvalue") == true)
        #expect(asked.requests[2].headers[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
        #expect(asked.requests.allSatisfy { $0.status == nil && $0.isSent && $0.headers[.acceptEncoding] != nil })
    }
}

private enum Upload: TargetType, Equatable {
    case json
    case file(URL)
    case form

    var baseURL: URL { URL(string: "https://h.example") ?? URL(fileURLWithPath: "/") }
    var path: String { "/" + "\(self)".prefix { $0 != "(" } }
    var method: Moya.Method { .post }
    var task: HTTPTask {
        switch self {
        case .json: .requestParameters(parameters: ["a": 1], encoding: JSONEncoding.default)
        case .file(let file): .uploadFile(file)
        case .form: .uploadMultipart([MultipartFormData(provider: .data(Data("value".utf8)), name: "part")])
        }
    }
    var headers: [String: String]? { nil }
}
