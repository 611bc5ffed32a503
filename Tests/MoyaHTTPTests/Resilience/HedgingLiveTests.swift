import Foundation
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The exchange that loses against its hedge is cancelled on its connection", .timeLimit(.minutes(5)))
struct HedgingLiveTests {
    private static func session(_ transport: any HTTPTransport, _ clock: ManualClock) -> Session {
        var resilience = Resilience()
        resilience.hedging = Hedging(after: .fixed(.seconds(1)), clock: clock)
        return Session(transport: transport, resilience: resilience)
    }

    @Test("over HTTP/1.1 the connection is closed", arguments: TransportKind.allCases)
    func http1(_ kind: TransportKind) async throws {
        let (count, hasArrived, isClosed) = (Locked(0), Promise<Void>(), Promise<Void>())
        let server = try await HTTPServer { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 {
                hasArrived.fulfill(())
                await request.waitUntilClosed()
                isClosed.fulfill(())
            }
            return .init(text: "\(number)")
        }
        try await kind.withTransport { transport in
            let clock = ManualClock()
            let session = Self.session(transport, clock)
            async let response = session.data(for: URLRequest(url: server.baseURL.appendingPathComponent("a")))
            await hasArrived.wait()
            await clock.someoneSleeps()
            clock.advance(by: .seconds(1))
            let text = try await response.text
            #expect(text == "2")
            await isClosed.wait()
            let next = try await session.data(for: URLRequest(url: server.baseURL)).text
            #expect(next == "3")
        }
        await server.shutDown()
    }

    #if NIO && !canImport(Darwin)
    @Test("over HTTP/2 the stream is reset, and the connection stays")
    func http2() async throws {
        let (hasArrived, isReset) = (Promise<Void>(), Promise<UInt32>())
        try await HTTP2Live.run { peer in
            let first = try #require(try await peer.request())
            hasArrived.fulfill(())
            let hedge = try #require(try await peer.request())
            try await peer.respond(body: "hedge", on: hedge.stream)
            isReset.fulfill(try await peer.frame(RawFrame.Kind.reset, on: first.stream).number)
            try await HTTP2Live.echo(peer)
        } then: { transport, server in
            let clock = ManualClock()
            let session = Self.session(transport, clock)
            async let response = session.data(for: URLRequest(url: server.url("/a")))
            await hasArrived.wait()
            await clock.someoneSleeps()
            clock.advance(by: .seconds(1))
            let text = try await response.text
            #expect(text == "hedge")
            // CANCEL (RFC 9113, section 7).
            #expect(await isReset.wait() == 8)
            let next = try await session.data(for: URLRequest(url: server.url("/b"))).text
            #expect(next == "/b")
        }
    }

    @Test("a streamed response of the hedge is read to its end after the other exchange is cancelled")
    func stream() async throws {
        let (hasArrived, isReset) = (Promise<Void>(), Promise<Void>())
        try await HTTP2Live.run { peer in
            let first = try #require(try await peer.request())
            hasArrived.fulfill(())
            let hedge = try #require(try await peer.request())
            try await peer.send(headers: [(":status", "200")], on: hedge.stream)
            _ = try await peer.frame(RawFrame.Kind.reset, on: first.stream)
            isReset.fulfill(())
            for text in ["a", "b", "c"] { try await peer.send(data: text, on: hedge.stream, isEnd: text == "c") }
        } then: { transport, server in
            let clock = ManualClock()
            let session = Self.session(transport, clock)
            async let response = session.stream(for: URLRequest(url: server.url("/a")))
            await hasArrived.wait()
            await clock.someoneSleeps()
            clock.advance(by: .seconds(1))
            var text = ""
            for try await chunk in try await response.body { text += String(decoding: chunk, as: UTF8.self) }
            #expect(text == "abc")
            #expect(isReset.value != nil)
        }
    }
    #endif
}
