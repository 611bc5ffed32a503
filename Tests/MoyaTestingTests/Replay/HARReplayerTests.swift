import Foundation
import TestSupport
import Testing

@testable import MoyaTesting

@Suite("A replayer returns recorded responses", .timeLimit(.minutes(5)))
struct HARReplayerTests {
    @Test("a replayer returns the recorded response with its headers")
    func answers() async throws {
        var har = HAR.texts(["http://h/a": "hello"])
        har.entries[0].response.status = 404
        har.entries[0].response.headers += [
            HAR.Field(name: ":status", value: "404"), HAR.Field(name: "Set-Cookie", value: "a=***\nb=***; Path=/"),
            HAR.Field(name: "not a name", value: "x"), HAR.Field(name: "Content-Length", value: "77"),
        ]
        let url = try #require(URL(string: "http://h/a"))
        let response = try await HARReplayer(har).send(TransportRequest(method: .get, url: url))
        #expect(response.status == 404)
        #expect(response.headers[values: .setCookie] == ["a=***", "b=***; Path=/"])
        #expect(response.headers.count == 4)
        #expect(response.headers[.contentLength] == "5", "a mask may have changed the length")
        guard case .complete(let data) = response.body else { throw URLError(.badServerResponse) }
        #expect(data == Data("hello".utf8))
    }

    @Test("a replayer keeps the declared length if the body was encoded or is missing")
    func lengths() async throws {
        for (method, status, coding) in [("GET", 200, "gzip"), ("HEAD", 200, "identity"), ("GET", 304, "identity")] {
            var har = HAR.texts(["http://h/a": ""])
            har.entries[0].request.method = method
            har.entries[0].response.status = status
            har.entries[0].response.headers = [
                HAR.Field(name: "Content-Length", value: "77"), HAR.Field(name: "Content-Encoding", value: coding),
            ]
            let url = try #require(URL(string: "http://h/a"))
            let request = TransportRequest(method: HTTPMethod(rawValue: method), url: url)
            #expect(try await HARReplayer(har).send(request).headers[.contentLength] == "77")
        }
    }

    @Test("a replayer returns a body beyond the request's buffer limit as a stream")
    func stream() async throws {
        let text = String(repeating: "0123456789", count: 20_000)
        let replayer = HARReplayer(HAR.texts(["http://h/a": text, "http://h/b": "b"]))
        #expect(try await replayer.ask("http://h/a").text == text)
        let url = try #require(URL(string: "http://h/b"))
        let response = try await replayer.send(TransportRequest(method: .get, url: url, responseBufferLimit: 0))
        guard case .stream = response.body else { throw URLError(.badServerResponse) }
    }

    @Test("a replayer throws an error with the nearest entry and the difference for an unrecorded request")
    func mismatch() async throws {
        let replayer = HARReplayer(HAR.texts(["http://h/a?page=1": "a", "http://h/b": "b"]))
        let error = await #expect(throws: HARMismatch.self) { try await replayer.ask("http://h/a?page=2") }
        #expect(error?.nearestIndex == 0)
        #expect(error?.differences == [.query(name: "page", recorded: ["1"], actual: ["2"])])
        #expect(
            error?.localizedDescription == """
                No recorded entry matches GET http://h/a?page=2. The nearest is entry 0, GET http://h/a?page=1, which differs:
                - query "page": recorded "1", requested "2"
                """
        )
        #expect(replayer.unusedEntries.count == 2)
        #expect(try await replayer.ask("http://h/b").text == "b")
        #expect(replayer.unusedEntries.map(\.request.url) == ["http://h/a?page=1"])
    }

    @Test("a replayer passes its error to an application as MoyaError.underlying")
    func mismatchInMoya() async throws {
        let session = Session(transport: HARReplayer(HAR.texts(["https://api.example.com/other": "a"])))
        let provider = MoyaProvider<Thing>(session: session)
        let error = await #expect(throws: MoyaError.self) { try await provider.request(.thing) }
        guard case .underlying(let cause as HARMismatch, nil) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.differences == [.path(recorded: "/other", actual: "/thing")])
    }

    @Test("a replayer throws the recorded URLError, after the received part of the body")
    func failures() async throws {
        var har = HAR.texts([
            "http://h/refused": "", "http://h/cut": "half", "http://h/foreign": "", "http://h/odd": "x",
        ])
        har.entries[0].response.status = 0
        har.entries[0].response.errorCode = URLError.Code.cannotConnectToHost.rawValue
        har.entries[1].response.errorCode = URLError.Code.networkConnectionLost.rawValue
        har.entries[2].response.status = 0
        har.entries[2].response.error = "net::ERR_NAME_NOT_RESOLVED"
        har.entries[3].response.status = 99_999
        let replayer = HARReplayer(har)
        #expect(await code { _ = try await replayer.ask("http://h/refused") } == .cannotConnectToHost)
        #expect(await code { _ = try await replayer.ask("http://h/foreign") } == .cannotFindHost)
        #expect(await code { _ = try await replayer.ask("http://h/odd") } == .networkConnectionLost)
        let url = try #require(URL(string: "http://h/cut"))
        let response = try await replayer.send(TransportRequest(method: .get, url: url))
        var pieces: [Data] = []
        do {
            for try await piece in TransportBodyStream(response.body) { pieces.append(piece) }
            Issue.record("The body has an end.")
        } catch let error as URLError {
            #expect(error.code == .networkConnectionLost)
        }
        #expect(pieces == [Data("half".utf8)])
    }

    @Test("a replayer waits for cancellation or the timeout if the recorded exchange was cancelled")
    func cancelled() async throws {
        var har = HAR.texts(["http://h/slow": "", "http://h/slow?2": ""])
        for index in har.entries.indices {
            har.entries[index].response.status = 0
            har.entries[index].response.errorCode = URLError.Code.cancelled.rawValue
        }
        let replayer = HARReplayer(har)
        let task = Task { try await replayer.ask("http://h/slow") }
        while replayer.unusedEntries.count == 2 { await Task.yield() }
        task.cancel()
        #expect(await code { _ = try await task.value } == .cancelled)
        let url = try #require(URL(string: "http://h/slow?2"))
        let hasty = TransportRequest(method: .get, url: url, idleTimeout: .milliseconds(1))
        #expect(await code { _ = try await replayer.send(hasty) } == .timedOut)
    }

    @Test("a replayer uses no entry for a task that is already cancelled")
    func cancelledBefore() async throws {
        let replayer = HARReplayer(HAR.texts(["http://h/a": "a"]))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await replayer.ask("http://h/a").text
        }
        task.cancel()
        #expect(await code { _ = try await task.value } == .cancelled)
        #expect(replayer.unusedEntries.count == 1)
    }

    @Test("a replayer throws an error with the reason if the recorded body is missing or incomplete")
    func missingBodies() async throws {
        var har = HAR.texts(["http://h/a?password=secret": "", "http://h/b": "kept"])
        har.entries[0].response.content = HAR.Content(size: 7)
        har.entries[1].response.content.size = 9
        har.entries[1].response.content.keptSize = 4
        let replayer = HARReplayer(har)
        let missing = await #expect(throws: HARReplayError.self) {
            try await replayer.ask("http://h/a?password=secret")
        }
        #expect(missing?.reason == .bodyIsMissing)
        #expect(missing?.index == 0)
        #expect(missing?.localizedDescription.contains("http://h/a?password=***") == true)
        let cut = await #expect(throws: HARReplayError.self) { try await replayer.ask("http://h/b") }
        #expect(cut?.reason == .bodyIsCut(kept: 4, size: 9))
        #expect(cut?.localizedDescription.contains("4 of 9 bytes") == true)
    }

    @Test("a replayer reads the request's body as a transport does and compares it")
    func requestBody() async throws {
        var har = HAR.texts(["http://h/a": "yes"])
        har.entries[0].request.method = "POST"
        har.entries[0].request.postData = HAR.PostData(mimeType: "text/plain", text: "sent")
        let folder = try TemporaryFolder()
        try folder.write("sent", to: "f")
        try folder.write("Sent", to: "g")
        let missing = folder.file("none")
        let replayer = HARReplayer(har)
        await #expect(throws: RequestBodyError(.missing, file: missing)) {
            try await replayer.ask("http://h/a", method: .post, body: .file(missing))
        }
        let error = await #expect(throws: HARMismatch.self) {
            try await replayer.ask("http://h/a", method: .post, body: .file(folder.file("g")))
        }
        #expect(error?.differences == [.bytes(offset: 0)])
        #expect(try await replayer.ask("http://h/a", method: .post, body: .file(folder.file("f"))).text == "yes")
    }

    @Test("a replayer uses one entry for each concurrent request")
    func concurrent() async throws {
        let template = HAR.texts(["http://h/a": ""]).entries[0]
        var entries: [HAR.Entry] = []
        for number in 0..<100 {
            var entry = template
            entry.response.content = HAR.Content(size: 3, mimeType: "text/plain", text: "\(100 + number)")
            entries.append(entry)
        }
        let replayer = HARReplayer(HAR(entries: entries))
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await replayer.ask("http://h/a").text } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(answers.count == 100)
        #expect(replayer.unusedEntries.isEmpty)
    }
}

/// The code of the thrown URLError.
private func code(of work: () async throws -> Void) async -> URLError.Code? {
    do {
        try await work()
        return nil
    } catch {
        return (error as? URLError)?.code
    }
}

/// A target with one case.
enum Thing: TargetType {
    case thing

    var baseURL: URL { URL(string: "https://api.example.com") ?? URL(fileURLWithPath: "/") }
    var path: String { "/thing" }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
}
