import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("Events and lines are decoded while they arrive")
struct DecodedSequenceTests {
    private struct Delta: Codable, Equatable, Sendable { var text: String }

    private struct Target: TargetType {
        var baseURL: URL { URL(string: "http://h.test") ?? URL(fileURLWithPath: "/") }
        var path: String { "" }
        var method: Moya.Method { .post }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    /// Returns a provider whose responses have these pieces.
    private func provider(_ pieces: [String], type: String = "text/event-stream") -> MoyaProvider<Target> {
        let transport = FakeTransport { _ in
            TransportResponse(status: 200, headers: [.contentType: type], body: .complete(Data(pieces.joined().utf8)))
        }
        return MoyaProvider(session: Session(transport: transport))
    }

    @Test("the data of events is decoded, up to the event that ends them")
    func events() async throws {
        let provider = provider([
            "data: {\"text\":\"a\"}\n\n", "id: 1\ndata: {\"text\":\"b\"}\n\ndata: end\n\ndata: {\"text\":\"c\"}\n\n",
        ])
        var texts: [String] = []
        for try await delta in provider.events(Target()).decoded(as: Delta.self, until: "end") {
            texts.append(delta.text)
        }
        #expect(texts == ["a", "b"])
    }

    @Test("texts and optional values need no JSON")
    func texts() async throws {
        let provider = provider(["data: a\n\ndata: [b\n\n"])
        var texts: [String] = []
        for try await text in provider.events(Target()).decoded(as: String.self) { texts.append(text) }
        #expect(texts == ["a", "[b"])
        let numbers = try await self.provider(["data: 1\n\ndata: null\n\n"]).events(Target()).decoded(as: Int?.self)
            .reduce(into: [Int?]()) { $0.append($1) }
        #expect(numbers == [1, nil])
    }

    @Test(
        "lines are decoded; those without a value are skipped, whatever their ends",
        arguments: ["\n", "\r\n", "\r"]
    )
    func lines(end: String) async throws {
        let body = ["[1]", "", " \t", "\u{1E}[2]", "\u{1E}", "[3]"].joined(separator: end)
        let response = try await provider([body], type: "application/json-seq").stream(Target())
        var numbers: [Int] = []
        for try await row in response.lines.decoded(as: [Int].self) { numbers += row }
        #expect(numbers == [1, 2, 3])
    }

    @Test("a line that is too long, and one that does not decode, end the loop with an error")
    func errors() async throws {
        let long = try await provider(["[1]\n[\(String(repeating: "1,", count: 100))1]\n"], type: "a/b").stream(
            Target()
        )
        var numbers = long.lines(maximumLength: 20).decoded(as: [Int].self).makeAsyncIterator()
        #expect(try await numbers.next() == [1])
        let error = await #expect(throws: MoyaError.self) { try await numbers.next() }
        guard case .underlying(StreamLimitError.lineTooLong(limit: 20), _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await numbers.next() == nil)
        let response = try await provider(["[\"x\"]\n[1]\n"], type: "a/b").stream(Target())
        var rows = response.lines.decoded(as: [Int].self).makeAsyncIterator()
        let failure = await #expect(throws: MoyaError.self) { try await rows.next() }
        guard case .objectMapping(is DecodingError, let part)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(part.data == Data("[\"x\"]".utf8) && part.headers["Content-Type"] == "a/b")
        #expect(try await rows.next() == nil)
    }

    @Test("given values are returned in each loop")
    func givenValues() async throws {
        let events = DecodedEvents([1, 2])
        let lines = DecodedLines([3])
        for _ in 1...2 {
            #expect(try await events.reduce(0, +) == 3)
            #expect(try await lines.reduce(0, +) == 3)
        }
    }
}
