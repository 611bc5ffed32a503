#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import HTTPTypes
import NIOPosix
import TestServers
import Testing

@testable import MoyaHTTP

@Suite(
    "NIOTransport upgrades an HTTP/1.1 connection to another protocol (RFC 9110, section 7.8)",
    .timeLimit(.minutes(5))
)
struct UpgradeTests {
    private struct OutputFailure: Error {}

    /// Runs a test with a transport and a server, with TLS or without.
    private func run(
        overTLS: Bool = false,
        connections: Int = 6,
        requiresCloseNotify: Bool = false,
        _ serve: @escaping @Sendable (RawConnection) async throws -> Void,
        then body: (NIOTransport, URL) async throws -> Void
    ) async throws {
        let authority = try TestAuthority()
        let tls = try overTLS ? authority.issue().serverConfiguration() : nil
        let server = try await RawServer(tls: tls, allowsHalfClosure: true, serve)
        var configuration = try TransportConfiguration(trusting: authority)
        configuration.maximumConnectionsPerHost = connections
        configuration.requiresCloseNotify = requiresCloseNotify
        let transport = try NIOTransport(connection: configuration)
        let url = try #require(URL(string: "\(overTLS ? "https" : "http")://localhost:\(server.port)/chat?a"))
        try await transport.shutDown(after: { try await body(transport, url) })
        await server.shutDown()
    }

    /// Sends a request for an upgrade, to which the server must agree.
    private func upgrade(
        _ url: URL,
        _ transport: NIOTransport,
        sending output: UpgradeOutput
    ) async throws -> UpgradeInput {
        let response = try await transport.send(.upgrade(url, sending: output))
        #expect(response.isUpgraded)
        return UpgradeInput(TransportBodyStream(of: response))
    }

    @Test(
        "the tasks of an upgraded connection run on its event loop if the caller does, and otherwise on the pool",
        arguments: [true, false]
    )
    func tasks(onLoop: Bool) async throws {
        /// An output that records the threads that read it.
        struct Output: AsyncSequence, AsyncIteratorProtocol, Sendable {
            let pieces: AsyncStream<Data>
            let onLoops: Locked<[Bool]>

            func makeAsyncIterator() -> Self { self }

            func next() async -> Data? {
                let isOnLoop = MultiThreadedEventLoopGroup.currentEventLoop != nil
                onLoops.withLock { $0.append(isOnLoop) }
                return await pieces.first { _ in true }
            }
        }
        let (pieces, continuation) = AsyncStream.makeStream(of: Data.self)
        let onLoops = Locked<[Bool]>([])
        try await run { connection in
            guard try await connection.acceptUpgrade() != nil else { return }
            try await connection.echo()
        } then: { transport, url in
            let starter = UpgradeTaskStarter()
            try await withTaskExecutorPreference(onLoop ? transport.taskExecutors.first : nil) {
                var request = TransportRequest.upgrade(url, sending: Output(pieces: pieces, onLoops: onLoops))
                request.upgrade?.taskStarter = starter
                var input = UpgradeInput(TransportBodyStream(of: try await transport.send(request)))
                continuation.yield(Data("ab".utf8))
                let echo = try await input.text(2)
                #expect(echo == "ab")
                await starter.startTask {
                    let isOnLoop = MultiThreadedEventLoopGroup.currentEventLoop != nil
                    #expect(isOnLoop == onLoop)
                }.value
                continuation.finish()
                let rest = try await input.rest()
                #expect(rest.isEmpty)
            }
        }
        #expect(!onLoops.withLock { $0.isEmpty })
        #expect(onLoops.withLock { $0.allSatisfy { $0 == onLoop } })
    }

    @Test(
        "after a 101, both sides send bytes without framing, from the packet of the 101 on",
        arguments: [false, true]
    )
    func bothDirections(overTLS: Bool) async throws {
        let heads = Locked<[RequestHead]>([])
        let output = UpgradeOutput()
        try await run(overTLS: overTLS) { connection in
            guard let head = try await connection.head() else { return }
            heads.withLock { $0.append(head) }
            #expect(!output.hasBegun, "nothing is sent before the server agrees")
            try await connection.writer.write("HTTP/1.1 103 Early Hints\r\n\r\n\(RawConnection.switching)HTTP/1.1 ")
            try await connection.echo()
        } then: { transport, url in
            let interim = Locked<[Int]>([])
            var request = TransportRequest.upgrade(url, sending: output, headers: [.accept: "a"])
            request.onInterimResponse = { status, _ in interim.withLock { $0.append(status) } }
            let response = try await transport.send(request)
            #expect(response.status == 101)
            #expect(response.isUpgraded && !response.isConnectionReusable)
            #expect(response.headers[.upgrade] == "websocket")
            #expect(response.info?.httpVersion == "HTTP/1.1")
            #expect(interim.withLock { $0 } == [103])
            var input = UpgradeInput(TransportBodyStream(of: response))
            try await expectEqual(input.text(9), "HTTP/1.1 ")
            for text in ["a", "0\r\n\r\n", String(repeating: "b", count: 300_000)] {
                output.send(text)
                try await expectEqual(input.text(text.utf8.count), text)
            }
            output.finish()
            try await expectEqual(input.rest(), "")
            await output.released.wait()
        }
        let head = try #require(heads.withLock { $0.first })
        #expect(head.method == "GET" && head.target == "/chat?a")
        #expect(head["connection"] == "Upgrade" && head["upgrade"] == "websocket" && head["accept"] == "a")
        #expect(head["content-length"] == nil && head["transfer-encoding"] == nil)
        #expect(heads.withLock { $0.count } == 1)
    }

    @Test(
        "any other final response is an ordinary one: nothing of the output is read, and the connection is used again",
        arguments: [200, 204, 302, 401, 403, 426, 503]
    )
    func refusal(status: Int) async throws {
        let connections = Locked(0)
        try await run { connection in
            connections.withLock { $0 += 1 }
            while let head = try await connection.head() {
                let isUpgrade = head["upgrade"] != nil
                let body = status == 204 ? "" : "Content-Length: 2\r\n"
                try await connection.writer.write(
                    isUpgrade
                        ? "HTTP/1.1 \(status) x\r\nUpgrade: websocket\r\n\(body)\r\n\(status == 204 ? "" : "no")"
                        : "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext"
                )
            }
        } then: { transport, url in
            weak var weakOutput: UpgradeOutput?
            let response: TransportResponse
            do {
                let output = UpgradeOutput()
                weakOutput = output
                response = try await transport.send(.upgrade(url, sending: output))
                #expect(!output.hasBegun)
            }
            #expect(response.status == status)
            #expect(!response.isUpgraded)
            try await expectEqual(response.collected(), Data((status == 204 ? "" : "no").utf8))
            let next = try await transport.send(TransportRequest(method: .get, url: url))
            try await expectEqual(next.collected(), Data("next".utf8))
            while weakOutput != nil { await Task.yield() }
        }
        #expect(connections.withLock { $0 } == 1)
    }

    @Test(
        "a 101 for another protocol is an error, and an early end of the connection as well",
        arguments: [true, false]
    )
    func failures(switches: Bool) async throws {
        try await run { connection in
            guard try await connection.head() != nil else { return }
            if switches { try await connection.writer.write("HTTP/1.1 101 x\r\nUpgrade: other\r\n\r\n") }
        } then: { transport, url in
            let output = UpgradeOutput()
            let error = await #expect(throws: URLError.self) {
                try await transport.send(.upgrade(url, sending: output))
            }
            #expect(error?.code == (switches ? .badServerResponse : .networkConnectionLost))
            let text = "The server switched (101) to another protocol than the one that was requested."
            if switches { #expect(error?.localizedDescription == text) }
            #expect(!output.hasBegun)
        }
    }

    @Test("a request for an upgrade that is no GET, has a body, or names no protocol is refused before it is sent")
    func invalid() async throws {
        let url = try #require(URL(string: "http://h.invalid/"))
        let transport = NIOTransport()
        try await transport.shutDown(after: {
            let valid = TransportRequest.upgrade(url, sending: UpgradeOutput())
            var requests = [valid, valid, valid, valid]
            requests[0].method = .post
            requests[1].body = .data(Data("a".utf8))
            requests[2].upgrade?.name = ""
            requests[3].upgrade?.name = "a\r\nB: c"
            for request in requests {
                await #expect(throws: RequestValidationError.invalidUpgrade) { try await transport.send(request) }
            }
        })
    }

    @Test(
        "releasing the input closes the connection and ends the output, and so does a cancelled reader",
        arguments: [false, true],
        [false, true]
    )
    func cancel(overTLS: Bool, cancels: Bool) async throws {
        let closed = Promise<Void>()
        try await run(overTLS: overTLS) { connection in
            guard try await connection.acceptUpgrade() != nil else { return }
            await connection.waitUntilClosed()
            closed.fulfill(())
        } then: { transport, url in
            let endless = EndlessBody(waitsAfter: 2)
            var request = TransportRequest(method: .get, url: url)
            request.upgrade = ProtocolUpgrade(to: "websocket", sending: .sequence(endless))
            var stream: TransportBodyStream? = TransportBodyStream(of: try await transport.send(request))
            try await endless.waitFor(pieces: 2)
            if cancels {
                let reader = Task { [stream] in
                    var iterator = stream?.makeAsyncIterator()
                    return try await iterator?.next()
                }
                reader.cancel()
                let error = await #expect(throws: URLError.self) { try await reader.value }
                #expect(error?.code == .cancelled)
            }
            stream?.release()
            stream = nil
            await endless.waitForRelease()
            await closed.wait()
        }
    }

    @Test("a request for an upgrade that is cancelled before the response reads nothing of the output")
    func cancelBefore() async throws {
        let (arrived, closed) = (Promise<Void>(), Promise<Void>())
        try await run { connection in
            _ = try await connection.head()
            arrived.fulfill(())
            await connection.waitUntilClosed()
            closed.fulfill(())
        } then: { transport, url in
            let output = UpgradeOutput()
            let task = Task { try await transport.send(.upgrade(url, sending: output)) }
            await arrived.wait()
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            await closed.wait()
            #expect(!output.hasBegun)
        }
    }

    @Test(
        "a peer that does not read suspends the output, and a slow reader suspends the peer",
        arguments: [false, true]
    )
    func backpressure(overTLS: Bool) async throws {
        let (gate, count) = (Promise<Void>(), Locked(0))
        let piece = Pattern().bytes(65_536)
        let total = 400
        try await run(overTLS: overTLS) { connection in
            guard try await connection.acceptUpgrade() != nil else { return }
            await gate.wait()
            var received = 0
            while received < 100 * EndlessBody.pieceLength, let bytes = try await connection.read() {
                received += bytes.readableBytes
            }
            for _ in 0..<total {
                try await connection.writer.write(piece)
                count.withLock { $0 += 1 }
            }
        } then: { transport, url in
            let endless = EndlessBody()
            var request = TransportRequest(method: .get, url: url)
            request.upgrade = ProtocolUpgrade(to: "websocket", sending: .sequence(endless))
            let response = try await transport.send(request)
            // The buffers of the sockets and the pieces that are read ahead have less than 6 MiB.
            let pieces = try await endless.waitForStandstill(within: 96)
            #expect(pieces <= 96)
            gate.fulfill(())
            try await endless.waitFor(pieces: 100)
            var (last, stillFor) = (-1, 0)
            while stillFor < 50 {
                let now = count.withLock { $0 }
                stillFor = now == last && now > 0 ? stillFor + 1 : 0
                last = now
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(last < total / 2, "the server waits for the reader")
            var received = 0
            for try await chunk in TransportBodyStream(of: response) {
                received += chunk.count
                if received == total * piece.count { break }
            }
            #expect(received == total * piece.count)
            await endless.waitForRelease()
        }
    }

    @Test("the end of the output closes only that direction, and the input goes on", arguments: [false, true])
    func outputEndsFirst(overTLS: Bool) async throws {
        try await run(overTLS: overTLS) { connection in
            guard try await connection.acceptUpgrade() != nil else { return }
            var received = ""
            while let bytes = try await connection.read() { received += String(buffer: bytes) }
            // With TLS, SwiftNIO's server closes the whole connection when the client has closed its direction.
            if !overTLS { try await connection.writer.write("got \(received)") }
        } then: { transport, url in
            let output = UpgradeOutput()
            var input = try await upgrade(url, transport, sending: output)
            output.send("a")
            output.send("bc")
            output.finish()
            try await expectEqual(input.rest(), overTLS ? "" : "got abc")
            await output.released.wait()
        }
    }

    @Test("the end of the input leaves the output open, until it ends, too", arguments: [false, true])
    func inputEndsFirst(overTLS: Bool) async throws {
        let received = Promise<String>()
        try await run(overTLS: overTLS) { connection in
            guard try await connection.head() != nil else { return }
            // The end of the direction may arrive with the head.
            try await connection.writer.write(RawConnection.switching + "bye")
            connection.writer.finish()
            var text = ""
            while let bytes = try await connection.read() { text += String(buffer: bytes) }
            received.fulfill(text)
        } then: { transport, url in
            let output = UpgradeOutput()
            var input = try await upgrade(url, transport, sending: output)
            try await expectEqual(input.rest(), "bye")
            let last = String(repeating: "z", count: 2 << 20)
            output.send(last)
            output.finish()
            let text = await received.wait()
            let isComplete = text == last
            #expect(isComplete, "\(text.utf8.count) bytes")
            try await expectEqual(input.rest(), "")
        }
    }

    @Test("a connection that is reset fails the input after its data")
    func reset() async throws {
        try await run { connection in
            guard try await connection.acceptUpgrade() != nil else { return }
            try await connection.writer.write("part")
            _ = try await connection.text(4)
            try await connection.writer.reset()
        } then: { transport, url in
            let output = UpgradeOutput()
            var input = try await upgrade(url, transport, sending: output)
            try await expectEqual(input.text(4), "part")
            output.send("read")
            let error = await #expect(throws: URLError.self) { try await input.rest() }
            #expect(error?.code == .networkConnectionLost)
            await output.released.wait()
        }
    }

    @Test(
        "the end of TLS without its alert ends the input, and is an error if the alert is required",
        arguments: [false, true]
    )
    func withoutAlert(isRequired: Bool) async throws {
        try await run(overTLS: true, requiresCloseNotify: isRequired) { connection in
            guard try await connection.acceptUpgrade() != nil else { return }
            try await connection.writer.write("part")
            try await connection.writer.closeWithoutAlert()
        } then: { transport, url in
            let output = UpgradeOutput()
            var input = try await upgrade(url, transport, sending: output)
            try await expectEqual(input.text(4), "part")
            if isRequired {
                let error = await #expect(throws: URLError.self) { try await input.rest() }
                #expect(error?.code == .networkConnectionLost)
            } else {
                try await expectEqual(input.rest(), "")
            }
        }
    }

    @Test("an output that fails closes the connection, and is the error of the input")
    func failingOutput() async throws {
        let closed = Promise<Void>()
        try await run { connection in
            guard try await connection.acceptUpgrade() != nil else { return }
            await connection.waitUntilClosed()
            closed.fulfill(())
        } then: { transport, url in
            var request = TransportRequest(method: .get, url: url)
            let failing = AsyncThrowingStream<Data, any Error> { $0.finish(throwing: OutputFailure()) }
            request.upgrade = ProtocolUpgrade(to: "websocket", sending: .sequence(failing))
            let response = try await transport.send(request)
            let failure = await #expect(throws: RequestBodyError.self) {
                for try await _ in TransportBodyStream(of: response) {}
            }
            #expect(failure?.reason != .alreadyRead)
            // The sequence cannot be read again.
            let error = await #expect(throws: RequestBodyError.self) { try await transport.send(request) }
            #expect(error?.reason == .alreadyRead)
            await closed.wait()
        }
    }

    @Test("after an upgrade, neither the idle timeout nor the exchange timeout ends the exchange")
    func timeouts() async throws {
        try await run { connection in
            guard let head = try await connection.head() else { return }
            guard head["upgrade"] != nil else { return await connection.waitUntilClosed() }
            try await connection.writer.write(RawConnection.switching)
            try await connection.echo()
        } then: { transport, url in
            let limit = Duration.seconds(1)
            let output = UpgradeOutput()
            let request = TransportRequest.upgrade(url, sending: output, idleTimeout: limit, exchangeTimeout: limit)
            var input = UpgradeInput(TransportBodyStream(of: try await transport.send(request)))
            // The same timeouts of a later request have passed after this error.
            for ordinary in [
                TransportRequest(method: .get, url: url, idleTimeout: limit),
                TransportRequest(method: .get, url: url, exchangeTimeout: limit),
            ] {
                let error = await #expect(throws: URLError.self) { try await transport.send(ordinary) }
                #expect(error?.code == .timedOut)
            }
            output.send("still open")
            try await expectEqual(input.text(10), "still open")
        }
    }

    @Test("before the response, the timeouts apply to a request for an upgrade")
    func timeoutBefore() async throws {
        try await run { connection in
            await connection.waitUntilClosed()
        } then: { transport, url in
            let output = UpgradeOutput()
            let request = TransportRequest.upgrade(url, sending: output, idleTimeout: .milliseconds(200))
            let error = await #expect(throws: URLError.self) { try await transport.send(request) }
            #expect(error?.code == .timedOut)
            #expect(!output.hasBegun)
        }
    }

    @Test("upgraded connections do not count towards the connections to a host", arguments: [false, true])
    func limit(overTLS: Bool) async throws {
        try await run(overTLS: overTLS, connections: 1) { connection in
            while let head = try await connection.head() {
                guard head["upgrade"] == nil else {
                    try await connection.writer.write(RawConnection.switching)
                    return try await connection.echo()
                }
                try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        } then: { transport, url in
            var upgrades: [(output: UpgradeOutput, input: UpgradeInput)] = []
            for _ in 0..<5 {
                let output = UpgradeOutput()
                upgrades.append((output, try await upgrade(url, transport, sending: output)))
            }
            let ordinary = try await transport.send(TransportRequest(method: .get, url: url))
            try await expectEqual(ordinary.collected(), Data("ok".utf8))
            for index in upgrades.indices {
                upgrades[index].output.send("\(index)")
                try await expectEqual(upgrades[index].input.text(1), "\(index)")
            }
        }
    }

    @Test("a shutdown ends upgraded connections, also after its grace period", arguments: [true, false])
    func shutdown(waits: Bool) async throws {
        let server = try await RawServer { connection in
            guard try await connection.acceptUpgrade() != nil else { return }
            try await connection.echo()
        }
        let transport = NIOTransport()
        let output = UpgradeOutput()
        var input = try await upgrade(server.url(), transport, sending: output)
        output.send("a")
        try await expectEqual(input.text(1), "a")
        if waits {
            let result = await transport.shutdown(grace: .milliseconds(100))
            #expect(result.cancelled == 1 && result.finished == 0)
        } else {
            await transport.shutdown()
        }
        let error = await #expect(throws: URLError.self) { try await input.rest() }
        #expect(error?.code == .cancelled)
        await output.released.wait()
        await server.shutDown()
    }
}
#endif
