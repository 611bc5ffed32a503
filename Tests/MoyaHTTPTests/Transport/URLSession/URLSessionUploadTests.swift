import Foundation
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaURLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("URLSession gets a body as a file, as data or as a stream")
struct URLSessionUploadTests {
    private static let bytes = Data.pattern(300_000)

    @Test("URLSession reads a whole file itself, and gets an observed or compressed file as a stream")
    func kinds() throws {
        let file = try TemporaryFile(Self.bytes)
        let whole = HTTPBody.file(file.url)
        #expect(URLSessionBody(whole, canReadFiles: true) == .file(file.url.absoluteURL))
        #expect(URLSessionBody(whole, canReadFiles: false) == .stream)
        #expect(URLSessionBody(whole.gzipped(), canReadFiles: true) == .stream)
        #expect(URLSessionBody(whole.observingProgress { _, _ in }, canReadFiles: true) == .stream)
        #expect(URLSessionBody(whole.observingPieces { { _ in } }, canReadFiles: true) == .stream)
        let two = HTTPBody(segments: [.bytes(Data([1])), BodySegment(.file(file.url))])
        #expect(URLSessionBody(two, canReadFiles: true) == .stream)
        #expect(URLSessionBody(.data(Self.bytes), canReadFiles: true) == .data(Self.bytes))
        #expect(URLSessionBody(.stream(InputStream(data: Self.bytes)), canReadFiles: true) == .stream)
    }

    @Test(
        "an observer does not change how URLSession gets a body, and a compressed body reports the bytes that are read"
    )
    func observed() throws {
        let file = try TemporaryFile(Self.bytes)
        let bodies: [HTTPBody] = [.data(Self.bytes), .file(file.url), .stream(InputStream(data: Self.bytes))]
        for body in bodies {
            let (plain, observer) = body.observingProgress { _, _ in }.observingSentBytes
            #expect(observer != nil)
            #expect(URLSessionBody(plain, canReadFiles: true) == URLSessionBody(body, canReadFiles: true))
            let (unobserved, none) = body.observingSentBytes
            #expect(none == nil)
            #expect(unobserved == body)
            let (compressed, nothing) = body.gzipped().observingProgress { _, _ in }.observingSentBytes
            #expect(nothing == nil)
            #expect(compressed.progressObserver != nil)
        }
    }

    @Test("URLSession gets a body as a stream with its length if the length is known")
    func length() throws {
        let file = try TemporaryFile(Self.bytes)
        let two = HTTPBody(segments: [.bytes(Data([1])), BodySegment(.file(file.url))])
        #expect(try URLSessionUpload(two) { _ in }.firstStream().length == 300_001)
        #expect(try URLSessionUpload(two.gzipped()) { _ in }.firstStream().length == nil)
        #expect(try URLSessionUpload(.stream(InputStream(data: Self.bytes))) { _ in }.firstStream().length == nil)
    }

    #if canImport(FoundationNetworking)
    @Test(
        "URLSession gets a new stream from the beginning when the request is sent again, and the first stream fails"
    )
    func nextStream() throws {
        let file = try TemporaryFile(Self.bytes)
        let upload = URLSessionUpload(.file(file.url)) { Issue.record($0) }
        let first = try upload.firstStream().stream
        first.open()
        #expect(first.readPiece()?.isEmpty == false)
        let second = try #require(upload.nextStream())
        #expect(second.streamStatus == .notOpen)
        #expect(first.readPiece() == nil)
        second.open()
        var data = Data()
        while let piece = second.readPiece(), !piece.isEmpty { data += piece }
        #expect(data == Self.bytes)
        upload.close()
        #expect(second.readPiece() == nil)
    }

    @Test(
        "a body that can be read only once fails if URLSession needs it again, and its unread part is not sent"
    )
    func notRepeatable() throws {
        let failure = Promise<RequestBodyError>()
        let upload = URLSessionUpload(.stream(InputStream(data: Self.bytes))) { failure.fulfill($0) }
        let first = try upload.firstStream().stream
        first.open()
        #expect(first.readPiece()?.isEmpty == false)
        let second = try #require(upload.nextStream())
        second.open()
        #expect(second.readPiece() == nil)
        #expect(failure.value?.reason == .alreadyRead)
        #expect(first.readPiece() == nil)
    }
    #endif

    /// A body that URLSession may have to send a second time, and the result.
    struct Resent: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: @Sendable (URL) -> HTTPBody
        /// Returns whether an error is the expected one; `nil` if the second request is sent.
        let failure: @Sendable (any Error) -> Bool?
    }

    static let resent = [
        Resent(testDescription: "file", body: { .file($0) }, failure: { _ in nil }),
        Resent(
            testDescription: "stream",
            body: { _ in .stream(InputStream(data: bytes)) },
            failure: { ($0 as? RequestBodyError)?.reason == .alreadyRead }
        ),
        Resent(
            testDescription: "bytes",
            body: { _ in .data(bytes) },
            failure: { ($0 as? URLError)?.code == .networkConnectionLost }
        ),
    ]

    // URLSession decides which requests are sent again, and this differs.
    @Test(
        "URLSession sends the whole body again after a closed connection, or the request fails",
        .enabled(if: foundationIsOnLinux),
        arguments: resent
    )
    func closedConnection(_ row: Resent) async throws {
        let file = try TemporaryFile(Self.bytes)
        let server = try await ReactingServer { $0.number == 1 ? .cut : .respond(200) }
        let transport = URLSessionTransport()
        try await transport.shutDown {
            _ = try await transport.send(TransportRequest(method: .get, url: server.url("/")))
            var request = TransportRequest(method: .put, url: server.url("/"), body: row.body(file.url))
            request.idleTimeout = .seconds(20)
            let outcome = await Result.of { try await transport.send(request).collected() }
            let bodies = server.requests.dropFirst().map(\.body)
            switch outcome {
            case .success:
                #expect(bodies == [Self.bytes, Self.bytes])
                #expect(row.failure(URLError(.unknown)) == nil)
            case .failure(let error):
                #expect(row.failure(error) == true, "\(error)")
                #expect(bodies == [Self.bytes])
            }
        }
        await server.shutDown()
    }
}

extension InputStream {
    /// The next bytes, empty at the end; `nil` if the stream fails.
    fileprivate func readPiece() -> Data? {
        var buffer = [UInt8](repeating: 0, count: 50_000)
        let count = read(&buffer, maxLength: buffer.count)
        return count < 0 ? nil : Data(buffer.prefix(count))
    }
}
