import Foundation
import MoyaHTTP
import TestSupport
import Testing

@Suite("A stream can be the body of a request", .timeLimit(.minutes(5)))
struct StreamBodyTests {
    @Test(
        "available bytes of a body's stream are returned without waiting for more, and the stream is closed at the end"
    )
    func trickle() async throws {
        let chunks = [Data("a".utf8), Data("bc".utf8), Data("d".utf8)]
        let stream = StubStream(chunks: chunks)
        let reader = try HTTPBody.stream(stream).open()
        #expect(stream.closed.value == nil)
        let read = await reader.rest()
        #expect(read.error == nil)
        #expect(read.pieces == chunks)
        await stream.closed.wait()
    }

    @Test(
        "a body's stream that ends early or continues is detected before its last piece is returned",
        arguments: [true, false]
    )
    func wrongLength(isSynchronous: Bool) async throws {
        let chunks = [Data("abc".utf8), Data("def".utf8)]
        let rows: [(Int64, RequestBodyError.Reason, pieces: [Data])] = [
            (7, .tooShort(declared: 7, found: 6), chunks),
            (5, .tooLong(declared: 5), [chunks[0]]),
            (3, .tooLong(declared: 3), []),
            (1, .tooLong(declared: 1), []),
            (0, .tooLong(declared: 0), []),
        ]
        for (length, reason, pieces) in rows {
            let stream = StubStream(chunks: chunks)
            let body = HTTPBody.stream(stream, length: length)
            let reader = try HTTPBody(segments: body.segments.map { $0.named("s") }).open()
            #expect(reader.length == length)
            let read = isSynchronous ? reader.synchronousRest() : await reader.rest()
            #expect(read.error == RequestBodyError(reason, part: "s"))
            #expect(read.pieces == pieces)
            await stream.closed.wait()
        }
    }

    @Test("a body's stream that fails reports its error", arguments: [nil, 3, 4] as [Int64?])
    func failing(length: Int64?) async throws {
        let cause = NSError(domain: "test", code: 7)
        let read = try await HTTPBody.stream(
            StubStream(chunks: [Data("abc".utf8)], end: -1, failure: cause),
            length: length
        ).open().rest()
        #expect(read.error == RequestBodyError(.failed, underlyingError: cause))
        // With the correct declared length, the failure occurs when the end is checked.
        #expect(read.pieces == (length == 3 ? [] : [Data("abc".utf8)]))
    }

    @Test("a body's stream that fails without an error, or reports more bytes than requested, fails the body")
    func failingWithoutError() async throws {
        for stream in [StubStream(chunks: [], end: -1), StubStream { _, length in length + 1 }] {
            let read = try await HTTPBody.stream(stream).open().rest()
            #expect(read.error == RequestBodyError(.failed))
            #expect(read.pieces.isEmpty)
        }
    }

    @Test("a body with Foundation's stream fails with the system's error")
    func foundationStream() async throws {
        let folder = try TemporaryFolder()
        let absent = try #require(InputStream(url: folder.url.appendingPathComponent("absent")))
        let read = try await HTTPBody.stream(absent).open().rest()
        #expect(read.error?.reason == .failed)
        #expect((read.error?.underlyingError as NSError?)?.code == Int(ENOENT))
        let file = try TemporaryFile(.pattern(300_000))
        let stream = try #require(InputStream(url: file.url))
        #expect(try await HTTPBody.stream(stream, length: 300_000).open().rest().bytes == .pattern(300_000))
    }

    @Test("the stream of a body can be opened once, also concurrently")
    func once() async throws {
        let stream = InputStream(data: .pattern(10))
        let body = HTTPBody.stream(stream)
        let opened = await withTaskGroup(of: HTTPBody.Reader?.self) { group in
            for _ in 0..<100 { group.addTask { try? body.open() } }
            return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
        #expect(opened.count == 1)
        #expect(await opened.first?.rest().bytes == .pattern(10))
        #expect(openingError(body) == RequestBodyError(.alreadyRead))
        #expect(openingError(.stream(stream)) == RequestBodyError(.alreadyRead))
    }

    @Test("a stream that occurs twice in a body, or that other code has opened, is refused")
    func twice() async throws {
        let body = HTTPBody.stream(InputStream(data: .pattern(10)))
        #expect(openingError(HTTPBody(segments: body.segments + body.segments)) == RequestBodyError(.alreadyRead))
        // The refusal has consumed nothing.
        #expect(try await body.open().rest().bytes == .pattern(10))

        let stream = InputStream(data: .pattern(10))
        let segments = HTTPBody.stream(stream).segments + HTTPBody.stream(stream).segments
        let read = try await HTTPBody(segments: segments).open().rest()
        #expect(read.error == RequestBodyError(.alreadyRead))

        let open = InputStream(data: .pattern(10))
        open.open()
        #expect(openingError(.stream(open)) == RequestBodyError(.alreadyRead))
    }

    @Test("a body that cannot be opened because of a file does not consume its stream")
    func notUsedUp() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("late")
        let body = HTTPBody(
            segments: HTTPBody.stream(InputStream(data: .pattern(10))).segments + HTTPBody.file(url).segments
        )
        #expect(openingError(body)?.reason == .missing)
        try Data([1]).write(to: url)
        #expect(try await body.open().rest().bytes == .pattern(10) + [1])
    }

    @Test("a body's reader that is released early closes the stream")
    func dropped() async throws {
        let stream = StubStream { _, length in length }
        var reader: HTTPBody.Reader? = try HTTPBody.stream(stream).open()
        _ = try await reader?.next()
        #expect(stream.closed.value == nil)
        reader = nil
        await stream.closed.wait()
    }

    @Test("cancellation ends the wait for a body's silent stream, and the stream is closed when its read returns")
    func cancelled() async throws {
        let isReading = Promise<Void>()
        let gate = DispatchSemaphore(value: 0)
        let stream = StubStream { _, _ in
            isReading.fulfill(())
            gate.wait()
            return 0
        }
        let reader = try HTTPBody.stream(stream).open()
        let task = Task { await reader.rest() }
        await isReading.wait()
        task.cancel()
        let read = await task.value
        #expect(read.error?.reason == .cancelled)
        #expect(stream.closed.value == nil)
        gate.signal()
        await stream.closed.wait()
    }
}
