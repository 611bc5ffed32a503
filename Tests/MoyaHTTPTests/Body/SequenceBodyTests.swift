import Foundation
import MoyaHTTP
import Testing

@Suite("An async sequence can be the body of a request")
struct SequenceBodyTests {
    private struct Failure: Error {}

    @Test(
        "elements of a body's sequence are passed on as they arrive, empty elements are skipped, and large elements are divided"
    )
    func elementsAsTheyCome() async throws {
        let large = Data.pattern(HTTPBody.pieceSize + 3)
        let given = [Data(), Data("a".utf8), Data(), Data(), Data("bc".utf8), large, Data()]
        let read = try await HTTPBody.sequence(elements(given)).open().rest()
        #expect(read.error == nil)
        #expect(
            read.pieces == [Data("a".utf8), Data("bc".utf8), large.prefix(HTTPBody.pieceSize), Data(large.suffix(3))]
        )
    }

    @Test("a body's sequence that ends early or continues is detected before its last piece is returned")
    func wrongLength() async throws {
        let given = [Data("abc".utf8), Data(), Data("def".utf8), Data()]
        let rows: [(Int64, RequestBodyError.Reason, pieces: [String])] = [
            (7, .tooShort(declared: 7, found: 6), ["abc", "def"]),
            (5, .tooLong(declared: 5), ["abc"]),
            (3, .tooLong(declared: 3), []),
            (1, .tooLong(declared: 1), []),
            (0, .tooLong(declared: 0), []),
        ]
        for (length, reason, pieces) in rows {
            let body = HTTPBody.sequence(elements(given), length: length)
            let reader = try HTTPBody(segments: body.segments.map { $0.named("s") }).open()
            let read = await reader.rest()
            #expect(read.error == RequestBodyError(reason, part: "s"))
            #expect(read.pieces == pieces.map { Data($0.utf8) })
        }
    }

    @Test(
        "a body's sequence that fails reports its error, and the body is not complete",
        arguments: [nil, 3, 4] as [Int64?]
    )
    func failing(length: Int64?) async throws {
        let body = HTTPBody.sequence(elements([Data("abc".utf8)], then: Failure()), length: length)
        let reader = try body.open()
        let read = await reader.rest()
        #expect(read.error?.reason == .failed)
        #expect(read.error?.underlyingError is Failure)
        #expect(read.pieces == (length == 3 ? [] : [Data("abc".utf8)]))
        #expect(await reader.rest().error == read.error)
    }

    @Test("a body's sequence can be opened once unless it is repeatable, also concurrently")
    func once() async throws {
        let body = HTTPBody.sequence(elements([Data("abc".utf8)]))
        let opened = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 { group.addTask { (try? body.open()) != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(opened == 1)
        #expect(openingError(body) == RequestBodyError(.alreadyRead))
        // A copy is equal to the body.
        let copy = body
        #expect(openingError(copy) == RequestBodyError(.alreadyRead))
    }

    @Test("synchronous code cannot read the sequence of a body")
    func synchronous() throws {
        let body = HTTPBody.sequence(elements([Data("abc".utf8)]))
        let reader = try HTTPBody(segments: body.segments.map { $0.named("s") }).open()
        #expect(!reader.isSynchronous)
        #expect(reader.synchronousRest().error == RequestBodyError(.asynchronous, part: "s"))
    }

    @Test(
        "cancellation ends the wait for a body's sequence that never yields, and does not complete the body",
        arguments: [nil, 3]
    )
    func cancelled(length: Int64?) async throws {
        let silent = Silent()
        let segments =
            HTTPBody.data(Data("head".utf8)).segments
            + HTTPBody.sequence(silent, length: length).segments
            + HTTPBody.data(Data("tail".utf8)).segments
        let reader = try HTTPBody(segments: segments).open()
        let task = Task { await reader.rest() }
        await silent.isWaiting.wait()
        task.cancel()
        let read = await task.value
        #expect(read.error?.reason == .cancelled)
        #expect(read.pieces == [Data("head".utf8)])
    }

    @Test("a cancelled task reads nothing from the sequence of a body")
    func cancelledBefore() async throws {
        let reader = try HTTPBody.data(Data("abc".utf8)).open()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await reader.rest()
        }
        let read = await task.value
        #expect(read.error?.reason == .cancelled)
        #expect(read.pieces.isEmpty)
    }

    @Test("a concurrent request for a second piece of a body's sequence is refused, and the first piece arrives")
    func concurrently() async throws {
        let (stream, continuation) = AsyncStream<Data>.makeStream()
        let signaling = Signaling(base: stream)
        let reader = try HTTPBody.sequence(signaling).open()
        let task = Task { await reader.rest() }
        await signaling.isWaiting.wait()
        let other = await reader.rest()
        #expect(other.error == RequestBodyError(.readConcurrently))
        continuation.yield(Data("abc".utf8))
        continuation.finish()
        let read = await task.value
        #expect(read.error == nil)
        #expect(read.bytes == Data("abc".utf8))
    }
}

/// A sequence that reports each request for an element.
private struct Signaling: AsyncSequence, Sendable {
    let base: AsyncStream<Data>
    let isWaiting = Promise<Void>()

    struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<Data>.Iterator
        let isWaiting: Promise<Void>

        mutating func next() async -> Data? {
            isWaiting.fulfill(())
            return await base.next()
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), isWaiting: isWaiting) }
}

/// A sequence that never yields, and that ends, like streams, when its task is cancelled.
private struct Silent: AsyncSequence, Sendable {
    private let signaling: Signaling
    private let continuation: AsyncStream<Data>.Continuation

    init() {
        let (stream, continuation) = AsyncStream<Data>.makeStream()
        signaling = Signaling(base: stream)
        self.continuation = continuation
    }

    var isWaiting: Promise<Void> { signaling.isWaiting }

    func makeAsyncIterator() -> Signaling.Iterator { signaling.makeAsyncIterator() }
}
