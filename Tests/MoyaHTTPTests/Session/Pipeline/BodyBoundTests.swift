import Foundation
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The size of a collected body is limited", .timeLimit(.minutes(5)))
struct BodyBoundTests {
    @Test("the size limit of a collected body is 256 MiB by default")
    func standard() {
        #expect(Session.defaultMaximumBodySize == 268_435_456)
        #expect(Session().maximumBodySize == 268_435_456)
        #expect(Session(options: SessionOptions(maximumBodySize: -1)).maximumBodySize == 0)
    }

    @Test("a body up to the size limit is collected", arguments: [0, 1_000, 100_000], TransportKind.allCases)
    func fits(maximum: Int, kind: TransportKind) async throws {
        let bytes = Pattern().bytes(maximum)
        let server = try await StubServer([
            "/length": StubServer.Response(body: bytes), "/chunks": StubServer.Response(body: bytes, framing: .chunks),
            "/longer": StubServer.Response(body: Pattern().bytes(maximum + 1)),
            "/longerChunks": StubServer.Response(body: Pattern().bytes(maximum + 1), framing: .chunks),
        ])
        try await kind.withTransport { transport in
            let session = Session(transport: transport, options: SessionOptions(maximumBodySize: maximum))
            for path in ["/length", "/chunks"] {
                let data = try await session.data(for: URLRequest(url: server.url(path))).data
                #expect(data == bytes)
            }
            for path in ["/longer", "/longerChunks"] {
                let error = await #expect(throws: URLError.self) {
                    try await session.data(for: URLRequest(url: server.url(path)))
                }
                expectTooLarge(error, maximum, server.url(path))
            }
        }
        await server.shutDown()
    }

    @Test("a declared length over the size limit is refused before the body is read", arguments: TransportKind.allCases)
    func declared(kind: TransportKind) async throws {
        let server = try await StubServer([
            // Beyond the buffer limit, so that the session sees the head first.
            "/a": StubServer.Response(body: Data(count: 100_000), framing: .declared(1 << 40))
        ])
        try await kind.withTransport { transport in
            let session = Session(transport: transport)
            let error = await #expect(throws: URLError.self) {
                try await session.data(for: URLRequest(url: server.url("/a")))
            }
            expectTooLarge(error, Session.defaultMaximumBodySize, server.url("/a"))
            let sent = await server.first { if case .closed(let sent) = $0 { sent } else { nil } }
            #expect(sent == 100_000)
        }
        await server.shutDown()
    }

    @Test(
        "a body of undeclared length is read up to the size limit, and then the connection is closed",
        arguments: TransportKind.allCases
    )
    func undeclared(kind: TransportKind) async throws {
        let length = 64 << 20
        let server = try await StubServer([
            "/a": StubServer.Response(body: Data(count: length), framing: .chunks)
        ])
        try await kind.withTransport { transport in
            let session = Session(transport: transport, options: SessionOptions(maximumBodySize: 1 << 20))
            let error = await #expect(throws: URLError.self) {
                try await session.data(for: URLRequest(url: server.url("/a")))
            }
            expectTooLarge(error, 1 << 20, server.url("/a"))
            let sent = await server.first { event -> Int? in
                switch event {
                case .closed(let sent): sent
                case .sent: .max
                case .head, .stalled: nil
                }
            }
            #expect(sent.map { $0 < length } == true)
        }
        await server.shutDown()
    }

    @Test("the size limit applies to the decoded size of an encoded body", arguments: TransportKind.allCases)
    func coded(kind: TransportKind) async throws {
        let body = try GzipEncoder.encode(Data(count: 200_000))
        let server = try await StubServer([
            "/a": StubServer.Response(headers: ["Content-Encoding: gzip"], body: body)
        ])
        try await kind.withTransport { transport in
            let error = await #expect(throws: URLError.self) {
                try await Session(transport: transport, options: SessionOptions(maximumBodySize: 199_999))
                    .data(for: URLRequest(url: server.url("/a")))
            }
            expectTooLarge(error, 199_999, server.url("/a"))
            let whole = try await Session(transport: transport, options: SessionOptions(maximumBodySize: 200_000))
                .data(for: URLRequest(url: server.url("/a")))
            #expect(whole.data.count == 200_000)
        }
        await server.shutDown()
    }

    private func expectTooLarge(_ error: URLError?, _ maximum: Int, _ url: URL) {
        #expect(error?.code == .dataLengthExceedsMaximum)
        #expect(error?.userInfo[NSUnderlyingErrorKey] as? BodySizeError == BodySizeError(maximum: maximum))
        #expect(error?.localizedDescription.contains("maximumBodySize") == true)
        #expect(error?.localizedDescription.contains("\(maximum) bytes") == true)
        #expect(error?.failingURL == url)
    }
}
