import Foundation
import TestSupport
import Testing

@testable import MoyaTesting

@Suite("A HAR transport records and replays", .timeLimit(.minutes(5)))
struct HARTransportTests {
    private let folder: TemporaryFolder
    private let file: URL
    private let sent = Locked(0)

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("a.har")
    }

    private func transport(_ mode: HARMode?, _ response: String = "live") throws -> HARTransport {
        try HARTransport(file: file, mode: mode) { [sent] in
            FakeTransport { request in
                sent.withLock { $0 += 1 }
                return try await FakeTransport.text(response).send(request)
            }
        }
    }

    @Test("a HAR transport records, and then replays without sending")
    func recordAndReplay() async throws {
        let recording = try transport(.record)
        #expect(try await recording.ask("http://h/a").text == "live")
        #expect(throws: HARError(.missing, file: file)) { try transport(.replay) }
        try recording.finish()
        let replaying = try transport(.replay, "other")
        #expect(replaying.unusedEntries.count == 1)
        #expect(throws: UnusedEntriesError.self) { try replaying.finish() }
        try replaying.finish(allowsUnused: true)
        #expect(try await replaying.ask("http://h/a").text == "live")
        try replaying.finish()
        #expect(sent.withLock { $0 } == 1)
        await #expect(throws: HARMismatch.self) { try await replaying.ask("http://h/b") }
    }

    @Test("a HAR transport replaces the file only when a new recording is finished")
    func recordAnew() async throws {
        try HAR.texts(["http://h/old": "old"]).write(to: file)
        let recording = try transport(.record)
        _ = try await recording.ask("http://h/a")
        #expect(try HAR(contentsOf: file).entries.map(\.request.url) == ["http://h/old"])
        try recording.finish()
        #expect(try HAR(contentsOf: file).entries.map(\.request.url) == ["http://h/a"])
        _ = try await recording.ask("http://h/b")
        try recording.finish()
        #expect(try HAR(contentsOf: file).entries.map(\.request.url) == ["http://h/a", "http://h/b"])
        #expect(try HAR(contentsOf: file) == recording.har)
    }

    @Test("a HAR transport prints a warning if it is released without finish(), and does not change the file")
    func unfinished() async throws {
        try HAR.texts(["http://h/old": "old"]).write(to: file)
        let warnings = Locked<[String]>([])
        func record(_ mode: HARMode, _ urls: [String], finishes: Bool, then later: [String] = []) async throws {
            let transport = try transport(mode)
            transport.warn.withLock { $0 = { text in warnings.withLock { $0.append(text) } } }
            for url in urls { _ = try await transport.ask(url) }
            if finishes { try transport.finish() }
            for url in later { _ = try await transport.ask(url) }
        }
        try await record(.record, ["http://h/a"], finishes: false)
        #expect(try HAR(contentsOf: file).entries.map(\.request.url) == ["http://h/old"])
        try await record(.recordMissing, ["http://h/a", "http://h/b", "http://h/old"], finishes: false)
        try await record(.replay, ["http://h/old"], finishes: false)
        try await record(.passthrough, ["http://h/a"], finishes: false)
        try await record(.record, [], finishes: false)
        try await record(.record, ["http://h/a"], finishes: true)
        try await record(.record, ["http://h/a"], finishes: true, then: ["http://h/b"])
        let counts = ["1 recorded request was", "2 recorded requests were", "1 recorded request was"]
        let expected = counts.map { count in
            "MoyaTesting: \(count) not written to \"\(file.path)\": call finish() at the end of the test."
        }
        #expect(warnings.withLock { $0 } == expected)
    }

    @Test("a HAR transport records missing entries and keeps existing entries")
    func recordMissing() async throws {
        let first = try transport(.recordMissing)
        #expect(try await first.ask("http://h/a").text == "live")
        try first.finish()
        let second = try transport(.recordMissing, "second")
        #expect(try await second.ask("http://h/a").text == "live")
        let modified = try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? Int
        try second.finish()
        #expect(
            try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? Int == modified,
            "the file is left alone"
        )
        #expect(try await second.ask("http://h/b", method: .post, body: .data(Data("x".utf8))).text == "second")
        try second.finish()
        let har = try HAR(contentsOf: file)
        #expect(har.entries.map(\.request.url) == ["http://h/a", "http://h/b"])
        #expect(har.entries[1].request.postData?.text == "x")
        #expect(sent.withLock { $0 } == 2)
    }

    @Test("a HAR transport sends a request whose body can be read only once")
    func onceOnly() async throws {
        let stream = HTTPBody.stream(InputStream(data: Data("once".utf8)))
        let transport = try transport(.recordMissing)
        _ = try await transport.ask("http://h/a", method: .post, body: stream)
        #expect(transport.har.entries.first?.request.postData?.text == "once")
    }

    @Test("a HAR transport can pass requests through without using the file")
    func passthrough() async throws {
        let transport = try transport(.passthrough)
        #expect(try await transport.ask("http://h/a").text == "live")
        try transport.finish()
        #expect(try folder.names == [])
        #expect(transport.har.entries.isEmpty)
    }

    @Test(
        "a HAR transport reads its mode from the environment",
        arguments: [
            ([:], HARMode.replay), (["MOYA_HAR": ""], .replay), (["MOYA_HAR": "record"], .record),
            (["MOYA_HAR": "RECORDMISSING"], .recordMissing), (["MOYA_HAR": "passthrough"], .passthrough),
            (["MOYA_HAR": "replay"], .replay),
        ]
    )
    func environment(_ environment: [String: String], _ mode: HARMode) throws {
        #expect(try HARMode(environment: environment) == mode)
    }

    @Test("a HAR transport throws an error for an unknown mode in the environment")
    func wrongMode() {
        let error = #expect(throws: HARModeError(value: "yes")) { try HARMode(environment: ["MOYA_HAR": "yes"]) }
        #expect(
            error?.localizedDescription
                == "MOYA_HAR is \"yes\", which is not a mode: set it to one of record, replay, recordMissing, passthrough."
        )
    }

    @Test("a HAR transport matches a masked value in the file with any value of a request")
    func masked() async throws {
        let headers: HTTPFields = [.authorization: "Bearer secret", .contentType: "application/json"]
        let body = HTTPBody.data(Data(#"{"password":"secret","a":1}"#.utf8))
        let recording = try transport(.record)
        _ = try await recording.ask("http://h/a?api_key=secret", method: .post, headers: headers, body: body)
        try recording.finish()
        #expect(try !folder.text("a.har").contains("secret"))
        let replaying = try HARTransport(file: file, mode: .replay, matching: HARMatching(headers: ["authorization"]))
        let other: HTTPFields = [.authorization: "Bearer another", .contentType: "application/json"]
        let response = try await replaying.ask("http://h/a?api_key=x", method: .post, headers: other, body: body)
        #expect(response.text == "live")
    }
}
