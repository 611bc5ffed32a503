#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import TestServers
import Testing

@testable import MoyaHTTP

@Suite("The windows of HTTP/2 limit the data in transit", .timeLimit(.minutes(5)))
struct HTTP2WindowTests {
    @Test("a slow reader delays only its HTTP/2 stream, and its response arrives complete")
    func slowReader() async throws {
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() {
                guard request.path == "/large" else {
                    try await peer.respond(on: request.stream)
                    continue
                }
                try await peer.send(headers: [(":status", "200")], on: request.stream)
                // The data fills the window.
                for _ in 0..<64 {
                    try await peer.send(data: String(repeating: "x", count: 16_384), on: request.stream)
                }
            }
        } then: { transport, server in
            var large = TransportRequest(method: .get, url: server.url("/large"))
            large.responseBufferLimit = 0
            guard case .stream(let body) = try await transport.send(large).body else {
                Issue.record("The response is no stream.")
                return
            }
            for _ in 0..<5 { try await expectEqual(HTTP2Live.text(transport, server.url()), "ok") }
            var count = 0
            for try await chunk in body {
                count += chunk.count
                if count == 64 * 16_384 { break }
            }
            #expect(count == 64 * 16_384)
        }
    }

    @Test("data beyond the HTTP/2 window is a stream error (RFC 9113, section 6.9.1)")
    func tooMuchData() async throws {
        let resets = Locked<[UInt32]>([])
        try await HTTP2Live.run { peer in
            var count = 0
            while let frame = try await peer.frame() {
                if frame.type == RawFrame.Kind.reset { resets.withLock { $0.append(frame.number) } }
                guard frame.type == RawFrame.Kind.headers else { continue }
                count += 1
                try await peer.send(headers: [(":status", "200")], on: frame.stream)
                // The response to the second request exceeds the window.
                guard count == 2 else {
                    try await peer.send(data: "ok", on: frame.stream, isEnd: true)
                    continue
                }
                for _ in 0..<65 {
                    try await peer.send(data: String(repeating: "x", count: 16_384), on: frame.stream)
                }
            }
        } then: { transport, server in
            _ = try await HTTP2Live.text(transport, server.url())
            var flood = TransportRequest(method: .get, url: server.url())
            flood.responseBufferLimit = 0
            let response = try await transport.send(flood)
            // The body is not read, so the window is not restored.
            while resets.withLock({ $0 }).isEmpty { try await Task.sleep(for: .milliseconds(1)) }
            #expect(resets.withLock { $0 } == [3])
            let code = await HTTP2Live.code { try await response.collected() }
            #expect(code == .cannotParseResponse)
            try await expectEqual(HTTP2Live.text(transport, server.url()), "ok")
        }
    }

    @Test("an upload waits for the HTTP/2 server's windows", arguments: [1, 1_000, 65_535])
    func sendWindows(window: UInt32) async throws {
        let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 3) })
        try await HTTP2Live.run(settings: [(4, window)]) { peer in
            // The client knows the settings after this response.
            guard let first = try await peer.request() else { return }
            try await peer.respond(on: first.stream)
            guard let request = try await peer.request() else { return }
            var received = Data()
            var (stream, connection) = (Int(window), 65_535)
            while received.count < data.count {
                let frame = try await peer.frame(RawFrame.Kind.data, on: request.stream)
                received.append(contentsOf: frame.payload)
                stream -= frame.payload.count
                connection -= frame.payload.count
                #expect(stream >= 0 && connection >= 0)
                let increment = HTTP2Peer.bytes(UInt32(20_000))
                if stream <= 0 {
                    stream += 20_000
                    try await peer.send(RawFrame(RawFrame.Kind.windowUpdate, 0, request.stream, increment))
                }
                if connection <= 0 {
                    connection += 20_000
                    try await peer.send(RawFrame(RawFrame.Kind.windowUpdate, 0, 0, increment))
                }
            }
            #expect(received == data)
            try await peer.respond(on: request.stream)
        } then: { transport, server in
            _ = try await HTTP2Live.text(transport, server.url())
            let text = try await HTTP2Live.text(transport, server.url(), method: .put, body: .data(data))
            #expect(text == "ok")
        }
    }
}
#endif
