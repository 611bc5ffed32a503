import Foundation
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("A WebSocket is opened again after failures that may pass", .timeLimit(.minutes(5)))
struct WebSocketReconnectionTests {
    @Test(
        "the peer's code decides whether another connection follows",
        arguments: [
            (1002, false), (1003, false), (1007, false), (1008, false), (1009, false), (1010, false), (1011, true),
            (1012, true),
            (1013, true), (1014, true), (3000, false), (4999, false),
        ] as [(UInt16, Bool)]
    )
    func codes(_ code: UInt16, _ isTransient: Bool) {
        var reconnection = WebSocketReconnection(ReconnectionPolicy(initialDelay: .seconds(7)))
        let error = WebSocketError.closed(WebSocketClosure(WebSocketCloseCode(rawValue: code)))
        #expect(reconnection.failed(error) == (isTransient ? .reconnect(after: .seconds(7)) : .fail))
    }

    @Test(
        "a regular end stops, unless the peer goes away",
        arguments: [
            (WebSocketCloseCode.normal, false), (.noStatus, false), (.goingAway, true), (nil, false),
        ] as [(WebSocketCloseCode?, Bool)]
    )
    func ends(_ code: WebSocketCloseCode?, _ reconnects: Bool) {
        let reconnection = WebSocketReconnection(ReconnectionPolicy(initialDelay: .seconds(7)))
        #expect(reconnection.ended(code) == (reconnects ? .reconnect(after: .seconds(7)) : .stop))
    }

    @Test(
        "errors that may pass are followed by another connection",
        arguments: [
            (URLError(.networkConnectionLost), true), (URLError(.cannotConnectToHost), true),
            (URLError(.timedOut), true),
            (URLError(.cancelled), false), (URLError(.serverCertificateUntrusted), false),
            (WebSocketError.peerIsSilent(timeout: .seconds(1)), true),
            (WebSocketError.upgradeRefused(status: 503), true),
            (WebSocketError.upgradeRefused(status: 404), false), (WebSocketError.invalidUpgrade(.accept), false),
            (WebSocketError.messageTooLarge(limit: 1), false), (WebSocketError.protocolViolation(.reservedBits), false),
            (RequestValidationError.invalidURL(""), false),
        ] as [(any Error, Bool)]
    )
    func errors(_ error: any Error, _ isTransient: Bool) {
        var reconnection = WebSocketReconnection(
            ReconnectionPolicy(initialDelay: .seconds(7), reconnectsAfterServerErrors: true)
        )
        #expect(reconnection.failed(error) == (isTransient ? .reconnect(after: .seconds(7)) : .fail))
    }

    @Test("a refusal with a status from 500 to 599 is an error by default")
    func serverErrors() {
        var reconnection = WebSocketReconnection(ReconnectionPolicy())
        #expect(reconnection.failed(WebSocketError.upgradeRefused(status: 503)) == .fail)
    }

    @Test("failures in a row have growing delays and a limit, and a message resets them")
    func limit() {
        let policy = ReconnectionPolicy(initialDelay: .seconds(1), maximumFailures: 3, backoffFactor: 2)
        var reconnection = WebSocketReconnection(policy)
        let lost = URLError(.networkConnectionLost)
        for _ in 0..<2 {
            for seconds in [1, 2, 4] { #expect(reconnection.failed(lost) == .reconnect(after: .seconds(seconds))) }
            reconnection.receivedMessage()
        }
        for _ in 0..<3 { _ = reconnection.failed(lost) }
        #expect(reconnection.failed(lost) == .fail)
    }

    #if NIO && !canImport(Darwin)
    private static let policy = ReconnectionPolicy(initialDelay: .zero)

    @Test("one loop has the messages of several connections, each of which is subscribed again")
    func reconnects() async throws {
        let count = Locked(0)
        try await withWebSocketServer { peer in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let subscription = try await peer.read()
            try await peer.send(.text("\(number) \(String(decoding: subscription?.payload ?? Data(), as: UTF8.self))"))
            switch number {
            case 1: try await peer.send(.close(1012))
            case 2: throw CancellationError()
            case 3: try await peer.send(.close(1001))
            default: try await peer.send(.close(1000))
            }
            _ = try await peer.read()
        } test: { session, server in
            let opened = Locked(0)
            let socket = session.reconnectingWebSocket(
                for: URLRequest(url: server.url()),
                options: .plain,
                reconnection: Self.policy
            ) { socket in
                let number = opened.withLock { opened in
                    opened += 1
                    return opened
                }
                try await socket.send(.text("subscribe \(number)"))
            }
            var messages: [WebSocketMessage] = []
            for try await message in socket { messages.append(message) }
            // The second message may be lost with its connection.
            #expect(
                messages.filter { $0 != .text("2 subscribe 2") } == [1, 3, 4].map { .text("\($0) subscribe \($0)") }
            )
            await #expect(throws: WebSocketError.closed(WebSocketClosure(.normal))) {
                try await socket.send(.text("a"))
            }
        }
    }

    @Test("a message waits for a connection, and leaving the loop closes the connection")
    func sendWaits() async throws {
        let frames = Reports<WebSocketServer.Frame?>()
        try await withWebSocketServer { peer in
            frames.add(try await peer.read())
            try await peer.send(.text("a"))
            let frame = try await peer.readClose()
            frames.add(frame)
            if let frame { try await peer.send(frame) }
        } test: { session, server in
            let socket = session.reconnectingWebSocket(
                for: URLRequest(url: server.url()),
                options: .plain,
                reconnection: Self.policy
            )
            #expect(socket.current == nil)
            async let sent: Void = socket.send(.text("early"))
            for try await message in socket {
                #expect(message == .text("a"))
                #expect(socket.current != nil)
                break
            }
            try await sent
            #expect(await frames.next() == .text("early"))
            #expect(await frames.next() == .close(1001))
            await #expect(throws: WebSocketError.closed(WebSocketClosure(.goingAway))) {
                try await socket.send(.text("a"))
            }
        }
    }

    @Test("closing ends the loop")
    func close() async throws {
        try await withWebSocketServer { peer in
            try await peer.send(.text("a"))
            try await peer.echo()
        } test: { session, server in
            let socket = session.reconnectingWebSocket(
                for: URLRequest(url: server.url()),
                options: .plain,
                reconnection: Self.policy
            )
            var count = 0
            for try await _ in socket {
                count += 1
                try await socket.close()
            }
            #expect(count == 1)
        }
    }

    @Test("closing while a connection opens closes it, and ends the loop")
    func closeWhileOpening() async throws {
        let frames = Reports<WebSocketServer.Frame?>()
        let (isOpening, isClosed) = (Promise<Void>(), Promise<Void>())
        try await withWebSocketServer { peer in
            try await peer.send(.text("a"))
            frames.add(try await peer.readClose())
        } test: { session, server in
            let socket = session.reconnectingWebSocket(
                for: URLRequest(url: server.url()),
                options: .plain,
                reconnection: Self.policy
            ) { _ in
                isOpening.fulfill(())
                await isClosed.wait()
            }
            let loop = Task {
                var iterator = socket.makeAsyncIterator()
                return try await iterator.next()
            }
            await isOpening.wait()
            try await socket.close()
            isClosed.fulfill(())
            #expect(try await loop.value == nil)
            #expect(await frames.next() != .some(nil))
        }
    }

    @Test("closing during the delay between connections ends the loop")
    func closeDuringDelay() async throws {
        let closed = WebSocketError.closed(WebSocketClosure(.serviceRestart))
        let attempts = Locked(0)
        let isDelaying = Promise<Void>()
        let socket = ReconnectingWebSocket(
            policy: ReconnectionPolicy(initialDelay: .seconds(3600), maximumDelay: .seconds(3600)),
            clock: ContinuousClock()
        ) {
            attempts.withLock { $0 += 1 }
            throw closed
        } onOpen: { _ in
        } cause: { error in
            isDelaying.fulfill(())
            return error
        }
        let loop = Task {
            var iterator = socket.makeAsyncIterator()
            return try await iterator.next()
        }
        await isDelaying.wait()
        try await socket.close()
        #expect(try await loop.value == nil)
        #expect(attempts.withLock { $0 } == 1)
    }

    @Test("cancelling the loop while a connection opens is an error")
    func cancelWhileOpening() async throws {
        let isOpening = Promise<Void>()
        let socket = ReconnectingWebSocket(policy: Self.policy, clock: ContinuousClock()) {
            isOpening.fulfill(())
            try await Task.sleep(for: .seconds(3600))
            throw URLError(.timedOut)
        } onOpen: { _ in
        }
        let loop = Task {
            var iterator = socket.makeAsyncIterator()
            return try await iterator.next()
        }
        await isOpening.wait()
        loop.cancel()
        await #expect(throws: (any Error).self) { try await loop.value }
    }

    @Test("a refused upgrade is an error")
    func refused() async throws {
        try await withWebSocketServer(answer: { _ in .refuse(403) }) { _ in
        } test: { session, server in
            let socket = session.reconnectingWebSocket(for: URLRequest(url: server.url()), reconnection: Self.policy)
            let error = await #expect(throws: WebSocketUpgradeError.self) { for try await _ in socket {} }
            #expect(error?.error == .upgradeRefused(status: 403))
        }
    }
    #endif
}
