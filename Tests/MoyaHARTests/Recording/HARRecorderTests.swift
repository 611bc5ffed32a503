import Foundation
import Moya
import TestSupport
import Testing

@testable import MoyaHAR

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A recorder records the exchanges of a session", .timeLimit(.minutes(5)))
struct HARRecorderTests {
    private let url = URL(string: "http://user:word@127.0.0.1:1/a?x=1%202&pin=3") ?? URL(fileURLWithPath: "/")

    @Test("a recorder has the executors of the inner transport")
    func executors() {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let inner = Session().transport
        let executors = HARRecorder(over: inner).taskExecutors
        #expect(executors.map { ObjectIdentifier($0) } == inner.taskExecutors.map { ObjectIdentifier($0) })
    }

    @Test("a recorder as middleware records cached responses with their source")
    func cachedResponses() async throws {
        let transport = FakeTransport { request in
            let fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\"", .setCookie: "sid=secret"]
            guard request.headers[.ifNoneMatch] == nil else { return TransportResponse(status: 304, headers: fields) }
            return TransportResponse(status: 200, headers: fields, body: .complete(Data("body".utf8)))
        }
        let recorder = HARRecorder(over: transport)
        let session = Session(
            transport: recorder,
            configuration: .ephemeral,
            cache: .memory(),
            middleware: [recorder]
        )
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:1/a")))
        _ = try await session.data(for: request)
        _ = try await session.data(for: request)
        request.cachePolicy = .reloadRevalidatingCacheData
        let last = try await session.data(for: request)
        #expect(last.source == .revalidated)
        // The body of a download is not recorded, because it stays in the file.
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("file")
        request.cachePolicy = .returnCacheDataElseLoad
        _ = try await session.download(request, to: { _, _ in (file, []) })
        #expect(try Data(contentsOf: file) == Data("body".utf8))
        let har = recorder.har
        #expect(har.entries.map(\.response.status) == [200, 200, 304, 200])
        #expect(har.entries.map(\.source) == [nil, .cache, nil, .cache])
        #expect(har.entries[1].response.content.text == "body")
        let copy = try HAR(data: try har.data())
        #expect(copy == har)
        #expect(copy.entries.map(\.source) == [nil, .cache, nil, .cache])
        #expect(!String(decoding: try har.data(), as: UTF8.self).contains("secret"))
    }

    @Test("a recorder records the version, the reason phrase and the server's address if the transport provides them")
    func info() async throws {
        let address = ResponseInfo.Address(ipAddress: "2001:db8::1", port: 80)
        let infos = [
            ResponseInfo(httpVersion: "HTTP/1.0", reasonPhrase: "Fine", remoteAddress: address),
            ResponseInfo(httpVersion: "HTTP/2", remoteAddress: address), nil,
        ]
        let count = Locked(0)
        let recorder = HARRecorder(
            over: FakeTransport { _ in
                let number = count.withLock { count in
                    defer { count += 1 }
                    return count
                }
                // A transport may set the info only after the body was read.
                var response = TransportResponse(status: 200, body: .stream(TransportBodyStream { nil }))
                response.info = infos[number]
                return response
            }
        )
        for _ in infos {
            let response = try await recorder.send(TransportRequest(method: .get, url: url))
            guard case .stream(let body) = response.body else { throw URLError(.badServerResponse) }
            for try await _ in body {}
        }
        let entries = recorder.har.entries
        #expect(entries.map(\.response.httpVersion) == ["HTTP/1.0", "HTTP/2", "unknown"])
        #expect(entries.map(\.request.httpVersion) == ["HTTP/1.0", "HTTP/2", "unknown"])
        #expect(entries.map(\.response.statusText) == ["Fine", "", ""])
        #expect(entries.map(\.serverIPAddress) == ["2001:db8::1", "2001:db8::1", nil])
    }

    @Test("a recorder records requests and responses with secrets masked")
    func entry() async throws {
        let recorder = HARRecorder(
            over: FakeTransport { request in
                request.onConnect?()
                return TransportResponse(
                    status: 201,
                    headers: [
                        .contentType: "application/json", .setCookie: "sid=secret; Path=/", .location: "/b?pin=4",
                    ],
                    body: .complete(Data(#"{"id":1,"access_token":"secret"}"#.utf8))
                )
            },
            options: HARRecordingOptions(secrets: HARSecrets(names: ["pin"]))
        )
        let before = Date()
        let request = TransportRequest(
            method: .post,
            url: url,
            headers: [.authorization: "Bearer secret", .contentType: "application/json", .cookie: "a=secret"],
            body: .data(Data(#"{"pin":12,"name":"Zoë"}"#.utf8))
        )
        let response = try await recorder.send(request)
        guard case .complete(let data) = response.body else { throw URLError(.badServerResponse) }
        #expect(String(decoding: data, as: UTF8.self).contains(#""access_token":"secret""#), "the caller gets it whole")

        let entry = try #require(recorder.har.entries.first)
        #expect(entry.request.method == "POST")
        #expect(entry.request.url == "http://127.0.0.1:1/a?x=1%202&pin=***")
        #expect(
            entry.request.queryString == [HAR.Field(name: "x", value: "1 2"), HAR.Field(name: "pin", value: "***")]
        )
        #expect(entry.request.headers.value(of: "authorization") == "Bearer ***")
        #expect(entry.request.cookies == [HAR.Cookie(name: "a", value: "***")])
        #expect(entry.request.postData?.text == #"{"pin":"***","name":"Zoë"}"#)
        #expect(entry.request.bodySize == 24)
        #expect(entry.response.status == 201)
        #expect(entry.response.headers.value(of: "set-cookie") == "sid=***; Path=/")
        #expect(entry.response.cookies.map(\.path) == ["/"])
        #expect(entry.response.headers.value(of: "location") == "/b?pin=***")
        #expect(entry.response.content.text == #"{"id":1,"access_token":"***"}"#)
        #expect(entry.response.content.mimeType == "application/json")
        #expect(entry.response.content.size == 32)
        #expect(entry.response.redirectURL == "")
        #expect(abs(entry.startedDateTime.timeIntervalSince(before)) < 60)
        let text = String(decoding: try recorder.har.data(), as: UTF8.self)
        #expect(!text.contains("secret") && !text.contains("word"))
    }

    @Test("a recorder records the transport's timings, and writes unknown timings as -1")
    func timings() async throws {
        let recorder = HARRecorder(
            over: FakeTransport { request in
                request.onConnect?()
                if let reader = try request.body?.open() { while try await reader.next() != nil {} }
                return TransportResponse(status: 200)
            }
        )
        _ = try await recorder.send(TransportRequest(method: .get, url: url, body: .sequence(Pieces(["a"]))))
        let silent = HARRecorder(over: FakeTransport.text("a"))
        _ = try await silent.send(TransportRequest(method: .get, url: url))
        let entry = try #require(recorder.har.entries.first)
        let timings = entry.timings
        #expect([timings.blocked, timings.send, timings.wait, timings.receive].allSatisfy { $0 >= 0 })
        #expect([timings.dns, timings.connect, timings.ssl] == [-1, -1, -1])
        #expect(entry.time == timings.total)
        #expect(silent.har.entries.first?.timings.blocked == -1)
    }

    @Test("a recorder stores a text body as text and binary data as base64, and truncates a long body with a note")
    func bodies() async throws {
        let binary = Data([0, 1, 0xFF])
        let recorder = HARRecorder(over: FakeTransport.pieces([binary]), options: HARRecordingOptions(bodyLimit: 4))
        _ = try await recorder.all(TransportRequest(method: .put, url: url, body: .data(binary)))
        // The limit of 4 bytes falls within the é.
        _ = try await recorder.all(TransportRequest(method: .put, url: url, body: .data(Data("abcéd".utf8))))
        let entries = recorder.har.entries
        #expect(entries[0].request.postData?.encoding == "base64")
        #expect(entries[0].request.postData?.data == binary)
        #expect(entries[0].response.content.data == binary)
        #expect(entries[0].response.content.keptSize == nil)
        #expect(entries[1].request.postData?.text == "abc")
        #expect(entries[1].request.postData?.keptSize == 3)
        #expect(entries[1].request.postData?.comment == "The body is cut: the first 3 of 6 bytes are here.")
        #expect(entries[1].request.bodySize == 6)
    }

    @Test("a recorded stream of a body reaches the caller unchanged, and is recorded up to the limit")
    func streams() async throws {
        let pieces = (0..<1_000).map { Data(repeating: UInt8($0 % 251), count: 1_000) }
        let recorder = HARRecorder(over: FakeTransport.pieces(pieces), options: HARRecordingOptions(bodyLimit: 2_500))
        let response = try await recorder.send(TransportRequest(method: .get, url: url))
        var count = 0
        for try await piece in TransportBodyStream(response.body) {
            #expect(piece == pieces[count])
            #expect(recorder.har.entries.isEmpty, "it is there at its end")
            count += 1
        }
        #expect(count == 1_000)
        let content = try #require(recorder.har.entries.first?.response.content)
        #expect(content.size == 1_000_000)
        #expect(content.keptSize == 2_500)
        #expect(content.data == Data(pieces.joined().prefix(2_500)))
    }

    @Test("a request body of any kind is recorded while it is sent, and progress is still reported")
    func requestBodies() async throws {
        let folder = try TemporaryFolder()
        try folder.write("from a file", to: "f")
        let bodies: [(HTTPBody, String)] = [
            (.file(folder.file("f")), "from a file"),
            (.sequence(Pieces(["a", "b"])), "ab"),
            (.stream(InputStream(data: Data("stream".utf8))), "stream"),
            (.data(Data()), ""),
        ]
        let recorder = HARRecorder(over: FakeTransport.text("ok"))
        for (body, text) in bodies {
            _ = try await recorder.send(TransportRequest(method: .post, url: url, body: body))
            #expect(recorder.har.entries.last?.request.postData?.text == text)
            #expect(recorder.har.entries.last?.request.bodySize == Int64(text.utf8.count))
        }
        let session = Session(transport: recorder)
        let seen = Locked<Int64>(0)
        _ = try await session.data(
            for: URLRequest(url: URL(string: "http://127.0.0.1:1/") ?? url),
            body: .file(folder.file("f")),
            uploadProgress: { progress in seen.withLock { $0 = progress.completedUnitCount } }
        )
        #expect(seen.withLock { $0 } == 11)
        #expect(recorder.har.entries.last?.request.postData?.text == "from a file")
    }

    @Test("a gzip request body is recorded decoded, and an invalid gzip body unchanged")
    func gzip() async throws {
        let recorder = HARRecorder(over: FakeTransport.text("ok"))
        let text = #"{"a":"\#(String(repeating: "b", count: 500))","password":"secret"}"#
        let headers: HTTPFields = [.contentType: "application/json", .contentEncoding: "gzip"]
        let body = HTTPBody.data(Data(text.utf8)).gzipped()
        _ = try await recorder.send(TransportRequest(method: .post, url: url, headers: headers, body: body))
        let broken = HTTPBody.data(Data("no gzip".utf8))
        _ = try await recorder.send(TransportRequest(method: .post, url: url, headers: headers, body: broken))
        let requests = recorder.har.entries.map(\.request)
        #expect(requests[0].postData?.text == text.replacingOccurrences(of: "secret", with: "***"))
        #expect(requests[0].bodySize < 200)
        #expect(requests[1].postData?.text == "no gzip")
    }

    @Test("a name in Content-Encoding that is not a coding does not affect the recorded size of a body")
    func noCoding() async throws {
        let transport = FakeTransport { _ in
            let headers: HTTPFields = [.contentEncoding: "none", .contentLength: "9"]
            return TransportResponse(status: 200, headers: headers, body: .complete(Data("ok".utf8)))
        }
        let recorder = HARRecorder(over: transport)
        _ = try await recorder.send(TransportRequest(method: .get, url: url))
        #expect(recorder.har.entries.first?.response.bodySize == 2)
    }

    @Test("a failed exchange is recorded with its URLError, and the error reaches the caller unchanged")
    func failures() async throws {
        let refused = HARRecorder(over: FakeTransport { _ in throw URLError(.cannotConnectToHost) })
        await #expect(throws: URLError(.cannotConnectToHost)) {
            _ = try await refused.send(TransportRequest(method: .get, url: url))
        }
        let response = try #require(refused.har.entries.first?.response)
        #expect(response.status == 0)
        #expect(response.errorCode == URLError.Code.cannotConnectToHost.rawValue)
        #expect(response.error?.isEmpty == false)

        let cut = HARRecorder(over: FakeTransport.pieces([Data("ab".utf8)], then: URLError(.networkConnectionLost)))
        await #expect(throws: URLError(.networkConnectionLost)) {
            _ = try await cut.all(TransportRequest(method: .get, url: url))
        }
        let half = try #require(cut.har.entries.first?.response)
        #expect(half.status == 200)
        #expect(half.content.text == "ab")
        #expect(half.errorCode == URLError.Code.networkConnectionLost.rawValue)
    }

    @Test("the received part of a body is recorded as cancelled if the reader stops early")
    func abandoned() async throws {
        let recorder = HARRecorder(over: FakeTransport.pieces([Data("a".utf8), Data("b".utf8)]))
        do {
            let response = try await recorder.send(TransportRequest(method: .get, url: url))
            for try await _ in TransportBodyStream(response.body) { break }
        }
        let entry = try #require(recorder.har.entries.first)
        #expect(entry.response.content.text == "a")
        #expect(entry.response.errorCode == URLError.Code.cancelled.rawValue)
    }

    @Test("each of many concurrent requests is recorded once")
    func concurrent() async throws {
        let recorder = HARRecorder(over: FakeTransport.text("ok"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                let url = URL(string: "http://127.0.0.1:1/\(number)") ?? url
                group.addTask { _ = try await recorder.send(TransportRequest(method: .get, url: url)) }
            }
            try await group.waitForAll()
        }
        let entries = recorder.har.entries
        #expect(Set(entries.map(\.request.url)).count == 200)
    }
}

extension HTTPTransport {
    /// Sends a request and reads the response's body to its end.
    func all(_ request: TransportRequest) async throws -> Data {
        var data = Data()
        for try await piece in TransportBodyStream(try await send(request).body) { data.append(piece) }
        return data
    }
}

/// A body in pieces that can be read once.
struct Pieces: AsyncSequence, Sendable {
    let texts: [String]

    init(_ texts: [String]) { self.texts = texts }

    struct AsyncIterator: AsyncIteratorProtocol {
        var texts: [String]

        mutating func next() async -> Data? { texts.isEmpty ? nil : Data(texts.removeFirst().utf8) }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(texts: texts) }
}
