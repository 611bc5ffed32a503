import Foundation
import Moya
import MoyaHTTP
import TestServers
import TestSupport
import Testing

@Suite("A streamed response is read while it arrives")
struct StreamTests {
    typealias Provider = MoyaProvider<TaskTarget>

    private static let target = TaskTarget(method: .get, task: .requestPlain)

    @Test("a streamed response has its head immediately and its body in the received chunks")
    func chunks() async throws {
        let response = try await Provider.answering(["ab", "c", "def"]).stream(Self.target)
        #expect(response.statusCode == 200)
        #expect(response.headers["x-answer"] == "a")
        #expect(response.response.data.isEmpty)
        #expect(response.response.response?.value(forHTTPHeaderField: "X-Answer") == "a")
        #expect(response.response.request?.url == Self.target.baseURL)
        #expect(try await response.body.all() == [Data("ab".utf8), Data("c".utf8), Data("def".utf8)])
    }

    @Test("a chunk of a stream is requested only when the reader reads, so that a slow reader slows the server")
    func demand() async throws {
        let watch = BodySource.Watch()
        let response = try await Provider.answering(["1", "2", "3"], watch: watch).stream(Self.target)
        #expect(watch.pulls.values.isEmpty)
        var chunks = response.body.makeAsyncIterator()
        for count in 1...3 {
            #expect(try await chunks.next() == Data("\(count)".utf8))
            #expect(watch.pulls.values.count == count)
        }
        #expect(try await chunks.next() == nil)
    }

    @Test("the body of a stream is split into lines at every kind of line end, even between chunks")
    func lines() async throws {
        let chunks = ["o", "ne\r", "\ntwo\n", "\nth", "ree\rfo", "ur"]
        let response = try await Provider.answering(chunks).stream(Self.target)
        #expect(try await response.lines.all() == ["one", "two", "", "three", "four"])
    }

    @Test("the body of a stream is parsed into events, and a partial event at its end is dropped")
    func events() async throws {
        let chunks = ["\u{FEFF}: hello\nda", "ta: a\ndata: b\nid: 7\n\nevent: x\r\n", "data:c\r\n\r\ndata: cut off"]
        let response = try await Provider.answering(chunks).stream(Self.target)
        #expect(
            try await response.events.all() == [
                ServerSentEvent(id: "7", event: "message", data: "a\nb"),
                ServerSentEvent(id: "7", event: "x", data: "c"),
            ]
        )
    }

    @Test("loops over a stream throw typed errors, which throws(MoyaError) can declare")
    func typedThrows() async throws {
        func firsts(_ provider: Provider) async throws(MoyaError) -> [String] {
            var firsts: [String] = []
            for try await chunk in try await provider.stream(Self.target).body {
                firsts.append("\(chunk.count)")
                break
            }
            for try await line in try await provider.stream(Self.target).lines {
                firsts.append(line)
                break
            }
            for try await event in try await provider.stream(Self.target).events {
                firsts.append(event.data)
                break
            }
            for try await event in provider.events(Self.target) {
                firsts.append(event.data)
                break
            }
            for try await progress in provider.requestWithProgress(Self.target) {
                firsts.append("\(progress.completed)")
                break
            }
            return firsts
        }
        let provider = Provider(
            session: Session(
                FakeTransport { _ in
                    TransportResponse(
                        status: 200,
                        headers: .counted(9, ["Content-Type": "text/event-stream"]),
                        body: BodySource.body(["data: a\n\n"])
                    )
                }
            )
        )
        #expect(try await firsts(provider).prefix(4) == ["9", "data: a", "a", "a"])
    }

    @Test("a line or an event of a stream beyond the limit fails with StreamLimitError and closes the exchange")
    func limits() async throws {
        let long = String(repeating: "x", count: 100)
        func limit(_ read: (StreamingResponse) async throws -> Void) async throws -> StreamLimitError? {
            let watch = BodySource.Watch()
            let provider = Provider.answering(["short\n\ndata: \(long)", long, "\n\n"], then: .never, watch: watch)
            let error = await #expect(throws: MoyaError.self) { try await read(try await provider.stream(Self.target)) }
            await watch.closed.wait()
            guard case .underlying(let cause, let response?) = error else { return nil }
            #expect(response.statusCode == 200)
            return cause as? StreamLimitError
        }
        let line = try await limit { _ = try await $0.lines(maximumLength: 50).all() }
        #expect(line == .lineTooLong(limit: 50))
        let eventLine = try await limit { _ = try await $0.events(maximumSize: 50).all() }
        #expect(eventLine == .lineTooLong(limit: 50))
        let data = Array(repeating: "data: 0123456789\n", count: 10).joined()
        let many = try await Provider.answering([data, "\n"]).stream(Self.target)
        let error = await #expect(throws: MoyaError.self) { try await many.events(maximumSize: 50).all() }
        guard case .underlying(StreamLimitError.eventTooLarge(limit: 50), _?) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a line of a stream is limited to one MiB by default")
    func defaultLimits() async throws {
        let mebibyte = String(repeating: "x", count: 1 << 20)
        let most = try await Provider.answering([mebibyte]).stream(Self.target)
        #expect(try await most.lines.all() == [mebibyte])
        let more = try await Provider.answering([mebibyte, "x"]).stream(Self.target)
        let error = await #expect(throws: MoyaError.self) { try await more.lines.all() }
        guard case .underlying(StreamLimitError.lineTooLong(limit: 1_048_576), _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a streamed response can be read over a network", arguments: TransportKind.allCases)
    func network(kind: TransportKind) async throws {
        try await PlainServer.run { server in
            let transport = kind.make()
            let provider = Provider(session: Session(transport: transport))
            var target = Self.target
            target.baseURL = server.url("/chunks/500")
            let response = try await provider.stream(target)
            #expect(response.statusCode == 200)
            let length = try await response.body.reduce(0) { $0 + $1.count }
            #expect(length == 500_000)
            // A request whose loop is left early does not delay the next one.
            for try await chunk in try await provider.stream(target).body {
                #expect(!chunk.isEmpty)
                break
            }
            target.baseURL = server.url("/json")
            let lines = try await provider.stream(target).lines.all()
            #expect(lines == [#"{"message":"hello","numbers":[1,2,3]}"#])
            await transport.shutdown()
        }
    }

    @Test("the response to an upload can be streamed", arguments: TransportKind.allCases)
    func upload(kind: TransportKind) async throws {
        let server = try await EchoServer(kind)
        let folder = try TemporaryFolder()
        let file = try folder.write("content", to: "file.txt")
        let target = try server.target(.uploadFile(file))
        let body = try await server.provider.stream(target).body.reduce(into: Data()) { $0 += $1 }
        #expect(SentRequest(bytes: body).body == Data("content".utf8))
        let part = MultipartFormData(provider: .data(Data("v".utf8)), name: "n")
        let form = try server.target(.uploadMultipart([part], boundary: "B"))
        let sent = SentRequest(bytes: try await server.provider.stream(form).body.reduce(into: Data()) { $0 += $1 })
        #expect(sent.boundary == "B")
        try await server.shutDown()
    }
}
