#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

/// A request body of two pieces, the second of which is late.
private struct LateBody: AsyncSequence, Sendable {
    let marks: Marks
    let delay: Duration

    struct AsyncIterator: AsyncIteratorProtocol {
        let body: LateBody
        var count = 0

        mutating func next() async throws -> Data? {
            count += 1
            switch count {
            case 1: return Data("first".utf8)
            case 2:
                body.marks.mark("body began")
                try await Task.sleep(for: body.delay)
                body.marks.mark("body produced")
                return Data("second".utf8)
            default: return nil
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: self) }
}

private struct LateResolver: HostResolver {
    let marks: Marks
    let delay: Duration

    func resolve(_ host: String) async throws -> ResolvedHost {
        marks.mark("lookup began")
        try await Task.sleep(for: delay)
        marks.mark("lookup ended")
        return ResolvedHost(addresses: ["127.0.0.1"])
    }
}

/// The times of an exchange with a server over TLS behind a proxy.
///
/// The resolver, the proxy, the handshake, the request's body, the head and the body of the response
/// take a known time each.
private struct SlowExchange {
    static let delay = Duration.milliseconds(100)
    /// The handshake computes for a few milliseconds, so its delay is longer.
    static let handshakeDelay = Duration.milliseconds(400)

    let marks: Marks
    let timings: ExchangeTimings
    let events: [ExchangeEvent]
    let end: ContinuousClock.Instant

    static func run(http2: Bool) async throws -> SlowExchange {
        let marks = Marks()
        let authority = try TestAuthority()
        let tls = try authority.issue().serverConfiguration()
        var delays = TestProxy.Delays()
        (delays.tunnel, delays.firstBytes) = (delay, handshakeDelay)
        let proxy = try await TestProxy(.http(authorization: nil), delays: delays, marks: marks)
        var configuration = try TransportConfiguration(trusting: authority)
        configuration.hostResolver = LateResolver(marks: marks, delay: delay)
        configuration.proxy = .http(host: "proxy.test", port: proxy.port)
        let transport = try NIOTransport(connection: configuration)
        let events = Recorder<ExchangeEvent>()
        let recorder = ExchangeRecorder { event, _ in events.add(event) }
        func send(to url: URL) async throws {
            let body = HTTPBody.sequence(LateBody(marks: marks, delay: delay))
            var request = TransportRequest(method: .post, url: url, body: body)
            request.recorder = recorder
            let received = try await transport.send(request).collected()
            #expect(String(decoding: received, as: UTF8.self) == "1234567890")
        }
        if http2 {
            let server = try await HTTP2Server(tls: tls) { try await serve($0, marks) }
            try await transport.shutDown(after: { try await send(to: server.url("/")) })
            await server.shutDown()
        } else {
            let server = try await RawServer(tls: tls) { try await serve($0, marks) }
            try await transport.shutDown(after: {
                try await send(to: try #require(URL(string: "https://localhost:\(server.port)/")))
            })
            await server.shutDown()
        }
        let end = ContinuousClock.now
        _ = try await proxy.shutDown()
        return SlowExchange(marks: marks, timings: recorder.timings, events: events.values, end: end)
    }

    private static func serve(_ connection: RawConnection, _ marks: Marks) async throws {
        guard try await connection.head() != nil else { return }
        marks.mark("head received")
        _ = try await connection.body()
        marks.mark("request received")
        try await Task.sleep(for: delay)
        marks.mark("response began")
        try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345")
        try await Task.sleep(for: delay)
        marks.mark("response ended")
        try await connection.writer.write("67890")
        await connection.waitUntilClosed()
    }

    private static func serve(_ peer: HTTP2Peer, _ marks: Marks) async throws {
        guard let request = try await peer.request() else { return }
        marks.mark("head received")
        while try await peer.frame(RawFrame.Kind.data).flags & RawFrame.end == 0 {}
        marks.mark("request received")
        try await Task.sleep(for: delay)
        marks.mark("response began")
        try await peer.send(headers: [(":status", "200")], on: request.stream)
        try await peer.send(data: "12345", on: request.stream)
        try await Task.sleep(for: delay)
        marks.mark("response ended")
        try await peer.send(data: "67890", on: request.stream, isEnd: true)
    }

    func time(_ mark: String) throws -> Duration { try #require(marks[mark]) - timings.start }

    func time(from start: String, to end: String) throws -> Duration { try time(end) - time(start) }

    /// The measured durations of the phases, and those that the servers have measured.
    func durations() throws -> [(phase: String, measured: Duration, actual: Duration)] {
        let (acquired, sent) = (try #require(timings.acquired), try #require(timings.requestSent))
        let (began, ended) = (try #require(timings.responseStarted), try #require(timings.ended))
        return [
            ("lookup", try #require(timings.lookup?.duration), try time(from: "lookup began", to: "lookup ended")),
            ("proxy", try #require(timings.proxy?.duration), try time(from: "connect received", to: "tunnel opened")),
            (
                "tls", try #require(timings.tls?.duration),
                try time(from: "first bytes received", to: "first bytes sent")
            ),
            ("request", sent - acquired, try time(from: "body began", to: "body produced")),
            ("wait", began - sent, try time(from: "request received", to: "response began")),
            ("response", ended - began, try time(from: "response began", to: "response ended")),
        ]
    }
}

@Suite("A transport measures the phases of an exchange", .timeLimit(.minutes(5)))
struct PhaseTimesTests {
    @Test(
        "each phase includes the time that its peer took, and the phases follow each other",
        arguments: [false, true]
    )
    func order(http2: Bool) async throws {
        let exchange = try await SlowExchange.run(http2: http2)
        let timings = exchange.timings
        let queued = try #require(timings.queued)
        let lookup = try #require(timings.lookup)
        let connect = try #require(timings.connect)
        let proxy = try #require(timings.proxy)
        let tls = try #require(timings.tls)
        // A peer learns of a phase after its beginning, and the phase ends after the reply of the peer. So these bounds are exact.
        let ordered: [(String, Duration?)] = [
            ("begin", .zero), ("queued", queued.start), ("lookup", lookup.start),
            ("lookup began", try exchange.time("lookup began")),
            ("lookup ended", try exchange.time("lookup ended")), ("lookup end", lookup.end),
            ("connect", connect.start), ("connect end", connect.end), ("proxy", proxy.start),
            ("connect received", try exchange.time("connect received")),
            ("tunnel opened", try exchange.time("tunnel opened")), ("proxy end", proxy.end), ("tls", tls.start),
            ("first bytes received", try exchange.time("first bytes received")),
            ("first bytes sent", try exchange.time("first bytes sent")), ("tls end", tls.end),
            ("acquired", timings.acquired), ("head sent", timings.requestHeadSent),
            ("body produced", try exchange.time("body produced")), ("sent", timings.requestSent),
        ]
        let response: [(String, Duration?)] = [
            ("request received", try exchange.time("request received")),
            ("response began", try exchange.time("response began")), ("first byte", timings.responseStarted),
            ("head", timings.responseHead), ("response ended", try exchange.time("response ended")),
            ("last byte", timings.ended), ("end", exchange.end - timings.start),
        ]
        for list in [ordered, response] {
            for (first, second) in zip(list, list.dropFirst()) {
                let (one, other) = (try #require(first.1, "\(first.0)"), try #require(second.1, "\(second.0)"))
                #expect(one <= other, "\(first.0) is after \(second.0)")
            }
        }
        #expect(queued.end == timings.acquired)
        #expect(!timings.hasFailed && timings.isConnectionReused == false)
        let connection = try #require(timings.connection)
        #expect(connection.httpVersion == (http2 ? "HTTP/2" : "HTTP/1.1"))
        #expect(connection.remoteAddress?.ipAddress == "127.0.0.1" && connection.localAddress != nil)
        #expect(connection.tls?.version == "TLSv1.3")
        #expect(connection.tls?.cipherSuite?.hasPrefix("TLS_") == true)
        #expect(timings.bytes.requestBody == 11 && timings.bytes.responseBody == 10)
        #expect(try #require(timings.bytes.requestHead) > 0 && #require(timings.bytes.responseHead) > 0)
    }

    @Test("each phase is measured within 2 ms or 5 % of its time", arguments: [false, true])
    func accuracy(http2: Bool) async throws {
        // On a busy machine threads wait, so the best of several measurements of each phase counts.
        var missing: Set<String> = ["lookup", "proxy", "tls", "request", "wait", "response"]
        for _ in 0..<30 where !missing.isEmpty {
            for (phase, measured, actual) in try await SlowExchange.run(http2: http2).durations() {
                let excess = measured - actual
                if abs(excess / .milliseconds(1)) <= max(2, actual / .milliseconds(1) * 0.05) { missing.remove(phase) }
            }
        }
        #expect(missing.isEmpty)
    }

    @Test("the events arrive while the exchange runs, in the order of the phases", arguments: [false, true])
    func events(http2: Bool) async throws {
        let names = try await SlowExchange.run(http2: http2).events.map { "\($0)".prefix { $0 != "(" } }
        let connecting = [
            "queued", "lookupStarted", "lookupEnded", "connectStarted", "connectEnded", "proxyStarted", "proxyEnded",
            "tlsStarted", "tlsEnded", "acquired",
        ]
        let exchange = ["requestHeadSent", "requestSent", "responseStarted", "responseHead", "responseEnded"]
        #expect(names.map { String($0) } == connecting + exchange)
    }
}
#endif
