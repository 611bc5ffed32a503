import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The limits of decoding apply to responses that the engine has decoded")
struct ContentLimitingTests {
    private static let mebibyte = 1 << 20

    struct Row: Sendable {
        /// The number of MiB that the engine returns.
        var count: Int
        var encoding: String? = "gzip"
        var length: String?
        var limits = ContentDecodingLimits()
        var cause: ContentDecodingError?
    }

    static let rows = [
        Row(count: 0, length: "0"),
        Row(count: 1, length: "1"),
        Row(count: 4, length: "100000"),
        Row(count: 4, length: "1000", cause: .ratioExceeded(limit: 200)),
        Row(count: 4, encoding: "br", length: "1000", cause: .ratioExceeded(limit: 200)),
        Row(count: 4, length: "1000", limits: ContentDecodingLimits(ratio: 5_000)),
        Row(count: 4, length: nil),
        Row(count: 4, length: "rubbish"),
        Row(count: 4, encoding: nil, length: "1"),
        Row(count: 4, encoding: "identity", length: "1", limits: ContentDecodingLimits(ratio: 0, size: 0)),
        Row(count: 4, limits: ContentDecodingLimits(size: 4 << 20)),
        Row(count: 4, limits: ContentDecodingLimits(size: 3_000_000), cause: .sizeExceeded(limit: 3_000_000)),
    ]

    private static func limited(_ row: Row, _ body: TransportBody) throws -> TransportResponse {
        var headers = HTTPFields()
        headers[.contentEncoding] = row.encoding
        headers[.contentLength] = row.length
        let url = try #require(URL(string: "https://example.com"))
        return try TransportResponse(status: 200, headers: headers, body: body).limited(by: row.limits, url: url)
    }

    private static func check(_ error: URLError?, _ cause: ContentDecodingError) {
        #expect(error?.userInfo[NSUnderlyingErrorKey] as? ContentDecodingError == cause)
        if case .sizeExceeded = cause {
            #expect(error?.code == .dataLengthExceedsMaximum)
        } else {
            #expect(error?.code == .cannotDecodeContentData)
        }
    }

    @Test("the limits of decoding apply to complete bodies from the engine", arguments: rows)
    func complete(row: Row) throws {
        let data = Data(count: row.count * Self.mebibyte)
        if let cause = row.cause {
            Self.check(#expect(throws: URLError.self) { try Self.limited(row, .complete(data)) }, cause)
        } else {
            let response = try Self.limited(row, .complete(data))
            #expect(response.body.complete == data)
        }
    }

    @Test("bytes of a decoded stream beyond the limit are not returned, and the source is released", arguments: rows)
    func stream(row: Row) async throws {
        var source: Source? = Source(Array(repeating: Data(count: Self.mebibyte), count: row.count))
        weak let released = source
        let response = try #require(try source.map { try Self.limited(row, $0.body) })
        let stream = try #require(response.body.stream)
        source = nil
        var iterator = stream.makeAsyncIterator()
        var count = 0
        do {
            while let chunk = try await iterator.next() { count += chunk.count }
            #expect(row.cause == nil)
            #expect(count == row.count * Self.mebibyte)
        } catch let error as URLError {
            Self.check(error, try #require(row.cause))
            #expect(count <= row.limits.size && count < row.count * Self.mebibyte)
            #expect(released == nil)
            Self.check(await #expect(throws: URLError.self) { try await iterator.next() }, try #require(row.cause))
        }
    }

    @Test("releasing a limited stream releases the source; errors of the source are passed on")
    func sourceLife() async throws {
        let row = Row(count: 1)
        var source: Source? = Source([Data([1])], error: URLError(.timedOut))
        weak let released = source
        var stream = try source.map { try Self.limited(row, $0.body) }?.body.stream
        source = nil
        #expect(released != nil)
        stream = nil
        #expect(released == nil)

        stream = try Self.limited(row, Source([Data([1])], error: URLError(.timedOut)).body).body.stream
        var iterator = try #require(stream).makeAsyncIterator()
        #expect(try await iterator.next() == Data([1]))
        let error = await #expect(throws: URLError.self) { try await iterator.next() }
        #expect(error?.code == .timedOut)
    }
}
