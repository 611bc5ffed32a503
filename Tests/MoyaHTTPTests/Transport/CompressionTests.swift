import Foundation
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Encoded bodies are decoded on every transport", .timeLimit(.minutes(5)))
struct CompressionTests {
    /// A coding and its encoder.
    struct Coding: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var name: String
        var encode: @Sendable (Data) throws -> Data
    }

    static let codings = [
        Coding(testDescription: "gzip", name: "gzip") { try GzipEncoder.encode($0) },
        Coding(testDescription: "deflate with zlib's frame", name: "deflate") { try $0.inZlib() },
        Coding(testDescription: "deflate without a frame", name: "deflate") {
            try $0.deflated()
        },
    ]

    static let framings: [StubServer.Response.Framing] = [.length, .chunks, .close]
    static let bytes = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 / 7 &* $0) })

    @Test(
        "every content coding and framing is decoded, whole and in pieces",
        arguments: codings,
        TransportKind.allCases
    )
    func decoded(_ coding: Coding, kind: TransportKind) async throws {
        for count in [0, 1, 50_000] {
            let plain = Self.bytes.prefix(count)
            let body = try coding.encode(Data(plain))
            for framing in Self.framings {
                let answer = StubServer.Response(
                    headers: ["Content-Encoding: \(coding.name)"],
                    body: body,
                    framing: framing
                )
                try await withAnswer(answer, kind) { transport, url in
                    for limit in [0, 1_000, 1_000_000] {
                        var request = TransportRequest(method: .get, url: url)
                        request.headers[.acceptEncoding] = "gzip, deflate"
                        request.responseBufferLimit = limit
                        let response = try await transport.sendAsSession(request)
                        #expect(response.headers[.contentEncoding] == coding.name)
                        let decoded = try await response.collected()
                        #expect(decoded == plain, "\(count) \(framing) \(limit)")
                    }
                }
            }
        }
    }

    @Test(
        "the reading of a coded body stops early if the body exceeds the decoding limits",
        arguments: codings,
        TransportKind.allCases
    )
    func bomb(_ coding: Coding, kind: TransportKind) async throws {
        let length = 64 << 20
        let body = try coding.encode(Data(count: length))
        let rows: [(ContentDecodingLimits, ContentDecodingError, URLError.Code)] = [
            (ContentDecodingLimits(), .ratioExceeded(limit: 200), .cannotDecodeContentData),
            (
                ContentDecodingLimits(ratio: .max, size: 2 << 20), .sizeExceeded(limit: 2 << 20),
                .dataLengthExceedsMaximum
            ),
        ]
        let answer = StubServer.Response(headers: ["Content-Encoding: \(coding.name)"], body: body)
        try await withAnswer(answer, kind) { transport, url in
            for (limits, cause, code) in rows {
                var request = TransportRequest(method: .get, url: url, decodingLimits: limits)
                request.responseBufferLimit = 0
                guard case .stream(let stream) = try await transport.sendAsSession(request).body else {
                    Issue.record("no stream")
                    return
                }
                var received = 0
                let error = await #expect(throws: URLError.self) {
                    for try await chunk in stream { received += chunk.count }
                }
                #expect(error?.code == code)
                #expect(error?.userInfo[NSUnderlyingErrorKey] as? ContentDecodingError == cause)
                #expect(error?.failingURL == url)
                // If URLSession decodes, the ratio applies to the whole body.
                #expect(received <= (kind == .urlSession ? 200 * body.count : 2 << 20))
                let collecting = await #expect(throws: URLError.self) {
                    try await Session(transport: transport, options: SessionOptions(decodingLimits: limits))
                        .data(for: URLRequest(url: url))
                }
                #expect(collecting?.code == code)
            }
        }
    }

    @Test("an encoded body that is cut off or damaged is an error", arguments: codings, TransportKind.allCases)
    func damaged(_ coding: Coding, kind: TransportKind) async throws {
        let whole = try coding.encode(Self.bytes)
        var damaged = whole
        if coding.testDescription == "deflate without a frame" {
            // Without a checksum only invalid deflate is detected: a block of type 3.
            damaged[0] = 0x07
        } else {
            damaged.replaceSubrange(1_000..<1_100, with: Data(repeating: 0xFF, count: 100))
        }
        for (name, body) in [("cut", Data(whole.dropLast(500))), ("damaged", damaged)] {
            for framing in Self.framings {
                let answer = StubServer.Response(
                    headers: ["Content-Encoding: \(coding.name)"],
                    body: body,
                    framing: framing
                )
                // libcurl treats the end of the body as the end of the coding, and damaged deflate as the other kind.
                if kind == .urlSession, foundationIsOnLinux, name == "cut" || coding.name != "gzip" { continue }
                try await withAnswer(answer, kind) { transport, url in
                    for limit in [0, 1_000_000] {
                        var request = TransportRequest(method: .get, url: url)
                        request.responseBufferLimit = limit
                        let outcome = await Result.of { try await transport.sendAsSession(request).collected() }
                        let error = #expect(throws: URLError.self) { try outcome.get() }
                        #expect(error?.code == .cannotDecodeContentData, "\(name) \(framing) \(limit) \(outcome)")
                    }
                }
            }
        }
    }

    @Test(
        "a connection that is lost within an encoded body is reported as lost, and the body not as damaged",
        arguments: TransportKind.allCases
    )
    func lost(kind: TransportKind) async throws {
        let body = try GzipEncoder.encode(Self.bytes)
        let answer = StubServer.Response(
            headers: ["Content-Encoding: gzip"],
            body: body.dropLast(100),
            framing: .declaredThenClosed(body.count)
        )
        try await withAnswer(answer, kind) { transport, url in
            let error = await #expect(throws: URLError.self) {
                try await transport.sendAsSession(TransportRequest(method: .get, url: url)).collected()
            }
            #expect(error?.code == .networkConnectionLost)
        }
    }

    @Test("a response to HEAD with a coding has the headers and no body to decode", arguments: TransportKind.allCases)
    func head(kind: TransportKind) async throws {
        let answer = StubServer.Response(headers: ["Content-Encoding: gzip"], body: Data(count: 1_000))
        try await withAnswer(answer, kind) { transport, url in
            let response = try await transport.sendAsSession(TransportRequest(method: .head, url: url))
            #expect(response.headers[.contentEncoding] == "gzip")
            #expect(response.headers[.contentLength] == "1000")
            let body = try await response.collected()
            #expect(body.isEmpty)
        }
    }

    @Test("an unknown coding that the request does not accept is an error", arguments: ["xz", "lzma", "gzip, xz"])
    func notOffered(name: String) async throws {
        for kind in TransportKind.allCases {
            // libcurl refuses unknown codings.
            if kind == .urlSession, foundationIsOnLinux { continue }
            let answer = StubServer.Response(headers: ["Content-Encoding: \(name)"], body: Self.bytes)
            try await withAnswer(answer, kind) { transport, url in
                let request = TransportRequest(
                    method: .get,
                    url: url,
                    headers: [.acceptEncoding: "gzip, deflate, xz;q=0, lzma;q=0.0"]
                )
                let error = await #expect(throws: URLError.self) {
                    try await transport.sendAsSession(request).collected()
                }
                #expect(error?.code == .cannotDecodeContentData)
                let unknown = name == "lzma" ? "lzma" : "xz"
                #expect(error?.userInfo[NSUnderlyingErrorKey] as? ContentDecodingError == .unsupported(unknown))
                #expect(error?.localizedDescription.contains("\"\(unknown)\"") == true)
            }
        }
    }

    @Test(
        "a body with an unknown coding that the request accepts is returned encoded",
        arguments: ["xz", "lzma", "gzip, xz"]
    )
    func unknown(name: String) async throws {
        for kind in TransportKind.allCases {
            // libcurl refuses unknown codings.
            if kind == .urlSession, foundationIsOnLinux { continue }
            let answer = StubServer.Response(headers: ["Content-Encoding: \(name)"], body: Self.bytes)
            try await withAnswer(answer, kind) { transport, url in
                for accepted in ["xz, lzma;q=0.5", "*"] {
                    let request = TransportRequest(method: .get, url: url, headers: [.acceptEncoding: accepted])
                    let body = try await transport.sendAsSession(request).collected()
                    #expect(body == Self.bytes)
                }
            }
        }
    }

    @Test(
        "Accept-Encoding names the codings that the session or the transport decodes",
        arguments: TransportKind.allCases
    )
    func offered(kind: TransportKind) async throws {
        let server = try await ReactingServer()
        try await kind.withTransport { transport in
            _ = try await Session(transport: transport).data(for: URLRequest(url: server.url()))
            let expected = kind == .urlSession ? "gzip, deflate" : HTTPHeader.defaultAcceptEncoding.value
            let offered = try #require(server.requests.first?.head["accept-encoding"])
            // On Apple's platforms URLSession selects the codings, and some systems have more.
            #expect(foundationIsOnLinux ? offered == expected : offered.hasPrefix(expected))
        }
        await server.shutDown()
    }

    private func withAnswer(
        _ answer: StubServer.Response,
        _ kind: TransportKind,
        _ body: (any HTTPTransport, URL) async throws -> Void
    ) async throws {
        let server = try await StubServer(["/a": answer])
        try await kind.withTransport { transport in try await body(transport, server.url("/a")) }
        await server.shutDown()
    }
}

extension Data {
    /// Returns the data in deflate: gzip's content without its frame (RFC 1951).
    fileprivate func deflated() throws -> Data { Data(try GzipEncoder.encode(self).dropFirst(10).dropLast(8)) }

    /// Returns the data in deflate with zlib's frame (RFC 1950).
    fileprivate func inZlib() throws -> Data {
        var (low, high): (UInt32, UInt32) = (1, 0)
        withUnsafeBytes { bytes in
            for byte in bytes {
                low = (low + UInt32(byte)) % 65_521
                high = (high + low) % 65_521
            }
        }
        let sum = [high >> 8, high & 255, low >> 8, low & 255].map { UInt8($0) }
        return try Data([0x78, 0x9C]) + deflated() + Data(sum)
    }
}
