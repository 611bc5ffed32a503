import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A stream that wraps a transport's stream keeps its outcome", .timeLimit(.minutes(5)))
struct TransportBodyStreamTests {
    /// A way to wrap the stream of a response, which has the content coding gzip.
    enum Wrapper: CaseIterable {
        case function, observer, decoder, limits, session

        var isDecoding: Bool { self == .decoder || self == .session }
    }

    private final class Monitor: EventMonitor {
        let ends = Locked<[Bool]>([])

        func record(_ event: RequestEvent) {
            switch event.kind {
            case .finished: ends.withLock { $0.append(true) }
            case .failed: ends.withLock { $0.append(false) }
            default: break
            }
        }
    }

    private let exchange: Exchange
    private let monitor = Monitor()
    private let cache = HTTPCache(store: MemoryCacheStore(maximumSize: 1 << 20))
    private let url: URL

    init() throws {
        url = try #require(URL(string: "https://example.com/a"))
        var request = TransportRequest(method: .get, url: url)
        request.responseBufferLimit = 0
        exchange = Exchange(request)
    }

    /// Returns the stream of the exchange's response in the given form.
    private func stream(by wrapper: Wrapper) async throws -> TransportBodyStream {
        let response = try await exchange.perform {
            let headers: HTTPFields = [.contentEncoding: "gzip", .cacheControl: "max-age=60"]
            exchange.receivedHead(ResponseHead(status: 200, headers: headers))
        }
        let stream = try #require(response.body.stream)
        switch wrapper {
        case .function: return stream.wrapped { next in try await next() }
        case .observer: return stream.observed(onChunk: { _ in }, onEnd: { _ in })
        case .decoder:
            return TransportBodyStream(
                of: try response.decoded(limits: ContentDecodingLimits(), bufferLimit: 0, url: url)
            )
        case .limits: return TransportBodyStream(of: try response.limited(by: ContentDecodingLimits(), url: url))
        case .session:
            let session = Session(
                transport: FakeTransport { _ in response },
                cache: cache,
                eventMonitors: [monitor]
            )
            return try await session.stream(for: URLRequest(url: url)).body
        }
    }

    @Test("a read that overlaps another one fails, and the other one gets the whole body", arguments: Wrapper.allCases)
    func overlap(wrapper: Wrapper) async throws {
        let plain = Data("whole".utf8)
        let coded = try GzipEncoder.encode(plain)
        let iterator = try await stream(by: wrapper).makeAsyncIterator()
        let first = Task {
            var (iterator, body) = (iterator, Data())
            while let chunk = try await iterator.next() { body += chunk }
            return body
        }
        while exchange.state.withLock({ $0.chunkWaiter == nil }) { await Task.yield() }
        var second = iterator
        let error = await #expect(throws: URLError.self) { try await second.next() }
        #expect(error?.code == .resourceUnavailable)
        #expect(error?.localizedDescription.contains("another call waited") == true)
        exchange.received(coded.prefix(5)) {}
        exchange.received(coded.dropFirst(5)) {}
        exchange.finished()
        #expect(try await first.value == (wrapper.isDecoding ? plain : coded))
        #expect(try await second.next() == nil)
        if wrapper == .session {
            #expect(monitor.ends.withLock { $0 } == [true])
            #expect(cache.statistics.stored == 1)
        }
    }

    @Test("a read that overlaps the step of another one after its chunk has arrived fails")
    func overlapOfStep() async throws {
        let (hasBegun, canEnd) = (Promise<Void>(), Promise<Void>())
        let chunks = Locked([Data("a".utf8), Data("b".utf8)])
        let source = TransportBodyStream { chunks.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
        let wrapped = source.wrapped { next in
            let chunk = try await next()
            if chunk == Data("a".utf8) {
                hasBegun.fulfill(())
                await canEnd.wait()
            }
            return chunk
        }
        let iterator = wrapped.makeAsyncIterator()
        let first = Task {
            var iterator = iterator
            return try await iterator.next()
        }
        await hasBegun.wait()
        var second = iterator
        let error = await #expect(throws: URLError.self) { try await second.next() }
        #expect(error?.code == .resourceUnavailable)
        canEnd.fulfill(())
        #expect(try await first.value == Data("a".utf8))
        #expect(try await second.next() == Data("b".utf8))
        #expect(try await second.next() == nil)
    }

    @Test("a reader that ignores an error gets it again, and never the end", arguments: Wrapper.allCases)
    func repeatedError(wrapper: Wrapper) async throws {
        var iterator = try await stream(by: wrapper).makeAsyncIterator()
        exchange.failed(URLError(.networkConnectionLost))
        for _ in 1...3 {
            let error = await #expect(throws: URLError.self) { try await iterator.next() }
            #expect(error?.code == .networkConnectionLost)
        }
        if wrapper == .session { #expect(monitor.ends.withLock { $0 } == [false]) }
    }

    @Test("the end or an error releases the source, is reported once, and is returned again", arguments: [true, false])
    func outcome(fails: Bool) async throws {
        var source: Source? = Source([Data("a".utf8)], error: fails ? URLError(.timedOut) : nil)
        weak let released = source
        let (chunks, ends) = (Locked<[Data]>([]), Locked<[URLError.Code?]>([]))
        let observed = source?.body.stream?.observed(
            onChunk: { chunk in chunks.withLock { $0.append(chunk) } },
            onEnd: { error in ends.withLock { $0.append((error as? URLError)?.code) } }
        )
        var iterator = observed?.makeAsyncIterator()
        source = nil
        #expect(try await iterator?.next() == Data("a".utf8))
        for _ in 1...2 {
            do {
                let end = try await iterator?.next()
                #expect(end == nil && !fails)
            } catch {
                #expect(fails && (error as? URLError)?.code == .timedOut)
            }
            #expect(released == nil)
        }
        iterator = nil
        #expect(chunks.withLock { $0 } == [Data("a".utf8)])
        #expect(ends.withLock { $0 } == [fails ? .timedOut : nil])
    }

    @Test("the release of a stream that is not read to its end is reported as a cancellation")
    func release() async throws {
        let ends = Locked<[URLError.Code?]>([])
        var stream: TransportBodyStream? = Source([Data("a".utf8)]).body.stream?.observed(onChunk: { _ in }) { error in
            ends.withLock { $0.append((error as? URLError)?.code) }
        }
        #expect(stream != nil && ends.withLock { $0.isEmpty })
        stream = nil
        #expect(ends.withLock { $0 } == [.cancelled])
    }
}
