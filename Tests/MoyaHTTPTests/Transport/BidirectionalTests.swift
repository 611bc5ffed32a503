#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("A response is read while its request is sent", .timeLimit(.minutes(5)))
struct BidirectionalTests {
    /// Starts a POST whose response is streamed.
    private func post(
        _ body: HTTPBody,
        to url: URL,
        over transport: any HTTPTransport
    ) async throws -> TransportBodyStream {
        let request = TransportRequest(method: .post, url: url, body: body, responseBufferLimit: 0)
        let response = try await transport.send(request)
        #expect(response.status == 200)
        return TransportBodyStream(of: response)
    }

    private func collect(_ body: TransportBodyStream) async throws -> Data {
        var all = Data()
        for try await piece in body { all.append(piece) }
        return all
    }

    @Test(
        "a response that ends before the upload is complete, and ends the upload (RFC 9113, 8.1; RFC 9112, 9.3)",
        arguments: [false, true],
        TransportVersion.ofNIO
    )
    func earlyEnd(waits: Bool, version: TransportVersion) async throws {
        try await version.run { exchange in
            guard exchange.method == "POST" else { return try await exchange.respond(text: "next") }
            // The upload has begun.
            _ = try await exchange.bodyPiece()
            try await exchange.respond(text: "enough")
        } then: { transport, server in
            for _ in 0..<5 {
                let endless = EndlessBody(waitsAfter: waits ? 1 : .max)
                let body = try await post(.sequence(endless), to: server.url(), over: transport)
                try await expectEqual(collect(body), Data("enough".utf8))
                await endless.waitForRelease()
                // The response may arrive before the body waits.
                if waits { #expect(endless.wasCancelled || endless.pieces <= 1) }
            }
            let next = try await transport.send(TransportRequest(method: .get, url: server.url()))
            try await expectEqual(next.collected(), Data("next".utf8))
        }
    }

    @Test("RST_STREAM with NO_ERROR after a complete response does not discard it (RFC 9113, section 8.1)")
    func resetAfterEnd() async throws {
        try await TransportVersion.nioOverHTTP2.run { exchange in
            _ = try await exchange.bodyPiece()
            try await exchange.respond(text: "enough")
            try await exchange.reset(0)
        } then: { transport, server in
            for _ in 0..<20 {
                let endless = EndlessBody()
                let request = TransportRequest(method: .post, url: server.url(), body: .sequence(endless))
                try await expectEqual(transport.send(request).collected(), Data("enough".utf8))
                await endless.waitForRelease()
            }
        }
    }

    @Test("RST_STREAM with NO_ERROR within a response fails the response after its data, and ends the upload")
    func resetInBody() async throws {
        try await TransportVersion.nioOverHTTP2.run { exchange in
            guard exchange.method == "POST" else { return try await exchange.respond(text: "next") }
            _ = try await exchange.bodyPiece()
            try await exchange.begin()
            try await exchange.write(Data("part".utf8))
            try await exchange.reset(0)
            throw ServedExchange.StreamReset(code: 0)
        } then: { transport, server in
            let endless = EndlessBody()
            let body = try await post(.sequence(endless), to: server.url(), over: transport)
            var received = Data()
            let error = await #expect(throws: URLError.self) {
                for try await piece in body { received.append(piece) }
            }
            #expect(error?.code == .networkConnectionLost)
            #expect(received == Data("part".utf8))
            await endless.waitForRelease()
            let next = try await transport.send(TransportRequest(method: .get, url: server.url()))
            try await expectEqual(next.collected(), Data("next".utf8))
        }
    }

    @Test(
        "releasing the response while the request is sent ends the upload, and the server notices it",
        arguments: [false, true],
        TransportVersion.ofNIO
    )
    func cancel(waits: Bool, version: TransportVersion) async throws {
        let failure = Promise<any Error>()
        try await version.run { exchange in
            try await exchange.begin()
            do {
                while let piece = try await exchange.bodyPiece() { try await exchange.write(piece.prefix(1)) }
            } catch {
                failure.fulfill(error)
                throw error
            }
        } then: { transport, server in
            let endless = EndlessBody(waitsAfter: waits ? 2 : .max)
            do {
                let body = try await post(.sequence(endless), to: server.url(), over: transport)
                for try await piece in body where !piece.isEmpty { break }
            }
            await endless.waitForRelease()
            // The server's write or read fails. The code of RST_STREAM is CANCEL.
            let error = await failure.wait()
            let code: UInt32? = version.isHTTP2 ? 8 : nil
            #expect((error as? ServedExchange.StreamReset)?.code == code)
        }
    }

    @Test("an unread response does not delay the upload", arguments: TransportVersion.ofNIO)
    func unreadResponse(version: TransportVersion) async throws {
        let count = 8 << 20
        let received = Promise<Int>()
        // It fits into the buffers, so that the server can write it while nobody reads.
        let bytes = Pattern().bytes(100_000)
        try await version.run { exchange in
            try await exchange.begin()
            try await exchange.write(bytes)
            var count = 0
            while let piece = try await exchange.bodyPiece() { count += piece.count }
            received.fulfill(count)
            try await exchange.end()
        } then: { transport, server in
            let upload = HTTPBody.stream(InputStream(data: Pattern(version: 1).bytes(count)))
            let body = try await post(upload, to: server.url(), over: transport)
            // Nothing has been read when the upload is complete.
            #expect(await received.wait() == count)
            try await expectEqual(collect(body), bytes)
        }
    }

    @Test(
        "an upload that the server does not read is held, and does not delay the response",
        arguments: TransportVersion.ofNIO
    )
    func unreadRequest(version: TransportVersion) async throws {
        // The limit covers the socket buffers (up to about 36 MiB on Linux), and is far less than the memory.
        let limit = (48 << 20) / EndlessBody.pieceLength
        // Less than the window of a stream, which the server does not count.
        let bytes = Pattern().bytes(900_000)
        let isHeld = Promise<Void>()
        try await version.run { exchange in
            try await exchange.begin()
            await isHeld.wait()
            try await exchange.write(bytes)
            try await exchange.end()
        } then: { transport, server in
            let endless = EndlessBody()
            let body = try await post(.sequence(endless), to: server.url(), over: transport)
            let standstill = try await endless.waitForStandstill(within: limit)
            #expect(standstill <= limit)
            isHeld.fulfill(())
            try await expectEqual(collect(body), bytes)
            await endless.waitForRelease()
        }
    }

    @Test("a body that fails after its response has begun fails the response", arguments: TransportVersion.ofNIO)
    func failingBody(version: TransportVersion) async throws {
        struct Failure: Error {}
        let (pieces, input) = AsyncThrowingStream<Data, any Error>.makeStream()
        let isWhole = Promise<Bool>()
        try await version.run { exchange in
            // The first value counts.
            defer { isWhole.fulfill(false) }
            try await exchange.begin()
            while let piece = try await exchange.bodyPiece() { try await exchange.write(piece) }
            isWhole.fulfill(true)
        } then: { transport, server in
            let body = try await post(.sequence(pieces), to: server.url(), over: transport)
            var reader = body.makeAsyncIterator()
            input.yield(Data("ping".utf8))
            let piece = try await reader.next()
            #expect(piece == Data("ping".utf8))
            input.finish(throwing: Failure())
            let error = await #expect(throws: RequestBodyError.self) { try await reader.next() }
            #expect(error?.reason == .failed && error?.underlyingError is Failure)
            #expect(await isWhole.wait() == false)
        }
    }

    @Test(
        "an upload that ends before its response leaves a connection that can be reused",
        arguments: TransportVersion.ofNIO
    )
    func reuse(version: TransportVersion) async throws {
        let ports = Locked<Set<Int>>([])
        try await version.run { exchange in
            try await exchange.begin()
            while let piece = try await exchange.bodyPiece() { try await exchange.write(piece) }
            try await exchange.write(Data("end".utf8))
            try await exchange.end()
        } then: { transport, server in
            for _ in 0..<5 {
                let request = TransportRequest(
                    method: .put,
                    url: server.url(),
                    body: .stream(InputStream(data: Data("body ".utf8))),
                    responseBufferLimit: 0
                )
                let response = try await transport.send(request)
                let port = try #require(response.info?.localAddress?.port)
                ports.withLock { _ = $0.insert(port) }
                try await expectEqual(response.collected(), Data("body end".utf8))
            }
            #expect(ports.withLock { $0.count } == 1)
        }
    }

    @Test("random pieces return unchanged, over concurrent exchanges too", arguments: 0..<4 as Range<UInt64>)
    func random(seed: UInt64) async throws {
        for version in TransportVersion.ofNIO {
            // The server handles one exchange of an HTTP/2 connection after another.
            let exchanges = version.isHTTP2 ? 1 : 4
            try await version.run { exchange in
                try await exchange.begin()
                while let piece = try await exchange.bodyPiece() { try await exchange.write(piece) }
                try await exchange.end()
            } then: { transport, server in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<exchanges {
                        group.addTask {
                            var random = SeededGenerator(seed: seed, number: UInt64(number))
                            // Together less than the window of a stream, which the server does not count.
                            let sizes = (0..<20).map { _ in
                                [1, 2, 100, 5_000, 16_384, 40_000].randomElement(using: &random) ?? 1
                            }
                            let bytes = Pattern(version: number).bytes(sizes.reduce(0, +))
                            var start = 0
                            let pieces = sizes.map { size in
                                defer { start += size }
                                return bytes.subdata(in: start..<start + size)
                            }
                            let upload = HTTPBody.sequence(elements(pieces))
                            let body = try await post(upload, to: server.url(), over: transport)
                            try await expectEqual(collect(body), bytes)
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }
}
#endif
