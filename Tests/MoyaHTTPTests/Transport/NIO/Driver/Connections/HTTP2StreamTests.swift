#if NIO && !canImport(Darwin)
    import Foundation
    import FoundationNetworking
    import NIOCore
    import TestServers
    import Testing

    @testable import MoyaHTTP

    @Suite("Streams of HTTP/2", .timeLimit(.minutes(5)))
    struct HTTP2StreamTests {
        /// SETTINGS_MAX_CONCURRENT_STREAMS.
        private static func limit(_ count: UInt32) -> [(identifier: UInt16, value: UInt32)] { [(3, count)] }

        @Test("requests beyond the server's limit wait and are sent in order", arguments: [1, 2, 7])
        func limit(count: Int) async throws {
            let open = Locked((now: 0, most: 0, paths: [String]()))
            try await HTTP2Live.run(settings: Self.limit(UInt32(count))) { peer in
                var streams: [HTTP2Request] = []
                while let request = try await peer.request() {
                    streams.append(request)
                    open.withLock { open in
                        open.most = max(open.most, streams.count)
                        open.paths.append(request.path)
                    }
                    // Another stream would be opened here if the limit were exceeded.
                    if streams.count == count || request.path == "/first" {
                        for request in streams { try await peer.respond(body: request.path, on: request.stream) }
                        streams = []
                    }
                }
            } then: { transport, server in
                _ = try await HTTP2Live.text(transport, server.url("/first"))
                let texts = try await withThrowingTaskGroup(of: String.self) { group in
                    for number in 0..<(count * 6) {
                        group.addTask { try await HTTP2Live.text(transport, server.url("/\(number)")) }
                    }
                    return try await group.reduce(into: Set<String>()) { $0.insert($1) }
                }
                #expect(texts.count == count * 6)
                #expect(open.withLock { $0.most } == count)
            }
        }

        @Test("a server that temporarily allows no stream gets the requests later")
        func noStreamForAWhile() async throws {
            let allows = Promise<Void>()
            let isAllowed = Locked(false)
            try await HTTP2Live.run { peer in
                guard let first = try await peer.request() else { return }
                try await peer.send(settings: [(3, 0)])
                try await peer.respond(on: first.stream)
                await allows.wait()
                isAllowed.withLock { $0 = true }
                try await peer.send(settings: [(3, 10)])
                try await HTTP2Live.echo(peer)
            } then: { transport, server in
                _ = try await HTTP2Live.text(transport, server.url())
                let cancelled = Task { try await HTTP2Live.text(transport, server.url("/never"), method: .post) }
                let waiting = Task { try await HTTP2Live.text(transport, server.url("/waits"), method: .post) }
                cancelled.cancel()
                await expectEqual(HTTP2Live.code { try await cancelled.value }, .cancelled)
                #expect(!isAllowed.withLock { $0 })
                allows.fulfill(())
                try await expectEqual(waiting.value, "/waits")
            }
        }

        @Test("a request that is cancelled or times out while it waits for a stream is not sent")
        func waitingAndOver() async throws {
            let paths = Locked<[String]>([])
            let gate = Promise<Void>()
            try await HTTP2Live.run(settings: Self.limit(1)) { peer in
                while let request = try await peer.request() {
                    paths.withLock { $0.append(request.path) }
                    if request.path == "/holds" { await gate.wait() }
                    try await peer.respond(on: request.stream)
                }
            } then: { transport, server in
                _ = try await HTTP2Live.text(transport, server.url("/first"))
                async let held = HTTP2Live.text(transport, server.url("/holds"))
                while paths.withLock({ $0.last }) != "/holds" { try await Task.sleep(for: .milliseconds(1)) }
                let cancelled = Task {
                    try await HTTP2Live.text(
                        transport,
                        server.url("/cancelled"),
                        method: .post,
                        body: .data(Data("x".utf8))
                    )
                }
                let late = Task {
                    var request = TransportRequest(method: .post, url: server.url("/late"))
                    request.totalTimeout = .milliseconds(50)
                    return try await transport.send(request).status
                }
                await expectEqual(HTTP2Live.code { try await late.value }, .timedOut)
                cancelled.cancel()
                await expectEqual(HTTP2Live.code { try await cancelled.value }, .cancelled)
                gate.fulfill(())
                _ = try await held
                for _ in 0..<3 { _ = try await HTTP2Live.text(transport, server.url("/last")) }
                #expect(paths.withLock { $0 } == ["/first", "/holds", "/last", "/last", "/last"])
            }
        }

        @Test("cancelled streams are reset, and later frames on them are ignored")
        func lateFrames() async throws {
            let connections = Locked(0)
            try await HTTP2Live.run { peer in
                connections.withLock { $0 += 1 }
                var pending: [UInt32] = []
                while let request = try await peer.request() {
                    if request.path == "/never" {
                        pending.append(request.stream)
                        continue
                    }
                    if request.path == "/after" {
                        // All of them have been reset.
                        for stream in pending {
                            try await peer.send(headers: [(":status", "200")], on: stream)
                            try await peer.send(data: String(repeating: "x", count: 10_000), on: stream)
                            try await peer.send(RawFrame(RawFrame.Kind.windowUpdate, 0, stream, [0, 0, 0, 1]))
                            try await peer.send(headers: [("a", "b")], on: stream, isEnd: true)
                            try await peer.reset(stream, 0)
                        }
                    }
                    try await peer.respond(on: request.stream)
                }
            } then: { transport, server in
                _ = try await HTTP2Live.text(transport, server.url())
                let requests = (0..<200).map { _ in
                    Task { try await HTTP2Live.text(transport, server.url("/never")) }
                }
                _ = try await HTTP2Live.text(transport, server.url())
                for request in requests { request.cancel() }
                for request in requests { await expectEqual(HTTP2Live.code { try await request.value }, .cancelled) }
                for _ in 0..<3 { try await expectEqual(HTTP2Live.text(transport, server.url("/after")), "ok") }
                #expect(connections.withLock { $0 } == 1)
            }
        }

        @Test("a server that keeps sending on a closed stream loses the connection (RFC 9113, section 5.1)")
        func flood() async throws {
            let sent = Locked(0)
            let isEnded = Promise<Void>()
            try await HTTP2Live.run { peer in
                while let request = try await peer.request() {
                    try await peer.respond(on: request.stream)
                    guard request.path == "/flood" else { continue }
                    // The task ends with an error, because the connection is closed.
                    defer { isEnded.fulfill(()) }
                    while sent.withLock({ $0 }) < 100_000_000 {
                        try await peer.send(data: String(repeating: "x", count: 16_000), on: request.stream)
                        sent.withLock { $0 += 16_000 }
                    }
                }
            } then: { transport, server in
                try await expectEqual(HTTP2Live.text(transport, server.url("/flood")), "ok")
                await isEnded.wait()
                #expect(sent.withLock { $0 } < 100_000_000)
                try await expectEqual(HTTP2Live.text(transport, server.url("/next")), "ok")
            }
        }

        @Test("frames without an effect are limited for each interval (RFC 9113, section 10.5)")
        func framesWithoutEffect() throws {
            let useless: [HTTP2Frame] = [
                .data(1, ByteBuffer(), flowControlled: 0, endStream: false),
                .headers(1, fragment: ByteBuffer(bytes: [0x88]), endStream: false, endHeaders: true),
                .windowUpdate(1, increment: 1), .resetStream(1, .noError), .ignored(1),
                .ping(1, isAcknowledgment: false), .ping(1, isAcknowledgment: true),
            ]
            for frame in useless {
                var state = HTTP2ConnectionStateMachine()
                _ = try state.received(.settings([]))
                // An ended stream.
                let stream = try state.open(
                    HTTP2RequestHead(fields: [":method": "GET"]),
                    isHeadRequest: false,
                    endStream: true
                )
                #expect(stream == 1)
                _ = try state.received(.resetStream(1, .cancel))
                for _ in 0..<2 {
                    for _ in 0..<HTTP2Limits.framesWithoutEffect {
                        _ = try state.received(frame)
                        state.flushed()
                    }
                    state.intervalPassed()
                }
                for _ in 0..<HTTP2Limits.framesWithoutEffect { _ = try state.received(frame) }
                let error = #expect(throws: HTTP2Error.self) { try state.received(frame) }
                #expect(error?.scope == .connection)
                #expect(error?.code == .enhanceYourCalm)
            }
        }

        @Test("data in transit when streams were cancelled is accepted, and no more")
        func lateData() throws {
            let piece = ByteBuffer(repeating: 1, count: 16_000)
            var state = HTTP2ConnectionStateMachine()
            _ = try state.received(.settings([]))
            for _ in 0..<3 {
                let id = try state.open(
                    HTTP2RequestHead(fields: [":method": "GET"]),
                    isHeadRequest: false,
                    endStream: true
                )
                state.reset(id)
            }
            let allowed = (HTTP2Limits.lateData + 3 * HTTP2Limits.streamWindow) / 16_000
            let late = HTTP2Frame.data(1, piece, flowControlled: 16_000, endStream: false)
            for _ in 0..<allowed { _ = try state.received(late) }
            let error = #expect(throws: HTTP2Error.self) { try state.received(late) }
            #expect(error?.code == .streamClosed)
            #expect(error?.scope == .connection)
        }

        @Test(
            "a request whose response has begun is not unprocessed, whatever the server reports later",
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

        @Test("an early response ends the upload and closes its stream (RFC 9113, section 8.1)")
        func earlyResponses() async throws {
            let resets = Locked(0)
            try await HTTP2Live.run(settings: Self.limit(2)) { peer in
                var open: Set<UInt32> = []
                while let frame = try await peer.frame() {
                    switch frame.type {
                    case RawFrame.Kind.headers:
                        open.insert(frame.stream)
                        try await peer.respond("413", body: "too large", on: frame.stream)
                    case RawFrame.Kind.reset:
                        resets.withLock { $0 += 1 }
                    default: break
                    }
                }
            } then: { transport, server in
                for _ in 0..<10 {
                    let body = HTTPBody.sequence(EndlessBody())
                    let request = TransportRequest(method: .post, url: server.url(), body: body)
                    let response = try await transport.send(request)
                    #expect(response.status == 413)
                    try await expectEqual(response.collected(), Data("too large".utf8))
                }
                while resets.withLock({ $0 }) < 10 { try await Task.sleep(for: .milliseconds(1)) }
            }
        }

        @Test("a request head of 60 KB is sent in CONTINUATION frames (RFC 9113, section 6.10)")
        func largeRequestHead() async throws {
            try await HTTP2Live.run { peer in
                while let request = try await peer.request() {
                    try await peer.respond(body: "\(request["x-large"]?.count ?? 0)", on: request.stream)
                }
            } then: { transport, server in
                let name = try #require(HTTPField.Name("X-Large"))
                for count in [60_000, 20_000, 16_384, 10] {
                    let headers: HTTPFields = [name: String(repeating: "~", count: count)]
                    try await expectEqual(HTTP2Live.text(transport, server.url(), headers: headers), "\(count)")
                }
            }
        }

        @Test("a request head larger than the server's limit is not sent, and the connection continues")
        func refusedRequestHead() async throws {
            try await HTTP2Live.run(settings: [(6, 4_000)], HTTP2Live.echo) { transport, server in
                try await expectEqual(HTTP2Live.text(transport, server.url("/a")), "/a")
                let name = try #require(HTTPField.Name("X-Large"))
                let headers: HTTPFields = [name: String(repeating: "x", count: 4_000)]
                do {
                    _ = try await HTTP2Live.text(transport, server.url("/b"), headers: headers)
                    Issue.record("It was sent.")
                } catch let error as URLError {
                    #expect(error.code == .dataLengthExceedsMaximum)
                    #expect(error.localizedDescription.contains("4000"))
                }
                try await expectEqual(HTTP2Live.text(transport, server.url("/c")), "/c")
            }
        }

        @Test("connection fields of HTTP/1.1 are not sent (RFC 9113, section 8.2.2)")
        func connectionFields() async throws {
            try await HTTP2Live.run { peer in
                while let request = try await peer.request() {
                    try await peer.respond(body: request.fields.map(\.name).joined(separator: " "), on: request.stream)
                }
            } then: { transport, server in
                let headers: HTTPFields = [
                    .connection: "close", .te: "gzip", .upgrade: "h2c", .transferEncoding: "chunked",
                    HTTPField.Name("Keep-Alive") ?? .te: "1", HTTPField.Name("Proxy-Connection") ?? .te: "close",
                    .accept: "*/*", HTTPField.Name("Host") ?? .te: "example.com",
                ]
                let text = try await HTTP2Live.text(transport, server.url(), headers: headers)
                #expect(text == ":method :scheme :authority :path accept")
                let trailers = try await HTTP2Live.text(transport, server.url(), headers: [.te: "trailers"])
                #expect(trailers == ":method :scheme :authority :path te")
            }
        }

        @Test("a refused request is sent again until it is processed, with any method")
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

        @Test("a server that takes three requests on each connection processes each of 64 once, with any method")
        func goAwayAfterThree() async throws {
            let processed = Locked<[String: Int]>([:])
            try await HTTP2Live.run(settings: Self.limit(128)) { peer in
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

        @Test(
            "after GOAWAY, processed requests continue, and waiting ones go to another connection (RFC 9113, section 6.8)"
        )
        func goAwayWithWaiting() async throws {
            let connections = Locked(0)
            try await HTTP2Live.run(settings: Self.limit(1)) { peer in
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
            "a request lost with a reused connection is sent again if it is idempotent"
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

        @Test("a slow reader delays only its stream, and its response arrives complete")
        func slowReader() async throws {
            try await HTTP2Live.run { peer in
                while let request = try await peer.request() {
                    guard request.path == "/large" else {
                        try await peer.respond(on: request.stream)
                        continue
                    }
                    try await peer.send(headers: [(":status", "200")], on: request.stream)
                    // The size of the window.
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

        @Test("data beyond the window is a stream error (RFC 9113, section 6.9.1)")
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

        @Test("an upload waits for the server's windows", arguments: [1, 1_000, 65_535])
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

        @Test("the next request after a time-out without received bytes uses another connection")
        func deadConnection() async throws {
            let connections = Locked(0)
            let isLost = Locked(false)
            try await HTTP2Live.run { peer in
                let number = connections.withLock { connections in
                    connections += 1
                    return connections
                }
                guard number == 1 else { return try await HTTP2Live.echo(peer) }
                guard let first = try await peer.request() else { return }
                try await peer.respond(on: first.stream)
                // The server behaves as if it were unreachable.
                peer.respondsToPings = false
                while let frame = try await peer.frame() {
                    if frame.type == RawFrame.Kind.headers { isLost.withLock { $0 = true } }
                }
            } then: { transport, server in
                _ = try await HTTP2Live.text(transport, server.url())
                var request = TransportRequest(method: .get, url: server.url("/lost"))
                request.idleTimeout = .milliseconds(300)
                let lost = request
                // On a busy machine the time-out may pass before the request is sent.
                while !isLost.withLock({ $0 }) {
                    await expectEqual(HTTP2Live.code { try await transport.send(lost).status }, .timedOut)
                }
                try await expectEqual(HTTP2Live.text(transport, server.url("/next")), "/next")
                #expect(connections.withLock { $0 } == 2)
            }
        }

        @Test("after a timeout, a connection whose server responds to a PING is used again")
        func slowServer() async throws {
            let connections = Locked(0)
            let pings = Locked(0)
            try await HTTP2Live.run { peer in
                connections.withLock { $0 += 1 }
                peer.respondsToPings = false
                while let frame = try await peer.frame() {
                    switch frame.type {
                    case RawFrame.Kind.ping:
                        try await peer.send(RawFrame(RawFrame.Kind.ping, RawFrame.end, 0, frame.payload))
                        pings.withLock { $0 += 1 }
                    case RawFrame.Kind.headers where frame.stream != 3:
                        try await peer.respond(on: frame.stream)
                    default: break
                    }
                }
            } then: { transport, server in
                _ = try await HTTP2Live.text(transport, server.url())
                var request = TransportRequest(method: .get, url: server.url("/slow"))
                request.idleTimeout = .milliseconds(300)
                let slow = request
                await expectEqual(HTTP2Live.code { try await transport.send(slow).status }, .timedOut)
                while pings.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(1)) }
                // Its acknowledgement is in transit, and the first connection is usable with either order.
                for _ in 0..<5 { try await expectEqual(HTTP2Live.text(transport, server.url()), "ok") }
                #expect(connections.withLock { $0 } <= 2)
            }
        }

        @Test("a shutdown ends running and waiting requests and opens no connection")
        func shutdown() async throws {
            let connections = Locked(0)
            try await HTTP2Live.run(settings: Self.limit(2)) { peer in
                connections.withLock { $0 += 1 }
                while let request = try await peer.request() {
                    if request.path == "/first" { try await peer.respond(on: request.stream) }
                }
            } then: { transport, server in
                _ = try await HTTP2Live.text(transport, server.url("/first"))
                let requests = (0..<50).map { _ in Task { try await HTTP2Live.text(transport, server.url()) } }
                while connections.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(1)) }
                await transport.shutdown()
                for request in requests {
                    // A task that begins after the shutdown is refused.
                    let code = await HTTP2Live.code { try await request.value }
                    #expect(code == .cancelled || code == .resourceUnavailable)
                }
                #expect(connections.withLock { $0 } == 1)
                await expectEqual(
                    HTTP2Live.code { try await HTTP2Live.text(transport, server.url()) },
                    .resourceUnavailable
                )
            }
        }
    }
#endif
