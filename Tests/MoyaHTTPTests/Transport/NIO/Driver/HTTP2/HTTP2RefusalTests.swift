#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import NIOCore
import NIOPosix
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("HTTP/2 servers may refuse requests or end the connection", .timeLimit(.minutes(5)))
struct HTTP2RefusalTests {
    @Test("a request that an HTTP/2 server refused is sent again until it is processed, with any method")
    func refused() async throws {
        let counts = Locked<[String: Int]>([:])
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() {
                let count = counts.withLock { counts in
                    counts[request.path, default: 0] += 1
                    return counts[request.path] ?? 0
                }
                if count < 8 {
                    try await peer.reset(request.stream, 7)
                } else {
                    try await peer.respond(on: request.stream)
                }
            }
        } then: { transport, server in
            for method in [HTTPMethod.get, .post] {
                let text = try await HTTP2Live.resentText(
                    transport,
                    server.url("/\(method.rawValue)"),
                    method: method,
                    body: .data(Data("x".utf8))
                )
                #expect(text == "ok")
            }
            #expect(counts.withLock { $0 } == ["/GET": 8, "/POST": 8])
            // The transport sends the request once, and the error says that it may be resent.
            do {
                _ = try await HTTP2Live.text(transport, server.url("/once"), method: .post)
                Issue.record("It was sent again.")
            } catch let error as URLError {
                #expect(error.isRequestUnprocessed)
                #expect(error.code == .networkConnectionLost)
            }
            #expect(counts.withLock { $0["/once"] } == 1)
        }
    }

    @Test("an HTTP/2 server that allows 100 streams, and accepts four at once, refuses few of 150 requests")
    func acceptsFew() async throws {
        let headers = Locked(0)
        try await HTTP2Live.run(settings: [(3, 100)]) { peer in
            var running: [UInt32] = []
            func receive(_ frame: RawFrame) async throws {
                guard frame.type == RawFrame.Kind.headers else { return }
                headers.withLock { $0 += 1 }
                if running.count < 4 {
                    running.append(frame.stream)
                } else {
                    try await peer.reset(frame.stream, 7)
                }
            }
            while let frame = try await peer.frame() {
                try await receive(frame)
                while !running.isEmpty {
                    // The frames that the client has sent before it acknowledges the PING come before the next response.
                    try await peer.send(RawFrame(RawFrame.Kind.ping, 0, 0, Array(repeating: 1, count: 8)))
                    while let frame = try await peer.frame(), frame.type != RawFrame.Kind.ping {
                        try await receive(frame)
                    }
                    try await peer.respond(on: running.removeFirst())
                }
            }
        } then: { transport, server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<150 {
                    group.addTask {
                        try await expectEqual(HTTP2Live.resentText(transport, server.url("/\(number)")), "ok")
                    }
                }
                try await group.waitForAll()
            }
            // The first streams, and one more for each response and for each second, are refused. Without an allowance there would be
            // thousands.
            #expect(headers.withLock { $0 } <= 1_000)
        }
    }

    @Test(
        "an HTTP/2 request whose response has begun counts as processed, whatever the server reports later",
        arguments: [false, true],
        ["", "body"]
    )
    func refusedAfterItsHead(isReset: Bool, body: String) async throws {
        let count = Locked(0)
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() {
                guard request[":method"] == "POST" else {
                    try await peer.respond(on: request.stream)
                    continue
                }
                count.withLock { $0 += 1 }
                try await peer.send(headers: [(":status", "201")], on: request.stream)
                if !body.isEmpty { try await peer.send(data: body, on: request.stream) }
                if isReset {
                    try await peer.reset(request.stream, 7)
                } else {
                    try await peer.goAway(last: 0)
                }
            }
        } then: { transport, server in
            try await expectEqual(HTTP2Live.text(transport, server.url()), "ok")
            let error = await #expect(throws: URLError.self) {
                try await HTTP2Live.resentText(transport, server.url(), method: .post)
            }
            #expect(error?.code == .networkConnectionLost)
            #expect(error?.isRequestUnprocessed == false)
            #expect(count.withLock { $0 } == 1)
        }
    }

    @Test("a server that takes three requests on each HTTP/2 connection processes each of 64 once, with any method")
    func goAwayAfterThree() async throws {
        let processed = Locked<[String: Int]>([:])
        try await HTTP2Live.run(settings: [(3, 128)]) { peer in
            var last: UInt32 = 0
            for number in 1...3 {
                guard let request = try await peer.request() else { return }
                last = request.stream
                processed.withLock { $0[request.path, default: 0] += 1 }
                try await peer.respond(body: request.path, on: request.stream)
                if number == 3 { try await peer.goAway(last: last) }
            }
        } then: { transport, server in
            let texts = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<64 {
                    group.addTask {
                        try await HTTP2Live.resentText(
                            transport,
                            server.url("/\(number)"),
                            method: number.isMultiple(of: 2) ? .get : .post,
                            body: .data(Data("x".utf8))
                        )
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(texts.count == 64)
            #expect(processed.withLock { $0 } == Dictionary(uniqueKeysWithValues: (0..<64).map { ("/\($0)", 1) }))
        }
    }

    @Test("the HTTP/2 connection that follows a GOAWAY is on the event loop of the caller, as the first one")
    func goAwayOnLoop() async throws {
        // With a limit of one, no second connect attempt starts on another event loop.
        try await HTTP2Live.run(connections: 1) { peer in
            while let request = try await peer.request() {
                try await peer.goAway(last: request.stream)
                try await peer.respond(on: request.stream)
            }
        } then: { transport, server in
            for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
                let onLoop = Locked<[Bool]>([])
                try await withTaskExecutorPreference(transport.taskExecutor(of: loop)) {
                    for _ in 0..<2 {
                        var request = TransportRequest(method: .get, url: server.url())
                        request.onConnect = {
                            let isOnLoop = loop.inEventLoop
                            onLoop.withLock { $0.append(isOnLoop) }
                        }
                        let data = try await transport.send(request).collected()
                        #expect(data == Data("ok".utf8))
                    }
                }
                #expect(onLoop.withLock { $0 } == [true, true])
            }
        }
    }

    @Test(
        "after GOAWAY, processed requests continue, and waiting requests go to another connection (RFC 9113, section 6.8)"
    )
    func goAwayWithWaiting() async throws {
        let connections = Locked(0)
        try await HTTP2Live.run(settings: [(3, 1)], connections: 1) { peer in
            let number = connections.withLock { connections in
                connections += 1
                return connections
            }
            guard number == 1 else { return try await HTTP2Live.echo(peer) }
            guard let first = try await peer.request() else { return }
            try await peer.respond(on: first.stream)
            guard let slow = try await peer.request() else { return }
            try await peer.goAway(last: slow.stream)
            // The server responds after the waiting requests have moved to another connection.
            while connections.withLock({ $0 }) < 2 { try await Task.sleep(for: .milliseconds(1)) }
            try await peer.respond(body: "slow", on: slow.stream)
        } then: { transport, server in
            _ = try await HTTP2Live.text(transport, server.url("/first"))
            async let slow = HTTP2Live.text(transport, server.url("/slow"), method: .post)
            let others = (0..<20).map { number in
                Task { try await HTTP2Live.text(transport, server.url("/\(number)"), method: .post) }
            }
            let text = try await slow
            #expect(text == "slow" || text == "/slow")
            for (number, other) in others.enumerated() {
                let text = try await other.value
                #expect(text == "/\(number)" || text == "slow")
            }
            #expect(connections.withLock { $0 } == 2)
        }
    }

    @Test(
        "a request that is lost with a reused HTTP/2 connection is sent again if it is idempotent"
    )
    func lostConnection() async throws {
        let paths = Locked<[String]>([])
        try await HTTP2Live.run { peer in
            var isFirst = true
            while let request = try await peer.request() {
                paths.withLock { $0.append(request.path) }
                if request.path == "/new" || !isFirst && request.path == "/old" { return try await peer.close() }
                isFirst = false
                try await peer.respond(on: request.stream)
            }
        } then: { transport, server in
            // The connection is new, so the request is not resent.
            let new = await HTTP2Live.code { try await HTTP2Live.resentText(transport, server.url("/new")) }
            #expect(new == .networkConnectionLost)
            _ = try await HTTP2Live.resentText(transport, server.url("/first"))
            try await expectEqual(HTTP2Live.resentText(transport, server.url("/old")), "ok")
            // A POST may have been processed.
            let post = await HTTP2Live.code {
                try await HTTP2Live.resentText(transport, server.url("/old"), method: .post)
            }
            #expect(post == .networkConnectionLost)
            #expect(paths.withLock { $0 } == ["/new", "/first", "/old", "/old", "/old"])
        }
    }
}
#endif
