#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP

@Suite("NIOTransport upgrades an HTTP/2 stream to another protocol (RFC 8441)", .timeLimit(.minutes(5)))
struct HTTP2UpgradeTests {
    private static let enabled: [(identifier: UInt16, value: UInt32)] = [(8, 1)]

    /// Returns the data of a stream until there are this many bytes or the client ends the stream.
    private static func text(_ count: Int, on stream: UInt32, of peer: HTTP2Peer) async throws -> String {
        var text = ""
        while text.utf8.count < count {
            let frame = try await peer.frame(RawFrame.Kind.data, on: stream)
            text += String(decoding: frame.payload, as: UTF8.self)
            if frame.flags & RawFrame.end != 0 { break }
        }
        return text
    }

    @Test("after a 200 to an extended CONNECT, both sides send DATA, beside other requests on the connection")
    func bothDirections() async throws {
        let (requests, connections) = (Locked<[HTTP2Request]>([]), Locked(0))
        let output = UpgradeOutput()
        try await HTTP2Live.run(settings: Self.enabled) { peer in
            connections.withLock { $0 += 1 }
            let first = try #require(try await peer.request())
            requests.withLock { $0.append(first) }
            #expect(!output.hasBegun, "nothing is sent before the server agrees")
            try await peer.send(headers: [(":status", "200"), ("x-a", "b")], on: first.stream)
            try await peer.send(data: "hello", on: first.stream)
            try await expectEqual(Self.text(3, on: first.stream, of: peer), "abc")
            try await peer.send(data: "more", on: first.stream)
            let second = try #require(try await peer.request())
            requests.withLock { $0.append(second) }
            try await peer.respond(body: "next", on: second.stream)
            let end = try await peer.frame(RawFrame.Kind.data, on: first.stream)
            #expect(end.flags & RawFrame.end != 0 && end.payload.isEmpty)
            try await peer.send(data: "bye", on: first.stream, isEnd: true)
        } then: { transport, server in
            let fields: HTTPFields = [.connection: "Upgrade", .upgrade: "other", .accept: "a"]
            let response = try await transport.send(.upgrade(server.url("/c?d"), sending: output, headers: fields))
            #expect(response.status == 200)
            #expect(response.isUpgraded)
            #expect(response.info?.httpVersion == "HTTP/2")
            var input = UpgradeInput(TransportBodyStream(of: response))
            try await expectEqual(input.text(5), "hello")
            output.send("abc")
            try await expectEqual(input.text(4), "more")
            try await expectEqual(HTTP2Live.text(transport, server.url("/next")), "next")
            output.finish()
            try await expectEqual(input.rest(), "bye")
            await output.released.wait()
        }
        let all = requests.withLock { $0 }
        let upgrade = try #require(all.first)
        #expect(upgrade.fields.map(\.name) == [":method", ":protocol", ":scheme", ":authority", ":path", "accept"])
        #expect(upgrade[":method"] == "CONNECT" && upgrade[":protocol"] == "websocket")
        #expect(upgrade.path == "/c?d" && !upgrade.isComplete)
        #expect(all.last?.path == "/next")
        #expect(connections.withLock { $0 } == 1)
    }

    @Test("a request for an upgrade waits for the server's settings")
    func lateSettings() async throws {
        let kinds = Locked<[UInt8]>([])
        try await HTTP2Live.run(settings: nil) { peer in
            // The client has sent its first frames.
            _ = try await peer.frame(RawFrame.Kind.windowUpdate)
            try await peer.send(settings: Self.enabled)
            while let frame = try await peer.frame() {
                kinds.withLock { $0.append(frame.type) }
                guard frame.type == RawFrame.Kind.headers else { continue }
                try await peer.send(headers: [(":status", "200")], on: frame.stream)
                try await peer.send(data: "ok", on: frame.stream, isEnd: true)
            }
        } then: { transport, server in
            let response = try await transport.send(.upgrade(server.url(), sending: UpgradeOutput()))
            #expect(response.isUpgraded)
            var input = UpgradeInput(TransportBodyStream(of: response))
            try await expectEqual(input.rest(), "ok")
        }
        let order = kinds.withLock { $0 }.filter { [RawFrame.Kind.settings, RawFrame.Kind.headers].contains($0) }
        #expect(order == [RawFrame.Kind.settings, RawFrame.Kind.headers], "the acknowledgment comes first")
    }

    @Test("a request for an upgrade that waits for settings times out, and can be cancelled")
    func noSettings() async throws {
        let ready = Promise<Void>()
        try await HTTP2Live.run(settings: nil) { peer in
            _ = try await peer.frame(RawFrame.Kind.windowUpdate)
            ready.fulfill(())
            while let frame = try await peer.frame() { #expect(frame.type != RawFrame.Kind.headers) }
        } then: { transport, server in
            let output = UpgradeOutput()
            let request = TransportRequest.upgrade(server.url(), sending: output, idleTimeout: .milliseconds(500))
            let timeout = await #expect(throws: URLError.self) { try await transport.send(request) }
            #expect(timeout?.code == .timedOut)
            await ready.wait()
            let task = Task { try await transport.send(.upgrade(server.url(), sending: output)) }
            await Task.yield()
            task.cancel()
            let cancellation = await #expect(throws: URLError.self) { try await task.value }
            #expect(cancellation?.code == .cancelled)
            #expect(!output.hasBegun)
        }
    }

    @Test("a request for an upgrade that waits for settings fails with its connection")
    func closedBeforeSettings() async throws {
        try await HTTP2Live.run(settings: nil) { peer in
            _ = try await peer.frame(RawFrame.Kind.windowUpdate)
            try await peer.close()
        } then: { transport, server in
            let output = UpgradeOutput()
            let error = await #expect(throws: URLError.self) {
                try await transport.send(.upgrade(server.url(), sending: output))
            }
            #expect(error?.code == .networkConnectionLost)
            #expect(!output.hasBegun)
        }
    }

    @Test("without the setting, an upgrade uses an HTTP/1.1 connection, and the HTTP/2 connection goes on")
    func fallback() async throws {
        let (http1, http2) = (Locked<[String]>([]), Locked(0))
        try await HTTP2Live.run(
            http1: { connection in
                guard let head = try await connection.acceptUpgrade() else { return }
                http1.withLock { $0.append(head.target) }
                try await connection.echo()
            },
            { peer in
                http2.withLock { $0 += 1 }
                try await HTTP2Live.echo(peer)
            },
            then: { transport, server in
                var upgrades: [(output: UpgradeOutput, input: UpgradeInput)] = []
                for number in 0..<3 {
                    try await expectEqual(HTTP2Live.text(transport, server.url("/\(number)")), "/\(number)")
                    let output = UpgradeOutput()
                    let connected = Locked(0)
                    var request = TransportRequest.upgrade(server.url("/up\(number)"), sending: output)
                    request.onConnect = { connected.withLock { $0 += 1 } }
                    let response = try await transport.send(request)
                    #expect(response.status == 101 && response.isUpgraded)
                    #expect(connected.withLock { $0 } == 1)
                    upgrades.append((output, UpgradeInput(TransportBodyStream(of: response))))
                }
                for index in upgrades.indices {
                    upgrades[index].output.send("\(index)")
                    try await expectEqual(upgrades[index].input.text(1), "\(index)")
                }
                try await expectEqual(HTTP2Live.text(transport, server.url("/last")), "/last")
            }
        )
        // The server records each request after it has sent the response.
        #expect(http1.withLock { $0.sorted() } == ["/up0", "/up1", "/up2"])
        #expect(http2.withLock { $0 } == 1)
    }

    @Test("an upgrade that comes first falls back to HTTP/1.1, too, and a refusal there is an ordinary response")
    func fallbackFirst() async throws {
        let count = Locked(0)
        try await HTTP2Live.run(
            http1: { connection in
                count.withLock { $0 += 1 }
                while try await connection.head() != nil {
                    try await connection.writer.write("HTTP/1.1 401 x\r\nContent-Length: 2\r\n\r\nno")
                }
            },
            HTTP2Live.echo,
            then: { transport, server in
                for _ in 0..<3 {
                    let output = UpgradeOutput()
                    let response = try await transport.send(.upgrade(server.url(), sending: output))
                    #expect(response.status == 401 && !response.isUpgraded && !output.hasBegun)
                    try await expectEqual(response.collected(), Data("no".utf8))
                }
                try await expectEqual(HTTP2Live.text(transport, server.url("/a")), "/a")
            }
        )
        #expect(count.withLock { $0 } == 1, "the connection is used again")
    }

    @Test("HTTP_1_1_REQUIRED for an extended CONNECT concerns only upgrades")
    func http1Required() async throws {
        let (upgrades, connections) = (Locked(0), Locked(0))
        try await HTTP2Live.run(
            settings: Self.enabled,
            http1: { connection in
                guard try await connection.acceptUpgrade() != nil else { return }
                try await connection.echo()
            },
            { peer in
                connections.withLock { $0 += 1 }
                while let request = try await peer.request() {
                    if request[":protocol"] == nil {
                        try await peer.respond(body: request.path, on: request.stream)
                    } else {
                        upgrades.withLock { $0 += 1 }
                        try await peer.reset(request.stream, 13)
                    }
                }
            },
            then: { transport, server in
                for number in 0..<2 {
                    let output = UpgradeOutput()
                    let response = try await transport.send(.upgrade(server.url(), sending: output))
                    #expect(response.status == 101)
                    var input = UpgradeInput(TransportBodyStream(of: response))
                    output.send("a")
                    try await expectEqual(input.text(1), "a")
                    try await expectEqual(HTTP2Live.text(transport, server.url("/\(number)")), "/\(number)")
                }
            }
        )
        #expect(upgrades.withLock { $0 } == 1)
        #expect(connections.withLock { $0 } == 1)
    }

    @Test(
        "a refusal is an ordinary response, after which the connection is used again",
        arguments: ["403", "300", "500"]
    )
    func refusal(status: String) async throws {
        try await HTTP2Live.run(settings: Self.enabled) { peer in
            while let request = try await peer.request() {
                let isUpgrade = request[":protocol"] != nil
                try await peer.respond(isUpgrade ? status : "200", body: request.path, on: request.stream)
            }
        } then: { transport, server in
            for path in ["/a", "/b"] {
                let output = UpgradeOutput()
                let response = try await transport.send(.upgrade(server.url(path), sending: output))
                #expect(response.status == Int(status) && !response.isUpgraded && !output.hasBegun)
                try await expectEqual(response.collected(), Data(path.utf8))
                try await expectEqual(HTTP2Live.text(transport, server.url("/next")), "/next")
            }
        }
    }

    @Test("releasing the input resets the stream with CANCEL, and other requests go on")
    func cancel() async throws {
        let code = Promise<UInt32>()
        try await HTTP2Live.run(settings: Self.enabled) { peer in
            let request = try #require(try await peer.request())
            try await peer.send(headers: [(":status", "200")], on: request.stream)
            code.fulfill(try await peer.frame(RawFrame.Kind.reset, on: request.stream).number)
            try await HTTP2Live.echo(peer)
        } then: { transport, server in
            let endless = EndlessBody(waitsAfter: 0)
            var request = TransportRequest(method: .get, url: server.url())
            request.upgrade = ProtocolUpgrade(to: "websocket", sending: .sequence(endless))
            do {
                let response = try await transport.send(request)
                try await endless.waitFor(pieces: 1)
                TransportBodyStream(of: response).release()
            }
            await endless.waitForRelease()
            #expect(endless.wasCancelled)
            #expect(await code.wait() == 8)
            try await expectEqual(HTTP2Live.text(transport, server.url("/a")), "/a")
        }
    }

    @Test("a peer that does not enlarge the window suspends the output")
    func backpressure() async throws {
        let (gate, received) = (Promise<Void>(), Promise<Int>())
        try await HTTP2Live.run(settings: Self.enabled) { peer in
            let request = try #require(try await peer.request())
            try await peer.send(headers: [(":status", "200")], on: request.stream)
            await gate.wait()
            var count = 0
            while count < 4 << 20 {
                let size = UInt32(try await peer.frame(RawFrame.Kind.data, on: request.stream).payload.count)
                count += Int(size)
                for id in [0, request.stream] where size > 0 {
                    try await peer.send(RawFrame(RawFrame.Kind.windowUpdate, 0, id, HTTP2Peer.bytes(size)))
                }
            }
            received.fulfill(count)
        } then: { transport, server in
            let endless = EndlessBody()
            var request = TransportRequest(method: .get, url: server.url())
            request.upgrade = ProtocolUpgrade(to: "websocket", sending: .sequence(endless))
            let response = try await transport.send(request)
            // The window has 64 KiB, and at most 256 KiB are read ahead.
            let pieces = try await endless.waitForStandstill(within: 8)
            #expect(pieces <= 8)
            gate.fulfill(())
            #expect(await received.wait() >= 4 << 20)
            TransportBodyStream(of: response).release()
            await endless.waitForRelease()
        }
    }

    @Test("the end of the input leaves the output open, until it ends, too")
    func inputEndsFirst() async throws {
        // The peer drops the frames before the one that it waits for, so the next request follows that one.
        let isEndReceived = Promise<Void>()
        try await HTTP2Live.run(settings: Self.enabled) { peer in
            let request = try #require(try await peer.request())
            try await peer.send(headers: [(":status", "200")], on: request.stream)
            try await peer.send(data: "bye", on: request.stream, isEnd: true)
            try await expectEqual(Self.text(3, on: request.stream, of: peer), "abc")
            let end = try await peer.frame(RawFrame.Kind.data, on: request.stream)
            #expect(end.flags & RawFrame.end != 0)
            isEndReceived.fulfill(())
            try await HTTP2Live.echo(peer)
        } then: { transport, server in
            let output = UpgradeOutput()
            let response = try await transport.send(.upgrade(server.url(), sending: output))
            var input = UpgradeInput(TransportBodyStream(of: response))
            try await expectEqual(input.rest(), "bye")
            output.send("abc")
            output.finish()
            await output.released.wait()
            await isEndReceived.wait()
            try await expectEqual(HTTP2Live.text(transport, server.url("/a")), "/a")
            try await expectEqual(input.rest(), "")
        }
    }

    @Test("RST_STREAM fails the input after its data, and GOAWAY does not affect an upgraded stream")
    func reset() async throws {
        try await HTTP2Live.run(settings: Self.enabled) { peer in
            let request = try #require(try await peer.request())
            try await peer.send(headers: [(":status", "200")], on: request.stream)
            try await peer.goAway(last: request.stream)
            try await expectEqual(Self.text(1, on: request.stream, of: peer), "a")
            try await peer.send(data: "part", on: request.stream)
            try await peer.reset(request.stream, 8)
        } then: { transport, server in
            let output = UpgradeOutput()
            let response = try await transport.send(.upgrade(server.url(), sending: output))
            var input = UpgradeInput(TransportBodyStream(of: response))
            output.send("a")
            try await expectEqual(input.text(4), "part")
            let error = await #expect(throws: URLError.self) { try await input.rest() }
            #expect(error?.code == .networkConnectionLost)
            await output.released.wait()
        }
    }

    @Test("requests find room beside connections whose streams are all upgraded")
    func occupied() async throws {
        let connections = Locked(0)
        try await HTTP2Live.run(settings: [(8, 1), (3, 2)], connections: 1) { peer in
            connections.withLock { $0 += 1 }
            while let request = try await peer.request() {
                if request[":protocol"] == nil {
                    try await peer.respond(body: request.path, on: request.stream)
                } else {
                    try await peer.send(headers: [(":status", "200")], on: request.stream)
                    try await peer.send(data: request.path, on: request.stream)
                }
            }
        } then: { transport, server in
            var inputs: [UpgradeInput] = []
            for number in 0..<5 {
                let response = try await transport.send(
                    .upgrade(server.url("/\(number)"), sending: UpgradeOutput())
                )
                inputs.append(UpgradeInput(TransportBodyStream(of: response)))
                try await expectEqual(inputs[number].text(2), "/\(number)")
            }
            try await expectEqual(HTTP2Live.text(transport, server.url("/a")), "/a")
        }
        #expect(connections.withLock { $0 } == 3)
    }

    @Test("a server that withdraws the setting ends the connection with PROTOCOL_ERROR (RFC 8441, section 3)")
    func withdrawn() async throws {
        let code = Promise<Result<UInt32, any Error>>()
        try await HTTP2Live.run(settings: Self.enabled) { peer in
            do {
                let request = try #require(try await peer.request())
                try await peer.send(headers: [(":status", "200")], on: request.stream)
                try await peer.send(settings: [(8, 0)])
                let goAway = try await peer.frame(RawFrame.Kind.goAway)
                code.fulfill(.success(goAway.payload.dropFirst(4).reduce(0) { $0 << 8 | UInt32($1) }))
            } catch {
                // Without a GOAWAY, the test fails at once, with the error.
                code.fulfill(.failure(error))
            }
        } then: { transport, server in
            let response = try await transport.send(.upgrade(server.url(), sending: UpgradeOutput()))
            var input = UpgradeInput(TransportBodyStream(of: response))
            let error = await #expect(throws: URLError.self) { try await input.rest() }
            #expect(error?.code == .cannotParseResponse)
            // Before the shutdown of the server, which cancels the reading of the GOAWAY.
            #expect(try await code.wait().get() == 1)
        }
    }
}
#endif
