#if NIO && !canImport(Darwin)
import Foundation
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("WebSockets exchange messages over real connections", .timeLimit(.minutes(5)))
struct WebSocketLiveTests {
    private typealias Frame = WebSocketServer.Frame

    @Test(
        "messages of both kinds are sent and received in their order",
        arguments: WebSocketCarrying.allCases
    )
    func echo(_ carrying: WebSocketCarrying) async throws {
        try await withWebSocketServer(carrying: carrying) {
            try await $0.echo()
        } test: { session, server in
            let socket = try await session.open(server)
            let messages: [WebSocketMessage] = [
                .text("Hello"), .data(Data([0, 255])), .text(""), .data(Data()), .text("世界 🎉"),
                .data(Pattern().bytes(200_000)),
            ]
            for message in messages { try await socket.send(message) }
            for message in messages { #expect(try await socket.receive() == message) }
            try await socket.close()
            #expect(try await socket.receive() == nil)
        }
    }

    @Test("the request has the fields of the handshake, and the response is that of the upgrade")
    func handshake() async throws {
        let answer: @Sendable (RequestHead) -> WebSocketServer.Answer = { _ in
            .open(["Sec-WebSocket-Protocol": "v2.chat", "X-Server": "test"])
        }
        try await withWebSocketServer(answer: answer) { peer in
            let fields = peer.request.fields.map { "\($0.name): \($0.value)" }
            try await peer.send(
                .text(fields.joined(separator: "\n")),
                .text("\(peer.request.method) \(peer.request.target)")
            )
            _ = try await peer.echo()
        } test: { session, server in
            let options = WebSocketOptions(subprotocols: ["chat", "v2.chat"], compression: WebSocketCompression())
            let socket = try await session.open(server, "/path?a=b", options)
            let fields = try #require(try await socket.receive()?.text).split(separator: "\n")
            #expect(fields.contains("host: 127.0.0.1:\(server.port)"))
            #expect(fields.contains("sec-websocket-version: 13"))
            #expect(fields.contains("sec-websocket-protocol: chat, v2.chat"))
            #expect(fields.contains("sec-websocket-extensions: permessage-deflate; client_max_window_bits"))
            #expect(fields.contains { $0.lowercased() == "upgrade: websocket" })
            #expect(fields.contains { $0.lowercased() == "connection: upgrade" })
            let key = try #require(fields.first { $0.hasPrefix("sec-websocket-key: ") }).dropFirst(19)
            #expect(Data(base64Encoded: String(key))?.count == 16)
            #expect(try await socket.receive() == .text("GET /path?a=b"))
            #expect(socket.subprotocol == "v2.chat")
            #expect(!socket.isCompressed)
            #expect(socket.response.statusCode == 101)
            #expect(socket.response.headers.first { $0.name.rawName == "X-Server" }?.value == "test")
            try await socket.close()
        }
    }

    @Test(
        "the application closes a WebSocket with a code and a reason, and the server answers",
        arguments: WebSocketCarrying.allCases
    )
    func close(_ carrying: WebSocketCarrying) async throws {
        let frames = Reports<Frame?>()
        try await withWebSocketServer(carrying: carrying) { peer in
            let frame = try await peer.readClose()
            frames.add(frame)
            try await peer.send(.close(4001, "bye, too"))
        } test: { session, server in
            let socket = try await session.open(server)
            #expect(socket.closeCode == nil)
            #expect(socket.sentClosure == nil)
            try await socket.close(code: WebSocketCloseCode(rawValue: 4000), reason: "bye 🎉")
            #expect(await frames.next() == .close(4000, "bye 🎉"))
            #expect(socket.closeCode?.rawValue == 4001)
            #expect(socket.closeReason == "bye, too")
            #expect(socket.sentClosure == WebSocketClosure(WebSocketCloseCode(rawValue: 4000), reason: "bye 🎉"))
            #expect(try await socket.receive() == nil)
            let closed = WebSocketError.closed(WebSocketClosure(WebSocketCloseCode(rawValue: 4000), reason: "bye 🎉"))
            await #expect(throws: closed) { try await socket.send(.text("a")) }
            await #expect(throws: closed) { try await socket.ping() }
            try await socket.close(code: .goingAway)
        }
    }

    @Test("an invalid code or reason is refused, and the WebSocket stays open")
    func invalidClose() async throws {
        try await withWebSocketServer {
            try await $0.echo()
        } test: { session, server in
            let socket = try await session.open(server)
            await #expect(throws: WebSocketError.invalidCloseCode(.abnormal)) {
                try await socket.close(code: .abnormal)
            }
            await #expect(throws: WebSocketError.longCloseReason) {
                try await socket.close(reason: String(repeating: "a", count: 124))
            }
            try await socket.send(.text("a"))
            #expect(try await socket.receive() == .text("a"))
            try await socket.close(code: .noStatus)
            #expect(socket.closeCode == .noStatus)
        }
    }

    @Test(
        "the server closes a WebSocket: codes other than 1000 and 1001 are errors",
        arguments: [
            (1000, true), (1001, true), (nil, true), (1011, false), (3000, false),
        ] as [(UInt16?, Bool)],
        WebSocketCarrying.allCases
    )
    func closedByServer(_ closing: (code: UInt16?, isNormal: Bool), _ carrying: WebSocketCarrying) async throws {
        let (code, isNormal) = closing
        let frames = Reports<Frame?>()
        try await withWebSocketServer(carrying: carrying) { peer in
            try await peer.send(.text("last"), .close(code, code == nil ? "" : "reason"))
            frames.add(try await peer.read())
        } test: { session, server in
            let socket = try await session.open(server)
            var iterator = socket.makeAsyncIterator()
            #expect(try await iterator.next() == .text("last"))
            let closure = WebSocketClosure(
                code.map { WebSocketCloseCode(rawValue: $0) } ?? .noStatus,
                reason: code == nil ? "" : "reason"
            )
            for _ in 0..<2 {
                if isNormal {
                    #expect(try await iterator.next() == nil)
                } else {
                    await #expect(throws: WebSocketError.closed(closure)) { try await iterator.next() }
                }
            }
            #expect(await frames.next() == .close(code))
            #expect(socket.closeCode == closure.code)
            #expect(socket.closeReason == closure.reason)
            await #expect(throws: WebSocketError.closed(closure)) { try await socket.send(.text("a")) }
        }
    }

    @Test(
        "a connection that ends without a close frame is lost",
        arguments: WebSocketCarrying.allCases
    )
    func lost(_ carrying: WebSocketCarrying) async throws {
        try await withWebSocketServer(carrying: carrying) { peer in
            try await peer.send(.text("a"))
            try await peer.writer.write(Data([0x81, 5, 0x61]))
        } test: { session, server in
            let socket = try await session.open(server)
            #expect(try await socket.receive() == .text("a"))
            let error = await #expect(throws: URLError.self) { try await socket.receive() }
            #expect(error?.code == .networkConnectionLost)
            let again = await #expect(throws: URLError.self) { try await socket.send(.text("a")) }
            #expect(again?.code == .networkConnectionLost)
            #expect(socket.closeCode == .abnormal)
            try await socket.close()
        }
    }

    @Test("a violation of the protocol is an error after the messages before it, and the server gets the code 1002")
    func violation() async throws {
        let frames = Reports<Frame?>()
        try await withWebSocketServer { peer in
            try await peer.send(.text("a"), Frame(0x89, Data([1])), Frame(0x83))
            while let frame = try await peer.read() { frames.add(frame) }
            frames.add(nil)
        } test: { session, server in
            let socket = try await session.open(server)
            #expect(try await socket.receive() == .text("a"))
            try await socket.send(.text("b"))
            await #expect(throws: WebSocketError.protocolViolation(.unknownOpcode(3))) { try await socket.receive() }
            let received = [await frames.next(), await frames.next()]
            #expect(received.contains(Frame(0x8A, Data([1]))))
            #expect(received.contains(.text("b")))
            #expect(await frames.next() == .close(1002))
        }
    }

    @Test("text that is not UTF-8 fails inside its frame, with the code 1007")
    func invalidText() async throws {
        let frames = Reports<Frame?>()
        try await withWebSocketServer { peer in
            // The frame is never complete.
            try await peer.writer.write(Data([0x81, 100, 0x61, 0xFF]))
            frames.add(try await peer.read())
        } test: { session, server in
            let socket = try await session.open(server)
            await #expect(throws: WebSocketError.protocolViolation(.invalidUTF8)) { try await socket.receive() }
            #expect(await frames.next() == .close(1007))
        }
    }

    @Test("messages and frames above the limits fail, with the code 1009")
    func limits() async throws {
        let frames = Reports<Frame?>()
        try await withWebSocketServer { peer in
            try await peer.send(.binary(Data(count: 10)), .binary(Data(count: 11)))
            frames.add(try await peer.readClose())
        } test: { session, server in
            let first = try await session.open(server, "/", WebSocketOptions(compression: nil, maximumMessageSize: 10))
            #expect(try await first.receive() == .data(Data(count: 10)))
            await #expect(throws: WebSocketError.messageTooLarge(limit: 10)) { try await first.receive() }
            #expect(await frames.next() == .close(1009))
            let second = try await session.open(server, "/", WebSocketOptions(compression: nil, maximumFrameSize: 10))
            #expect(try await second.receive() == .data(Data(count: 10)))
            await #expect(throws: WebSocketError.frameTooLarge(limit: 10)) { try await second.receive() }
            #expect(await frames.next() == .close(1009))
        }
    }

    @Test(
        "a ping returns the time to its response",
        arguments: WebSocketCarrying.allCases
    )
    func ping(_ carrying: WebSocketCarrying) async throws {
        try await withWebSocketServer(carrying: carrying) {
            try await $0.echo()
        } test: { session, server in
            let socket = try await session.open(server)
            // Nobody reads messages.
            let latencies = [try await socket.ping(), try await socket.ping()]
            #expect(latencies.allSatisfy { $0 > .zero && $0 < .seconds(60) })
            try await socket.close()
        }
    }

    @Test("pings of the server are answered while the application does not read")
    func pong() async throws {
        let frames = Reports<Frame?>()
        try await withWebSocketServer { peer in
            try await peer.send(Frame(0x89, Data("1".utf8)), .text("a"), Frame(0x89, Data("2".utf8)))
            frames.add(try await peer.read())
            frames.add(try await peer.read())
            try await peer.echo()
        } test: { session, server in
            let socket = try await session.open(server)
            #expect(await frames.next() == Frame(0x8A, Data("1".utf8)))
            #expect(await frames.next() == Frame(0x8A, Data("2".utf8)))
            #expect(try await socket.receive() == .text("a"))
            try await socket.close()
        }
    }

    @Test("a large message is sent in frames, with control frames between them, and arrives whole")
    func large() async throws {
        let frames = Reports<Frame?>()
        let bytes = Pattern().bytes(3_000_000)
        try await withWebSocketServer { peer in
            var message = Data()
            while let frame = try await peer.read() {
                if frame.opcode == 0x8 { return try await peer.send(frame) }
                message += frame.payload
                frames.add(Frame(frame.first, Data(String(frame.payload.count).utf8)))
                if frame.first & 0x80 != 0 {
                    // The server's fragments are of another size.
                    try await peer.send(Frame(0x02, message.prefix(1)), Frame(0x00, message.dropFirst().prefix(70_000)))
                    try await peer.send(Frame(0x89), Frame(0x80, message.dropFirst(70_001)))
                    message = Data()
                }
            }
        } test: { session, server in
            let socket = try await session.open(
                server,
                "/",
                WebSocketOptions(compression: nil, outgoingFrameSize: 1_000_000)
            )
            try await socket.send(.data(bytes))
            #expect(await frames.next() == Frame(0x02, Data("1000000".utf8)))
            #expect(await frames.next() == Frame(0x00, Data("1000000".utf8)))
            #expect(await frames.next() == Frame(0x80, Data("1000000".utf8)))
            #expect(try await socket.receive() == .data(bytes))
            try await socket.close()
        }
    }

    @Test(
        "messages of many tasks are sent whole",
        arguments: WebSocketCarrying.allCases
    )
    func manySenders(_ carrying: WebSocketCarrying) async throws {
        let options = WebSocketOptions(compression: nil, outgoingFrameSize: 50_000, bufferSize: 10_000)
        try await withWebSocketServer(carrying: carrying) {
            try await $0.echo()
        } test: { session, server in
            let socket = try await session.open(server, "/", options)
            async let received = { () async throws -> [Int: Int] in
                var sizes: [Int: Int] = [:]
                while sizes.count < 40, let message = try await socket.receive() {
                    let bytes = message.bytes
                    let number = Int(bytes.first ?? 0)
                    #expect(bytes.allSatisfy { $0 == UInt8(number) })
                    sizes[number] = bytes.count
                }
                return sizes
            }()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        try await socket.send(.data(Data(repeating: UInt8(number), count: 1 + number * 4_000)))
                    }
                }
                try await group.waitForAll()
            }
            let sizes = try await received
            #expect(sizes == Dictionary(uniqueKeysWithValues: (0..<40).map { ($0, 1 + $0 * 4_000) }))
            try await socket.close()
        }
    }

    @Test("messages of several tasks are sent in the order of the calls, also before later ones")
    func order() async throws {
        let isReading = Promise<Void>()
        let received = Reports<String>()
        try await withWebSocketServer { peer in
            await isReading.wait()
            while let frame = try await peer.read() {
                if frame.opcode == 0x8 { return try await peer.send(frame) }
                received.add(frame.payload.count > 100 ? "0" : String(decoding: frame.payload, as: UTF8.self))
            }
        } test: { session, server in
            let socket = try await session.open(server, "/", WebSocketOptions(compression: nil, bufferSize: 10_000))
            func waitForSenders(_ count: Int) async {
                while socket.connection.withState({ state, _ in state.nextSenders.count }) < count {
                    await Task.yield()
                }
            }
            let first = Task {
                try await socket.send(.data(Data(count: 900_000)))
                try await socket.send(.text("later"))
            }
            while !socket.connection.withState({ state, _ in state.isSending }) { await Task.yield() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...5 {
                    group.addTask { try await socket.send(.text(String(number))) }
                    await waitForSenders(number)
                }
                isReading.fulfill(())
                try await group.waitForAll()
            }
            try await first.value
            for expected in ["0", "1", "2", "3", "4", "5", "later"] { #expect(await received.next() == expected) }
            try await socket.close()
        }
    }

    @Test("a server that is silent is detected although the application sends short messages")
    func silentWhileSending() async throws {
        let release = Promise<Void>()
        try await withWebSocketServer { _ in
            await release.wait()
        } test: { session, server in
            let keepAlive = WebSocketKeepAlive(interval: .milliseconds(50), timeout: .milliseconds(50))
            let socket = try await session.open(server, "/", WebSocketOptions(compression: nil, keepAlive: keepAlive))
            let error = await #expect(throws: WebSocketError.self) {
                while true {
                    try await socket.send(.text("a"))
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            #expect(error == .peerIsSilent(timeout: .milliseconds(50)))
            release.fulfill(())
        }
    }

    @Test(
        "a server that ends the connection in place of a close frame has sent no code",
        arguments: WebSocketCarrying.allCases
    )
    func closedWithoutAnswer(_ carrying: WebSocketCarrying) async throws {
        try await withWebSocketServer(carrying: carrying) { peer in
            _ = try await peer.readClose()
        } test: { session, server in
            let socket = try await session.open(server)
            try await socket.close(code: .goingAway, reason: "bye")
            #expect(socket.closeCode == .abnormal)
            #expect(socket.closeReason == "")
            #expect(try await socket.receive() == nil)
        }
    }

    @Test(
        "cancelling the task that reads closes the WebSocket with the code 1001",
        arguments: WebSocketCarrying.allCases
    )
    func cancelReading(_ carrying: WebSocketCarrying) async throws {
        let frames = Reports<Frame?>()
        try await withWebSocketServer(carrying: carrying) { peer in
            try await peer.send(.text("a"))
            let frame = try await peer.readClose()
            frames.add(frame)
            if let frame { try await peer.send(frame) }
        } test: { session, server in
            let socket = try await session.open(server)
            let begun = Promise<Void>()
            let task = Task {
                for try await _ in socket { begun.fulfill(()) }
            }
            await begun.wait()
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(await frames.next() == .close(1001))
        }
    }

    @Test("releasing a WebSocket closes it with the code 1001")
    func release() async throws {
        let frames = Reports<Frame?>()
        try await withWebSocketServer { peer in
            try await peer.send(.text("a"))
            let frame = try await peer.readClose()
            frames.add(frame)
            if let frame { try await peer.send(frame) }
            frames.add(try await peer.read())
        } test: { session, server in
            try await { _ = try await session.open(server) }()
            #expect(await frames.next() == .close(1001))
            // The client ends the connection, too.
            #expect(await frames.next() == .some(nil))
            try await {
                for try await message in try await session.open(server) {
                    #expect(message == .text("a"))
                    break
                }
            }()
            #expect(await frames.next() == .close(1001))
        }
    }

    @Test("a message can be read in parts, and the rest of it is skipped")
    func parts() async throws {
        let bytes = Pattern().bytes(300_000)
        try await withWebSocketServer { peer in
            try await peer.send(Frame(0x02, bytes.prefix(100_000)), Frame(0x00, bytes.dropFirst(100_000).prefix(100)))
            try await peer.send(Frame(0x80, bytes.dropFirst(100_100)))
            try await peer.send(.text("é"), .binary(bytes), .text("last"))
            try await peer.echo()
        } test: { session, server in
            // The limit of messages does not hold for parts.
            let socket = try await session.open(server, "/", WebSocketOptions(compression: nil, maximumMessageSize: 10))
            var messages = socket.messageStreams.makeAsyncIterator()
            let first = try #require(try await messages.next())
            #expect(first.kind == .data)
            var received = Data()
            for try await piece in first { received += piece }
            #expect(received == bytes)
            let second = try #require(try await messages.next())
            #expect(second.kind == .text)
            var iterator = second.makeAsyncIterator()
            #expect(try await iterator.next() == Data("é".utf8))
            #expect(try await iterator.next() == nil)
            let third = try #require(try await messages.next())
            var parts = third.makeAsyncIterator()
            #expect(try await parts.next()?.isEmpty == false)
            // The rest of the third message is skipped.
            #expect(try await socket.receive() == .text("last"))
            #expect(try await parts.next() == nil)
            try await socket.close()
        }
    }

    @Test("compressed messages are sent and received")
    func compression() async throws {
        let frames = Reports<Frame?>()
        let answer: @Sendable (RequestHead) -> WebSocketServer.Answer = { _ in
            .open(["Sec-WebSocket-Extensions": "permessage-deflate"])
        }
        try await withWebSocketServer(answer: answer) { peer in
            // RFC 7692, sections 7.2.3.1 and 7.2.3.2
            try await peer.send(Frame(0xC1, Data([0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])))
            try await peer.send(
                Frame(0x41, Data([0xF2, 0x00])),
                Frame(0x80, Data([0x11, 0x00, 0x00])),
                .text("plain")
            )
            for _ in 0..<3 { frames.add(try await peer.read()) }
            try await peer.echo()
        } test: { session, server in
            let options = WebSocketOptions(compression: WebSocketCompression(minimumSize: 5))
            let socket = try await session.open(server, "/", options)
            #expect(socket.isCompressed)
            for text in ["Hello", "Hello", "plain"] { #expect(try await socket.receive() == .text(text)) }
            for text in ["Hello", "four", "Hello"] { try await socket.send(.text(text)) }
            #expect(await frames.next() == Frame(0xC1, Data([0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])))
            #expect(await frames.next() == .text("four"))
            #expect(await frames.next() == Frame(0xC1, Data([0xF2, 0x00, 0x11, 0x00, 0x00])))
            try await socket.close()
        }
    }

    @Test("two tasks cannot read at the same time")
    func concurrentReading() async throws {
        try await withWebSocketServer {
            try await $0.echo()
        } test: { session, server in
            let socket = try await session.open(server)
            let first = Task { try await socket.receive() }
            let second = Task { try await socket.receive() }
            // One of them fails, and then the other one gets the message.
            let results = await withTaskGroup(of: Result<WebSocketMessage?, any Error>.self) { group in
                for task in [first, second] { group.addTask { await task.result } }
                var results: [Result<WebSocketMessage?, any Error>] = []
                for await result in group {
                    results.append(result)
                    if results.count == 1 { try? await socket.send(.text("a")) }
                }
                return results
            }
            #expect(throws: WebSocketError.readConcurrently) { try results[0].get() }
            #expect(try results[1].get() == .text("a"))
            try await socket.close()
        }
    }
}
#endif
