#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import TestServers
import Testing

@testable import MoyaHTTP

@Suite("Responses are read over HTTP/2", .timeLimit(.minutes(5)))
struct HTTP2ResponseTests {
    /// The frames that a server sends on a stream, and the error of its request; the next request must succeed on
    /// the same connection.
    struct Malformed: Sendable, CustomTestStringConvertible {
        let name: String
        var code = URLError.Code.cannotParseResponse
        let send: @Sendable (HTTP2Peer, UInt32) async throws -> Void

        var testDescription: String { name }

        init(
            _ name: String,
            _ code: URLError.Code = .cannotParseResponse,
            _ send: @escaping @Sendable (HTTP2Peer, UInt32) async throws -> Void
        ) {
            (self.name, self.code, self.send) = (name, code, send)
        }

        init(status: String, isEnd: Bool = true) {
            self.init("status \"\(status)\"") {
                try await $0.send(headers: [(":status", status)], on: $1, isEnd: isEnd)
            }
        }

        init(_ name: String, fields: [(String, String)], body: String? = nil) {
            self.init(name) { peer, stream in
                try await peer.send(headers: [(":status", "200")] + fields, on: stream, isEnd: body == nil)
                if let body { try await peer.send(data: body, on: stream, isEnd: true) }
            }
        }
    }

    static let malformedResponses: [Malformed] = [
        // RFC 9110, section 15: three digits, and no class below 100.
        Malformed(status: "-1"), Malformed(status: ""), Malformed(status: "+200"), Malformed(status: "0"),
        Malformed(status: "1"), Malformed(status: "20"), Malformed(status: "2000"), Malformed(status: "1000"),
        Malformed(status: "9223372036854775807"), Malformed(status: " 200"),
        Malformed(status: "200 OK"), Malformed(status: "２００"), Malformed(status: "099"),
        // RFC 9113, section 8.1: an interim response does not end a stream; 8.6: there is no 101.
        Malformed(status: "103"), Malformed(status: "100"), Malformed(status: "101", isEnd: false),
        // RFC 9113, section 8.3: pseudo-header fields.
        Malformed("no status") { try await $0.send(headers: [("a", "b")], on: $1, isEnd: true) },
        Malformed("two statuses") {
            try await $0.send(headers: [(":status", "200"), (":status", "200")], on: $1, isEnd: true)
        },
        Malformed("the status comes late") {
            try await $0.send(headers: [("a", "b"), (":status", "200")], on: $1, isEnd: true)
        },
        Malformed("a request's pseudo-header field", fields: [(":path", "/")]),
        Malformed("an unknown pseudo-header field", fields: [(":unknown", "/")]),
        Malformed("a pseudo-header field in trailers") {
            try await $0.send(headers: [(":status", "200")], on: $1)
            try await $0.send(headers: [(":status", "200")], on: $1, isEnd: true)
        },
        Malformed("trailers that do not end the stream") {
            try await $0.send(headers: [(":status", "200")], on: $1)
            try await $0.send(headers: [("a", "b")], on: $1)
        },
        // RFC 9113, section 8.2.
        Malformed("connection", fields: [("connection", "close")]),
        Malformed("keep-alive", fields: [("keep-alive", "timeout=5")]),
        Malformed("transfer-encoding", fields: [("transfer-encoding", "chunked")]),
        Malformed("upgrade", fields: [("upgrade", "h2c")]),
        Malformed("proxy-connection", fields: [("proxy-connection", "close")]),
        Malformed("a name in upper case", fields: [("Server", "x")]),
        Malformed("a name with a space", fields: [("a b", "x")]),
        Malformed("a line break in a value", fields: [("a", "b\r\nc: d")]),
        Malformed("a NUL in a value", fields: [("a", "b\0")]),
        Malformed("a space before a value", fields: [("a", " b")]),
        Malformed("a tab after a value", fields: [("a", "b\t")]),
        // RFC 9113, section 8.1.1.
        Malformed("a body that is too long", fields: [("content-length", "1")], body: "ok"),
        Malformed("a body that is too short", fields: [("content-length", "3")], body: "ok"),
        Malformed("no body where one is declared", fields: [("content-length", "3")]),
        Malformed("two lengths", fields: [("content-length", "2"), ("content-length", "3")], body: "ok"),
        Malformed("a length that is no number", fields: [("content-length", "x")], body: "ok"),
        Malformed("a negative length", fields: [("content-length", "-2")], body: "ok"),
        Malformed("a body before its head") { try await $0.send(data: "x", on: $1, isEnd: true) },
        Malformed("a head of more than 256 KiB") { peer, stream in
            // The frames have 16,000 bytes.
            let value = String(repeating: "x", count: 15_900)
            var block = HTTP2Peer.block([(":status", "200")])
            for number in 0..<17 { block += HTTP2Peer.block([("x-\(number)", value)]) }
            try await peer.send(RawFrame(RawFrame.Kind.headers, RawFrame.end, stream, Array(block.prefix(16_000))))
            for start in stride(from: 16_000, to: block.count, by: 16_000) {
                let part = Array(block[start..<min(start + 16_000, block.count)])
                let isLast = start + 16_000 >= block.count
                try await peer.send(
                    RawFrame(RawFrame.Kind.continuation, isLast ? RawFrame.endHeaders : 0, stream, part)
                )
            }
        },
        Malformed("a window that is enlarged by nothing") {
            try await $0.send(RawFrame(RawFrame.Kind.windowUpdate, 0, $1, [0, 0, 0, 0]))
        },
        Malformed("a window that is too large") {
            try await $0.send(RawFrame(RawFrame.Kind.windowUpdate, 0, $1, [0x7f, 0xff, 0xff, 0xff]))
        },
        Malformed("a reset", .networkConnectionLost) { try await $0.reset($1, 2) },
        Malformed("a reset without an error, before the response", .networkConnectionLost) {
            try await $0.reset($1, 0)
        },
    ]

    @Test(
        "a response that is complete in one read is one value, however its body is cut into frames",
        arguments: [[""], ["ok"], ["ok", ""], ["o", "k"], ["o", "", "k", ""]]
    )
    func completeInOneRead(parts: [String]) async throws {
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() {
                let block = HTTP2Peer.block([(":status", "302")])
                let data = parts.indices.map { index in
                    let flags = index == parts.count - 1 ? RawFrame.end : 0
                    return RawFrame(RawFrame.Kind.data, flags, request.stream, Array(parts[index].utf8))
                }
                try await peer.send(
                    [RawFrame(RawFrame.Kind.headers, RawFrame.endHeaders, request.stream, block)] + data
                )
            }
        } then: { transport, server in
            // Otherwise its body would be a stream.
            var request = TransportRequest(method: .get, url: server.url("/"))
            request.droppableBodies = .redirectsAndChallenges
            guard case .complete(let body) = try await transport.send(request).body else {
                Issue.record("The body is a stream.")
                return
            }
            #expect(body == Data(parts.joined().utf8))
        }
    }

    @Test(
        "a malformed HTTP/2 response fails only its request (RFC 9113, sections 5.4.2 and 8.1.1)",
        arguments: malformedResponses
    )
    func malformed(_ row: Malformed) async throws {
        let connections = Locked(0)
        let isWaiting = Promise<Void>()
        try await HTTP2Live.run { peer in
            connections.withLock { $0 += 1 }
            var waiting: UInt32?
            while let request = try await peer.request() {
                switch request.path {
                case "/bad": try await row.send(peer, request.stream)
                case "/waits":
                    waiting = request.stream
                    isWaiting.fulfill(())
                default:
                    try await peer.respond(body: "ok", on: request.stream)
                    if let stream = waiting { try await peer.respond(body: "waited", on: stream) }
                }
            }
        } then: { transport, server in
            // This request makes the connection before the error.
            try await expectEqual(HTTP2Live.text(transport, server.url()), "ok")
            async let waited = HTTP2Live.text(transport, server.url("/waits"))
            await isWaiting.wait()
            let code = await HTTP2Live.code { try await HTTP2Live.text(transport, server.url("/bad")) }
            #expect(code == row.code)
            try await expectEqual(HTTP2Live.text(transport, server.url()), "ok")
            try await expectEqual(waited, "waited")
            #expect(connections.withLock { $0 } == 1)
        }
    }

    @Test(
        "interim responses over HTTP/2 are skipped (RFC 9110, section 15.2)",
        arguments: [0, TransportRequest.defaultResponseBufferLimit]
    )
    func interim(bufferLimit: Int) async throws {
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() {
                try await peer.send(headers: [(":status", "103"), ("link", "</a>")], on: request.stream)
                try await peer.send(headers: [(":status", "100")], on: request.stream)
                try await peer.send(headers: [(":status", "200"), ("a", "b")], on: request.stream)
                try await peer.send(data: String(repeating: "x", count: 10_000), on: request.stream, isEnd: true)
            }
        } then: { transport, server in
            var request = TransportRequest(method: .get, url: server.url())
            request.responseBufferLimit = bufferLimit
            let response = try await transport.send(request)
            #expect(response.status == 200)
            // The response has only the fields that were received.
            #expect(response.headers == [HTTPField.Name("a") ?? .accept: "b"])
            try await expectEqual(response.collected().count, 10_000)
        }
    }

    /// curl 7.88, Go 1.19 and Node.js 20 accept these statuses.
    @Test(
        "a status outside the classes is accepted over HTTP/2, as HTTP/1.1 accepts it",
        arguments: ["600", "799", "999"]
    )
    func unusualStatus(status: String) async throws {
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() { try await peer.respond(status, on: request.stream) }
        } then: { transport, server in
            let response = try await transport.send(TransportRequest(method: .get, url: server.url()))
            #expect("\(response.status)" == status)
            try await expectEqual(response.collected(), Data("ok".utf8))
        }
    }

    @Test("hundreds of interim responses are accepted over HTTP/2")
    func manyInterim() async throws {
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() {
                for _ in 0..<1_000 { try await peer.send(headers: [(":status", "103")], on: request.stream) }
                try await peer.respond(on: request.stream)
            }
        } then: { transport, server in
            try await expectEqual(HTTP2Live.text(transport, server.url()), "ok")
        }
    }

    @Test("a flood of interim responses is an error over HTTP/2")
    func tooManyInterim() async throws {
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() {
                let hints = RawFrame(
                    RawFrame.Kind.headers,
                    RawFrame.endHeaders,
                    request.stream,
                    HTTP2Peer.block([(":status", "103"), ("link", String(repeating: "a", count: 10_000))])
                )
                // The flood is endless, so that the number in ten seconds does not matter.
                while true { try await peer.send(Array(repeating: hints, count: 10)) }
            }
        } then: { transport, server in
            let code = await HTTP2Live.code { try await HTTP2Live.text(transport, server.url()) }
            #expect(code == .cannotParseResponse)
        }
    }

    @Test(
        "an HTTP/2 response without a body has the received fields, and no body",
        arguments: ["204", "304", "200"]
    )
    func empty(status: String) async throws {
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() {
                try await peer.send(headers: [(":status", status), ("x", "y")], on: request.stream, isEnd: true)
            }
        } then: { transport, server in
            let response = try await transport.send(TransportRequest(method: .get, url: server.url()))
            #expect("\(response.status)" == status)
            #expect(response.headers.map { "\($0)" } == ["x: y"])
            try await expectEqual(response.collected(), Data())
        }
    }

    @Test("trailers end an HTTP/2 response")
    func trailers() async throws {
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() {
                try await peer.send(headers: [(":status", "200")], on: request.stream)
                try await peer.send(data: "ok", on: request.stream)
                try await peer.send(headers: [("grpc-status", "0")], on: request.stream, isEnd: true)
            }
        } then: { transport, server in
            try await expectEqual(HTTP2Live.text(transport, server.url()), "ok")
        }
    }

    @Test("an HTTP/2 response to HEAD may declare a length and has no body")
    func head() async throws {
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() {
                try await peer.send(
                    headers: [(":status", "200"), ("content-length", "1000")],
                    on: request.stream,
                    isEnd: true
                )
            }
        } then: { transport, server in
            let response = try await transport.send(TransportRequest(method: .head, url: server.url()))
            #expect(response.headers[.contentLength] == "1000")
        }
    }

    @Test("a response head of 200 KiB, empty DATA frames, and many PINGs and resets are accepted over HTTP/2")
    func generousLimits() async throws {
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() {
                let value = String(repeating: "x", count: 8_000)
                var block = HTTP2Peer.block([(":status", "200")])
                for number in 0..<25 { block += HTTP2Peer.block([("x-\(number)", value)]) }
                try await peer.send(RawFrame(RawFrame.Kind.headers, 0, request.stream, Array(block.prefix(9_000))))
                for start in stride(from: 9_000, to: block.count, by: 9_000) {
                    let end = min(start + 9_000, block.count)
                    try await peer.send(
                        RawFrame(
                            RawFrame.Kind.continuation,
                            end == block.count ? RawFrame.endHeaders : 0,
                            request.stream,
                            Array(block[start..<end])
                        )
                    )
                }
                var frames = [
                    RawFrame(RawFrame.Kind.data, 0, request.stream),
                    RawFrame(RawFrame.Kind.ping, 0, 0, Array(repeating: 7, count: 8)),
                    RawFrame(RawFrame.Kind.settings),
                    RawFrame(0x42, 0xff, request.stream, [1, 2, 3]),
                    RawFrame(RawFrame.Kind.priority, 0, request.stream, [0, 0, 0, 0, 1]),
                ]
                // The frame belongs to an ended stream.
                if request.stream > 1 { frames.append(RawFrame(RawFrame.Kind.reset, 0, 1, [0, 0, 0, 0])) }
                // Many frames in one write, because a thousand writes would exceed the request's timeout.
                let many = Array(repeating: frames, count: 100).flatMap(\.self)
                for _ in 0..<8 { try await peer.send(many) }
                try await peer.send(data: "ok", on: request.stream, isEnd: true)
            }
        } then: { transport, server in
            for _ in 0..<2 { try await expectEqual(HTTP2Live.text(transport, server.url()), "ok") }
        }
    }

    /// Frames that end the connection, and the error code (RFC 9113, sections 4 to 6).
    struct Breach: Sendable, CustomTestStringConvertible {
        let name: String
        let code: UInt32
        let frames: @Sendable (UInt32) -> [RawFrame]

        var testDescription: String { name }

        init(_ name: String, _ code: UInt32, _ frames: @escaping @Sendable (UInt32) -> [RawFrame]) {
            (self.name, self.code, self.frames) = (name, code, frames)
        }
    }

    static let breaches: [Breach] = [
        Breach("DATA for no stream", 1) { _ in [RawFrame(0)] },
        Breach("DATA on a stream that was never opened", 1) { [RawFrame(0, 0, $0 + 2)] },
        Breach("DATA on a stream of the server's", 1) { _ in [RawFrame(0, 0, 2)] },
        Breach("HEADERS for no stream", 1) { _ in [RawFrame(1, 4, 0, [0x88])] },
        Breach("HEADERS on a stream of the server's", 1) { _ in [RawFrame(1, 4, 2, [0x88])] },
        Breach("RST_STREAM on a stream that was never opened", 1) { [RawFrame(3, 0, $0 + 2, [0, 0, 0, 0])] },
        Breach("RST_STREAM of three bytes", 6) { [RawFrame(3, 0, $0, [0, 0, 0])] },
        Breach("SETTINGS on a stream", 1) { [RawFrame(4, 0, $0)] },
        Breach("SETTINGS of five bytes", 6) { _ in [RawFrame(4, 0, 0, [0, 0, 0, 0, 0])] },
        Breach("an acknowledgement with parameters", 6) { _ in [RawFrame(4, 1, 0, [0, 1, 0, 0, 0, 0])] },
        Breach("SETTINGS of 33 parameters", 11) { _ in
            [RawFrame(4, 0, 0, Array(repeating: [0, 3, 0, 0, 0, 100], count: 33).flatMap(\.self))]
        },
        Breach("pushes switched on", 1) { _ in [RawFrame(4, 0, 0, [0, 2, 0, 0, 0, 1])] },
        Breach("an initial window that is too large", 3) { _ in [RawFrame(4, 0, 0, [0, 4, 0x80, 0, 0, 0])] },
        Breach("a maximum frame size that is too small", 1) { _ in [RawFrame(4, 0, 0, [0, 5, 0, 0, 0, 0])] },
        Breach("PUSH_PROMISE", 1) { [RawFrame(5, 4, $0, [0, 0, 0, 2, 0x82])] },
        Breach("PING of seven bytes", 6) { _ in [RawFrame(6, 0, 0, Array(repeating: 0, count: 7))] },
        Breach("PING on a stream", 1) { [RawFrame(6, 0, $0, Array(repeating: 0, count: 8))] },
        Breach("GOAWAY on a stream", 1) { [RawFrame(7, 0, $0, Array(repeating: 0, count: 8))] },
        Breach("GOAWAY of seven bytes", 6) { _ in [RawFrame(7, 0, 0, Array(repeating: 0, count: 7))] },
        Breach("WINDOW_UPDATE of five bytes", 6) { [RawFrame(8, 0, $0, Array(repeating: 1, count: 5))] },
        Breach("the connection's window is enlarged by nothing", 1) { _ in [RawFrame(8, 0, 0, [0, 0, 0, 0])] },
        Breach("the connection's window is too large", 3) { _ in [RawFrame(8, 0, 0, [0x7f, 0xff, 0xff, 0xff])] },
        Breach("a stream's window is too large by a setting", 3) {
            [RawFrame(8, 0, $0, [0x7f, 0xfe, 0, 0]), RawFrame(4, 0, 0, [0, 4, 0x7f, 0xff, 0xff, 0xff])]
        },
        Breach("CONTINUATION without HEADERS", 1) { [RawFrame(9, 4, $0, [0x88])] },
        Breach("another frame in a header section", 1) { [RawFrame(1, 0, $0, [0x88]), RawFrame(0, 0, $0)] },
        Breach("CONTINUATION of another stream", 1) { [RawFrame(1, 0, $0, [0x88]), RawFrame(9, 4, $0 + 2)] },
        Breach("padding that is longer than the frame", 1) { [RawFrame(0, 8, $0, [5, 0])] },
        Breach("padding without its length", 6) { [RawFrame(0, 8, $0)] },
        Breach("HEADERS that are too short for their priority", 6) { [RawFrame(1, 0x24, $0, [0, 0])] },
        Breach("a frame that is too long", 6) { [RawFrame(0, 0, $0, Array(repeating: 0, count: 16_385))] },
        Breach("an index of no field", 9) { [RawFrame(1, 5, $0, [0xff, 0xff, 0xff])] },
        Breach("a field that is cut off", 9) { [RawFrame(1, 5, $0, [0x00, 0x05, 0x61])] },
        Breach("an integer that is too large", 9) {
            [RawFrame(1, 5, $0, [0xff] + Array(repeating: 0xff, count: 20) + [0])]
        },
        Breach("a table that is larger than allowed", 9) { [RawFrame(1, 5, $0, [0x3f, 0xff, 0xff, 0x7f])] },
        Breach("a header section of many frames", 11) { stream in
            [RawFrame(1, 0, stream)] + Array(repeating: RawFrame(9, 0, stream), count: 1_100)
        },
    ]

    @Test(
        "a frame that breaks the rules of an HTTP/2 connection ends it, and the next request gets a new connection",
        arguments: breaches
    )
    func breach(_ row: Breach) async throws {
        let codes = Locked<[UInt32]>([])
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() {
                guard request.path == "/bad" else {
                    try await peer.respond(on: request.stream)
                    continue
                }
                for frame in row.frames(request.stream) { try await peer.send(frame) }
                let goAway = try await peer.frame(RawFrame.Kind.goAway)
                codes.withLock { $0.append(goAway.payload[4..<8].reduce(0) { $0 << 8 | UInt32($1) }) }
            }
        } then: { transport, server in
            try await expectEqual(HTTP2Live.text(transport, server.url()), "ok")
            let code = await HTTP2Live.code { try await HTTP2Live.text(transport, server.url("/bad")) }
            #expect(code == .cannotParseResponse)
            try await expectEqual(HTTP2Live.text(transport, server.url()), "ok")
            // A server that is still writing may never read the client's frames.
            guard row.name != "a header section of many frames" else { return }
            while codes.withLock({ $0 }).isEmpty { try await Task.sleep(for: .milliseconds(1)) }
            #expect(codes.withLock { $0 } == [row.code])
        }
    }

    @Test("a server whose first frame is not SETTINGS fails the HTTP/2 connection (RFC 9113, section 3.4)")
    func noSettings() async throws {
        try await HTTP2Live.run(settings: nil) { peer in
            try await peer.send(RawFrame(RawFrame.Kind.ping, 0, 0, Array(repeating: 0, count: 8)))
        } then: { transport, server in
            let code = await HTTP2Live.code { try await HTTP2Live.text(transport, server.url()) }
            #expect(code == .cannotParseResponse)
        }
    }
}
#endif
