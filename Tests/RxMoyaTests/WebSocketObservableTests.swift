#if RxSwift && NIO && !canImport(Darwin)
import EntryPointCases
import Foundation
import Moya
import MoyaHTTP
import RxMoya
@preconcurrency import RxSwift
import TestServers
import TestSupport
import Testing

@Suite("An observable emits the messages of a WebSocket", .timeLimit(.minutes(5)))
struct WebSocketObservableTests {
    typealias Provider = MoyaProvider<EntryPointTarget>

    @Test("messages are emitted in their order, and the observable completes with the WebSocket")
    func messages() async throws {
        let server = try await WebSocketServer { peer in
            guard let first = try await peer.read() else { return }
            try await peer.send(first, .binary(Data([1])), .close(1000))
            _ = try await peer.readClose()
        }
        let (seen, ended) = (Recorder<WebSocketMessage>(), Promise<String>())
        let subscription = Provider().rx.webSocket(EntryPointTarget(server.url()), callbackQueue: .global()) {
            try await $0.send(.text("subscribe"))
        }.subscribe(
            onNext: { seen.add($0) },
            onError: { ended.fulfill("\($0)") },
            onCompleted: { ended.fulfill("completed") }
        )
        #expect(await ended.wait() == "completed")
        #expect(seen.values == [.text("subscribe"), .data(Data([1]))])
        subscription.dispose()
        await server.shutDown()
    }

    @Test("disposing of a subscription closes the WebSocket with the code 1001, and a refusal is an error")
    func disposed() async throws {
        let closed = Promise<Int?>()
        let server = try await WebSocketServer { peer in
            try await peer.send(.text("a"))
            closed.fulfill(try await peer.readClose()?.closeCode)
        }
        let first = Promise<Void>()
        let subscription = Provider().rx.webSocket(EntryPointTarget(server.url()), callbackQueue: .global())
            .subscribe(onNext: { _ in first.fulfill(()) })
        await first.wait()
        subscription.dispose()
        #expect(await closed.wait() == 1001)
        await server.shutDown()

        let refusing = try await WebSocketServer(answer: { _ in .refuse(403) }, { _ in })
        let status = Promise<Int?>()
        let refused = Provider().rx.webSocket(EntryPointTarget(refusing.url()), callbackQueue: .global())
            .subscribe(onError: { status.fulfill(($0 as? MoyaError)?.response?.statusCode) })
        #expect(await status.wait() == 403)
        refused.dispose()
        await refusing.shutDown()
    }
}
#endif
