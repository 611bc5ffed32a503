#if Macros
import MoyaMacros
import MoyaTesting
import TestServers
import Testing

struct Delta: Codable, Equatable, Sendable { var text: String }

@API("https://streams.example") @ErrorBody(Trouble.self)
protocol Streams: Sendable {
    @POST("/chat") @Stream(until: "[DONE]") func chat(prompt: String) async throws -> DecodedEvents<Delta>
    @GET("/news") @Stream @JSON(decoder: StreamCoders.snakeCase) func news() async throws -> DecodedEvents<SnakeDelta>
    @GET("/rows") @Stream func rows() async throws -> DecodedLines<Delta>
}

struct SnakeDelta: Codable, Equatable, Sendable { var newText: String }

enum StreamCoders {
    static let snakeCase: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }()
}

@Suite("A method with @Stream returns decoded values while they arrive", .timeLimit(.minutes(5)))
struct DecodedStreamTests {
    private func client(_ url: URL) -> StreamsClient {
        StreamsClient(baseURL: url.deletingLastPathComponent(), session: Session(configuration: .withDefaultHeaders))
    }

    /// Reads values in a task; the returned sequence gets each of them, and ends with the values or their error.
    private func read<Value>(_ values: DecodedEvents<Value>) -> (AsyncStream<Value>, Task<Void, any Error>) {
        let (seen, add) = AsyncStream<Value>.makeStream()
        let reader = Task {
            defer { add.finish() }
            for try await value in values { add.yield(value) }
        }
        return (seen, reader)
    }

    @Test("the events of a POST are values, one by one, until the event that ends them, which closes the connection")
    func events() async throws {
        let server = try await EventServer()
        let client = client(server.url())
        let (deltas, reader) = read(try await client.chat(prompt: "p"))
        var iterator = deltas.makeAsyncIterator()
        let request = await server.request()
        #expect(request?.method == "POST" && request?.path == "/chat")
        await server.send(": ping\n\ndata: {\"text\":\"a\"}\n\n")
        #expect(await iterator.next() == Delta(text: "a"))
        await server.send("event: more\ndata: {\"text\":\ndata: \"b\"}\n\n")
        #expect(await iterator.next() == Delta(text: "b"))
        await server.send("data: [DONE]\n\n")
        #expect(await iterator.next() == nil)
        #expect(await server.waitForClose())
        try await reader.value
        await client.provider.session.transport.shutdown()
        await server.shutDown()
    }

    @Test("the events of a GET go on after a lost connection, and have the method's decoder")
    func reconnection() async throws {
        let server = try await EventServer()
        let client = client(server.url())
        let (values, reader) = read(try await client.news())
        var iterator = values.makeAsyncIterator()
        _ = await server.request()
        await server.send("id: 1\nretry: 1\ndata: {\"new_text\":\"a\"}\n\n")
        #expect(await iterator.next() == SnakeDelta(newText: "a"))
        await server.breakOff()
        #expect(await server.request()?["last-event-id"] == "1")
        await server.send("data: {\"new_text\":\"b\"}\n\n")
        #expect(await iterator.next() == SnakeDelta(newText: "b"))
        reader.cancel()
        #expect(await server.waitForClose())
        await #expect(throws: MoyaError.self) { try await reader.value }
        await client.provider.session.transport.shutdown()
        await server.shutDown()
    }

    @Test("the lines of a body are values, one by one; empty lines and record separators are skipped")
    func lines() async throws {
        let server = try await EventServer(contentType: "application/x-ndjson")
        let client = client(server.url())
        let rows = try await client.rows()
        _ = await server.request()
        var iterator = rows.makeAsyncIterator()
        await server.send("{\"text\":\"a\"}\n\n \r\n\u{1E}{\"text\"")
        #expect(try await iterator.next() == Delta(text: "a"))
        await server.send(":\"b\"}\n\u{1E}\n{\"text\":\"c\"}")
        #expect(try await iterator.next() == Delta(text: "b"))
        await server.end()
        #expect(try await iterator.next() == Delta(text: "c"))
        #expect(try await iterator.next() == nil)
        await client.provider.session.transport.shutdown()
        await server.shutDown()
    }

    @Test("a value that does not decode is an error with its text, and ends the values")
    func decodingErrors() async throws {
        let transport = ScriptedTransport()
            .on(.get, "/rows", .text("{\"text\":\"a\"}\n{\"text\":5}\n{\"text\":\"c\"}\n"))
            .on(.post, "/chat", .text("data: {\"text\":5}\n\ndata: {\"text\":\"c\"}\n\n", type: "text/event-stream"))
        let client = StreamsClient(session: Session(transport: transport))
        var rows = try await client.rows().makeAsyncIterator()
        #expect(try await rows.next() == Delta(text: "a"))
        let error = await #expect(throws: MoyaError.self) { try await rows.next() }
        guard case .objectMapping(_, let response)? = error else { throw error ?? .underlying(CancellationError()) }
        #expect(response.data == Data("{\"text\":5}".utf8) && response.statusCode == 200)
        #expect(try await rows.next() == nil)
        var events = try await client.chat(prompt: "p").makeAsyncIterator()
        let failure = await #expect(throws: MoyaError.self) { try await events.next() }
        guard case .objectMapping(_, let event)? = failure else { throw failure ?? .underlying(CancellationError()) }
        #expect(event.data == Data("{\"text\":5}".utf8) && event.headers["Content-Type"] == "text/event-stream")
        #expect(try await events.next() == nil)
    }

    @Test("the error body of a refused request is thrown by the loop over events, and by the call that returns lines")
    func errorBodies() async throws {
        let transport = ScriptedTransport()
            .on(.post, "/chat", .json(["title": "too long"], status: 400))
            .on(.get, "/rows", .json(["title": "gone"], status: 410))
        let client = StreamsClient(session: Session(transport: transport))
        let deltas = try await client.chat(prompt: "p")
        let error = await #expect(throws: MoyaError.self) { for try await _ in deltas {} }
        guard case .underlying(let trouble as Trouble, _)? = error else {
            throw error ?? .underlying(CancellationError())
        }
        #expect(trouble.title == "too long")
        let failure = await #expect(throws: MoyaError.self) { try await client.rows() }
        guard case .underlying(let gone as Trouble, _)? = failure else {
            throw failure ?? .underlying(CancellationError())
        }
        #expect(gone.title == "gone")
    }

    @Test("the error of another content type is unchanged")
    func contentType() async throws {
        let transport = ScriptedTransport().on(.post, "/chat", .json(["text": "a"]))
        let deltas = try await StreamsClient(session: Session(transport: transport)).chat(prompt: "p")
        let error = await #expect(throws: MoyaError.self) { for try await _ in deltas {} }
        guard case .underlying(EventStreamError.unexpectedContentType, _)? = error else {
            throw error ?? .underlying(CancellationError())
        }
    }

    @Test("a mock returns given values, in each loop")
    func mock() async throws {
        let mock = StreamsMock { handlers in
            handlers.chat = { DecodedEvents([Delta(text: $0), Delta(text: "b")]) }
            handlers.rows = { DecodedLines([Delta(text: "c")]) }
        }
        let deltas = try await mock.chat(prompt: "a")
        for _ in 1...2 {
            var texts: [String] = []
            for try await delta in deltas { texts.append(delta.text) }
            #expect(texts == ["a", "b"])
        }
        var rows: [Delta] = []
        for try await row in try await mock.rows() { rows.append(row) }
        #expect(rows == [Delta(text: "c")])
    }
}
#endif
