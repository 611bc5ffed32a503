import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Coded responses are decoded while they are read")
struct ContentDecodingTests {
    private static let text = Vector.Plain.text.data
    private static let mebibyte = Data(count: 1 << 20)

    private static func decoded(
        _ body: TransportBody,
        _ encoding: String? = "gzip",
        limits: ContentDecodingLimits = ContentDecodingLimits(),
        bufferLimit: Int = TransportRequest.defaultResponseBufferLimit,
        accepting accepted: [String] = [],
        refusingUnknown: Bool = false
    ) throws -> TransportResponse {
        var headers: HTTPFields = [.contentLength: "7"]
        headers[.contentEncoding] = encoding
        let url = try #require(URL(string: "https://user:secret@example.com/path"))
        return try TransportResponse(status: 200, headers: headers, body: body)
            .decoded(
                limits: limits,
                bufferLimit: bufferLimit,
                accepting: accepted,
                refusingUnknown: refusingUnknown,
                url: url
            )
    }

    // MARK: Complete bodies

    @Test("a complete body with a coding stays complete, and the headers are unchanged")
    func complete() async throws {
        let coded = try GzipEncoder.encode(Self.text)
        let response = try Self.decoded(.complete(coded))
        #expect(response.body.complete == Self.text)
        #expect(response.status == 200)
        #expect(response.headers == [.contentLength: "7", .contentEncoding: "gzip"])
    }

    @Test(
        "a body that becomes too long when it is decoded is returned as a stream",
        arguments: [0, 1, 65_536, 100_000, (1 << 20) - 1]
    )
    func completeBecomesStream(bufferLimit: Int) async throws {
        let coded = try GzipEncoder.encode(Self.mebibyte)
        let response = try Self.decoded(.complete(coded), bufferLimit: bufferLimit)
        let stream = try #require(response.body.stream)
        var body = Data()
        for try await piece in stream {
            // The first piece contains the bytes decoded before the limit was reached.
            #expect(piece.count <= CodingBuffers.pieceSize + (body.isEmpty ? bufferLimit : 0))
            body.append(piece)
            // An endless stream would use all memory.
            try #require(body.count <= Self.mebibyte.count)
        }
        #expect(body == Self.mebibyte)
    }

    @Test("a decoded body up to the buffer limit stays complete", arguments: [1 << 20, .max])
    func bufferLimit(bufferLimit: Int) async throws {
        let coded = try GzipEncoder.encode(Self.mebibyte)
        #expect(try Self.decoded(.complete(coded), bufferLimit: bufferLimit).body.complete == Self.mebibyte)
    }

    @Test(
        "an empty body with a coding, as for HEAD, 204 and 304, is not an error",
        arguments: ["gzip", "deflate", "deflate, gzip"]
    )
    func empty(encoding: String) async throws {
        for limit in [-1, 0, 65_536] {
            #expect(try Self.decoded(.complete(Data()), encoding, bufferLimit: limit).body.complete == Data())
        }
        let source = Source([])
        #expect(try await Self.decoded(source.body, encoding).body.collected().isEmpty)
    }

    @Test(
        "a body without a coding is returned unchanged",
        arguments: [nil, "", "identity", "identity, identity"]
    )
    func unchanged(encoding: String?) async throws {
        let coded = try GzipEncoder.encode(Self.text)
        #expect(try Self.decoded(.complete(coded), encoding).body.complete == coded)
        let limits = ContentDecodingLimits(ratio: 0, size: 0)
        #expect(try await Self.decoded(Source([coded]).body, encoding, limits: limits).body.collected() == coded)
    }

    @Test(
        "an unknown coding of a body is an error unless the body is empty",
        arguments: ["xz", "gzip, xz", "xz, gzip"]
    )
    func unknown(encoding: String) async throws {
        let error = #expect(throws: URLError.self) { try Self.decoded(.complete(Self.text), encoding) }
        #expect(error?.code == .cannotDecodeContentData)
        #expect(error?.userInfo[NSUnderlyingErrorKey] as? ContentDecodingError == .unsupported("xz"))
        let stream = try Self.decoded(Source([Data(), Self.text]).body, encoding)
        let late = await #expect(throws: URLError.self) { try await stream.body.collected() }
        #expect(late?.userInfo[NSUnderlyingErrorKey] as? ContentDecodingError == .unsupported("xz"))
        #expect(try Self.decoded(.complete(Data()), encoding).body.complete == Data())
        #expect(try await Self.decoded(Source([]).body, encoding).body.collected().isEmpty)
    }

    @Test(
        "a Content-Encoding that is not a coding does not change the body, unless it is refused",
        arguments: ["none", "UTF-8", "aws-chunked", "foo", "aws-chunked, gzip", "gzip, none"]
    )
    func noCoding(encoding: String) async throws {
        let sent = encoding.contains("gzip") ? try GzipEncoder.encode(Self.text) : Self.text
        #expect(try Self.decoded(.complete(sent), encoding).body.complete == Self.text)
        #expect(try await Self.decoded(Source([sent]).body, encoding).body.collected() == Self.text)
        let error = #expect(throws: URLError.self) {
            try Self.decoded(.complete(sent), encoding, refusingUnknown: true)
        }
        let name = encoding.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.first { $0 != "gzip" }
        #expect(
            error?.userInfo[NSUnderlyingErrorKey] as? ContentDecodingError
                == name.map { ContentDecodingError.unsupported($0) }
        )
        // The request accepts the coding explicitly, so the caller decodes it.
        let accepted = [name ?? ""]
        for refuses in [false, true] {
            let response = try Self.decoded(.complete(sent), encoding, accepting: accepted, refusingUnknown: refuses)
            #expect(response.body.complete == sent)
        }
    }

    @Test("the error of decoding names the unsupported coding beside a name that is not a coding")
    func namesTheCoding() throws {
        let error = #expect(throws: URLError.self) { try Self.decoded(.complete(Self.text), "utf-8, xz") }
        #expect(error?.userInfo[NSUnderlyingErrorKey] as? ContentDecodingError == .unsupported("xz"))
        #expect(try Self.decoded(.complete(Self.text), "utf-8, xz", accepting: ["xz"]).body.complete == Self.text)
    }

    @Test("several codings in several Content-Encoding fields are decoded")
    func several() async throws {
        let coded = try GzipEncoder.encode(GzipEncoder.encode(Self.text))
        #expect(try Self.decoded(.complete(coded), "gzip, x-gzip").body.complete == Self.text)
        var headers = HTTPFields()
        headers.append(HTTPField(name: .contentEncoding, value: "gzip"))
        headers.append(HTTPField(name: .contentEncoding, value: "gzip"))
        let url = try #require(URL(string: "https://example.com"))
        let response = try TransportResponse(status: 200, headers: headers, body: .complete(coded))
            .decoded(limits: ContentDecodingLimits(), bufferLimit: 1_000, url: url)
        #expect(response.body.complete == Self.text)
    }

    // MARK: Errors

    struct Fault: Sendable {
        var data: Data
        var encoding = "gzip"
        var limits = ContentDecodingLimits()
        var cause: ContentDecodingError
        var code = URLError.Code.cannotDecodeContentData

        static func all() throws -> [Fault] {
            let coded = try GzipEncoder.encode(text)
            let zeros = try GzipEncoder.encode(Data(count: 3 << 20))
            return [
                Fault(data: Data("not gzip".utf8), cause: .corrupt(.gzip)),
                Fault(data: Data("not deflate".utf8), encoding: "deflate", cause: .corrupt(.deflate)),
                Fault(data: coded.dropLast(), cause: .truncated),
                Fault(data: coded + [1], cause: .corrupt(.gzip)),
                Fault(data: zeros, cause: .ratioExceeded(limit: 200)),
                Fault(
                    data: zeros,
                    limits: ContentDecodingLimits(ratio: .max, size: 2_000_000),
                    cause: .sizeExceeded(limit: 2_000_000),
                    code: .dataLengthExceedsMaximum
                ),
            ]
        }

        func check(_ error: URLError?) {
            #expect(error?.code == code)
            #expect(error?.userInfo[NSUnderlyingErrorKey] as? ContentDecodingError == cause)
            #expect(error?.localizedDescription == cause.errorDescription)
            #expect(error?.failingURL?.absoluteString == "https://example.com/path")
        }
    }

    @Test("every fault in a complete coded body is an error")
    func completeFaults() throws {
        for fault in try Fault.all() {
            let error = #expect(throws: URLError.self) {
                try Self.decoded(.complete(fault.data), fault.encoding, limits: fault.limits, bufferLimit: .max)
            }
            fault.check(error)
        }
    }

    @Test("every fault in a coded stream releases the source, and is thrown again", arguments: [1, 1_000, 1 << 30])
    func streamFaults(chunk: Int) async throws {
        for fault in try Fault.all() {
            var source: Source? = Source(fault.data.chunks(of: chunk))
            weak let released = source
            let body = try #require(source?.body)
            source = nil
            let response = try Self.decoded(body, fault.encoding, limits: fault.limits)
            var iterator = try #require(response.body.stream).makeAsyncIterator()
            _ = consume body
            var thrown: URLError?
            while thrown == nil {
                do {
                    guard try await iterator.next() != nil else { break }
                } catch let error as URLError {
                    thrown = error
                }
            }
            fault.check(thrown)
            #expect(released == nil)
            // A reader that ignores the error must not take the body for complete.
            fault.check(await #expect(throws: URLError.self) { try await iterator.next() })
        }
    }

    @Test("excess codings of a body are refused before the body is read")
    func tooMany() async throws {
        let source = Source([Data([1])])
        let error = #expect(throws: URLError.self) {
            try Self.decoded(source.body, Array(repeating: "gzip", count: 6).joined(separator: ","))
        }
        #expect(error?.code == .cannotDecodeContentData)
        #expect(error?.userInfo[NSUnderlyingErrorKey] as? ContentDecodingError == .tooManyCodings)
        #expect(source.pulls == 0)
    }
}
