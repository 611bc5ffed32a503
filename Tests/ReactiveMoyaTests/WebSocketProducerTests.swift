#if ReactiveSwift && NIO && !canImport(Darwin)
import EntryPointCases
import Foundation
import Moya
import MoyaHTTP
import ReactiveMoya
@preconcurrency import ReactiveSwift
import TestServers
import TestSupport
import Testing

@Suite("A producer sends the messages of a WebSocket", .timeLimit(.minutes(5)))
struct WebSocketProducerTests {
    typealias Provider = MoyaProvider<EntryPointTarget>

    @Test("messages are sent in their order, and the producer completes with the WebSocket")
    func messages() async throws {
        let server = try await WebSocketServer { peer in
            guard let first = try await peer.read() else { return }
            try await peer.send(first, .binary(Data([1])), .close(1000))
            _ = try await peer.readClose()
        }
        let (seen, ended) = (Recorder<WebSocketMessage>(), Promise<String>())
        let subscription = Provider().reactive.webSocket(EntryPointTarget(server.url()), callbackQueue: .global()) {
            try await $0.send(.text("subscribe"))
        }.start { event in
            switch event {
            case .value(let message): seen.add(message)
            case .failed(let error): ended.fulfill("\(error)")
            case .completed: ended.fulfill("completed")
            case .interrupted: ended.fulfill("interrupted")
            }
        }
        #expect(await ended.wait() == "completed")
        #expect(seen.values == [.text("subscribe"), .data(Data([1]))])
        subscription.dispose()
        await server.shutDown()
    }

    @Test("disposing closes the WebSocket with the code 1001, and a refusal is an error")
    func disposed() async throws {
        let closed = Promise<Int?>()
        let server = try await WebSocketServer { peer in
            try await peer.send(.text("a"))
            closed.fulfill(try await peer.readClose()?.closeCode)
        }
        let first = Promise<Void>()
        let subscription = Provider().reactive.webSocket(EntryPointTarget(server.url()), callbackQueue: .global())
            .startWithResult { _ in first.fulfill(()) }
        await first.wait()
        subscription.dispose()
        #expect(await closed.wait() == 1001)
        await server.shutDown()

        let refusing = try await WebSocketServer(answer: { _ in .refuse(403) }, { _ in })
        let status = Promise<Int?>()
        let refused = Provider().reactive.webSocket(EntryPointTarget(refusing.url()), callbackQueue: .global())
            .startWithFailed { status.fulfill($0.response?.statusCode) }
        #expect(await status.wait() == 403)
        refused.dispose()
        await refusing.shutDown()
    }
}
#endif
