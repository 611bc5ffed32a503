import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A decoded stream follows the pace and the lifetime of its reader")
struct DecodedStreamTests {
    private static func decoded(_ body: TransportBody, encoding: String = "gzip") throws -> TransportBodyStream {
        let url = try #require(URL(string: "https://example.com"))
        let response = TransportResponse(status: 200, headers: [.contentEncoding: encoding], body: body)
        return try #require(
            response.decoded(limits: ContentDecodingLimits(), bufferLimit: 65_536, url: url).body.stream
        )
    }

    @Test("a decoded body arrives complete for all chunks", arguments: [1, 7, 100, 1 << 30])
    func whole(chunk: Int) async throws {
        for (coding, vector) in Vector.all {
            let source = Source([Data()] + vector.data.chunks(of: chunk) + [Data()])
            var body = Data()
            for try await piece in try Self.decoded(source.body, encoding: coding.rawValue) {
                #expect(!piece.isEmpty)
                body.append(piece)
            }
            #expect(body == vector.plain.data, "\(vector.testDescription)")
        }
    }

    @Test("available decoded bytes are returned before the next chunk is read")
    func prompt() async throws {
        let members = try [GzipEncoder.encode(Data("one".utf8)), GzipEncoder.encode(Data("two".utf8))]
        let source = Source(members)
        var iterator = try Self.decoded(source.body).makeAsyncIterator()
        #expect(try await iterator.next() == Data("one".utf8))
        #expect(source.pulls == 1)
        #expect(try await iterator.next() == Data("two".utf8))
        #expect(source.pulls == 2)
        #expect(try await iterator.next() == nil)
        #expect(source.pulls == 3)
    }

    @Test("the source of a decoded stream is read only when the reader has taken all bytes")
    func backPressure() async throws {
        let count = 1 << 19
        let member = try GzipEncoder.encode(Data(count: count))
        let source = Source([member, member])
        var iterator = try Self.decoded(source.body).makeAsyncIterator()
        #expect(source.pulls == 0)
        for pulls in 1...2 {
            var taken = 0
            while taken < count {
                taken += try #require(await iterator.next()).count
                #expect(source.pulls == pulls)
            }
        }
        #expect(try await iterator.next() == nil)
        #expect(source.pulls == 3)
        #expect(try await iterator.next() == nil)
        #expect(source.pulls == 3)
    }

    @Test(
        "releasing a decoded stream releases the source, whether the stream has been read or not",
        arguments: [0, 1, 3]
    )
    func drop(reads: Int) async throws {
        let coded = try GzipEncoder.encode(Data(count: 1 << 20))
        var source: Source? = Source([coded.prefix(500), coded.dropFirst(500)])
        weak let released = source
        var stream = try source.map { try Self.decoded($0.body) }
        source = nil
        #expect(released != nil)
        var iterator = stream?.makeAsyncIterator()
        stream = nil
        for _ in 0..<reads { #expect(try await iterator?.next() != nil) }
        #expect(released != nil)
        iterator = nil
        #expect(released == nil)
    }

    @Test("the source of a decoded stream is released at the end, even if the stream is kept")
    func end() async throws {
        var source: Source? = Source([try GzipEncoder.encode(Data("x".utf8))])
        weak let released = source
        let stream = try #require(try source.map { try Self.decoded($0.body) })
        source = nil
        for try await _ in stream {}
        #expect(released == nil)
        let error = await #expect(throws: URLError.self) {
            for try await _ in stream { Issue.record("it was read twice") }
        }
        #expect(error?.code == .resourceUnavailable)
    }

    @Test(
        "an error of a decoded stream's source is passed on, and takes precedence over missing bytes",
        arguments: [0, 1, 15]
    )
    func sourceError(count: Int) async throws {
        let lost = URLError.make(.networkConnectionLost, url: nil, reason: "the source's own")
        var source: Source? = Source([try GzipEncoder.encode(Data("hello".utf8)).prefix(count)], error: lost)
        weak let released = source
        var iterator = try #require(try source.map { try Self.decoded($0.body) }).makeAsyncIterator()
        source = nil
        let error = await #expect(throws: URLError.self) {
            while try await iterator.next() != nil {}
        }
        #expect(error?.code == .networkConnectionLost)
        #expect(error?.localizedDescription == "the source's own")
        #expect(released == nil)
        let again = await #expect(throws: URLError.self) { try await iterator.next() }
        #expect(again == error)
    }

    @Test("decoded bytes before an error of the source are returned first")
    func beforeSourceError() async throws {
        let source = Source([try GzipEncoder.encode(Data("hello".utf8))], error: URLError(.timedOut))
        var iterator = try Self.decoded(source.body).makeAsyncIterator()
        #expect(try await iterator.next() == Data("hello".utf8))
        let error = await #expect(throws: URLError.self) { try await iterator.next() }
        #expect(error?.code == .timedOut)
    }

    @Test("a cancelled reader of a decoded stream gets URLError.cancelled, even if there is more to decode")
    func cancelled() async throws {
        let stream = try Self.decoded(Source([try GzipEncoder.encode(Data(count: 1 << 20))]).body)
        let error = await Task {
            var iterator = stream.makeAsyncIterator()
            _ = try? await iterator.next()
            withUnsafeCurrentTask { $0?.cancel() }
            return await #expect(throws: URLError.self) { try await iterator.next() }
        }.value
        #expect(error?.code == .cancelled)
    }
}
