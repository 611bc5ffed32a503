#if (canImport(Combine) || OpenCombine) && NIO && !canImport(Darwin)
import CombineMoya
import EntryPointCases
import Foundation
import Moya
import MoyaHTTP
import TestServers
import TestSupport
import Testing

@Suite("A publisher publishes the messages of a WebSocket", .timeLimit(.minutes(5)))
struct WebSocketPublisherTests {
    typealias Provider = MoyaProvider<EntryPointTarget>

    @Test("no request is sent before the first demand, and no more messages are delivered than demanded")
    func demand() async throws {
        let server = try await WebSocketServer { peer in
            for number in 1...3 { try await peer.send(.text("\(number)")) }
            try await peer.send(.close(1000))
            _ = try await peer.readClose()
        }
        let third = Promise<Void>()
        let probe = TestSubscriber<WebSocketMessage>(first: .none) { probe, _ in
            if probe.values.count == 2 { third.fulfill(()) }
            return .none
        }
        Provider().webSocketPublisher(EntryPointTarget(server.url()), callbackQueue: .global()).subscribe(probe)
        probe.request(.max(2))
        await third.wait()
        #expect(probe.values == [.text("1"), .text("2")])
        #expect(probe.completions.isEmpty)
        probe.request(.unlimited)
        await probe.wait()
        #expect(probe.values == [.text("1"), .text("2"), .text("3")])
        #expect(probe.hasFinished)
        await server.shutDown()
    }

    @Test("cancelling a subscription closes the WebSocket with the code 1001, also while it waits for demand")
    func cancel() async throws {
        for demand in [Subscribers.Demand.unlimited, .max(1)] {
            let closed = Promise<Int?>()
            let server = try await WebSocketServer { peer in
                try await peer.send(.text("a"))
                try await peer.send(.text("b"))
                closed.fulfill(try await peer.readClose()?.closeCode)
            }
            let first = Promise<Void>()
            let probe = TestSubscriber<WebSocketMessage>(first: demand) { _, _ in
                first.fulfill(())
                return .none
            }
            Provider().webSocketPublisher(EntryPointTarget(server.url()), callbackQueue: .global()).subscribe(probe)
            await first.wait()
            probe.cancel()
            #expect(await closed.wait() == 1001)
            #expect(probe.completions.isEmpty)
            await server.shutDown()
        }
    }

    @Test("a refusal, an error of the closure and a code that reports an error are failures")
    func failures() async throws {
        let refusing = try await WebSocketServer(answer: { _ in .refuse(403) }, { _ in })
        let probe = TestSubscriber<WebSocketMessage>(first: .unlimited)
        Provider().webSocketPublisher(EntryPointTarget(refusing.url()), callbackQueue: .global()).subscribe(probe)
        await probe.wait()
        #expect(probe.completions.first??.response?.statusCode == 403)
        await refusing.shutDown()

        let server = try await WebSocketServer { peer in
            try await peer.send(.close(1008))
            _ = try await peer.readClose()
        }
        let violating = TestSubscriber<WebSocketMessage>(first: .unlimited)
        Provider().webSocketPublisher(EntryPointTarget(server.url()), callbackQueue: .global()).subscribe(violating)
        await violating.wait()
        guard case .underlying(WebSocketError.closed(let closure), nil)?? = violating.completions.first else {
            Issue.record("\(violating.completions)")
            return
        }
        #expect(closure.code == .policyViolation)
        let failing = TestSubscriber<WebSocketMessage>(first: .unlimited)
        Provider().webSocketPublisher(EntryPointTarget(server.url()), callbackQueue: .global()) { _ in
            throw URLError(.badURL)
        }.subscribe(failing)
        await failing.wait()
        guard case .underlying(let error as URLError, nil)?? = failing.completions.first else {
            Issue.record("\(failing.completions)")
            return
        }
        #expect(error.code == .badURL)
        await server.shutDown()
    }
}

// This suite has every line of the Swift block about publishers in Documentation/WebSockets.md.
@Suite("The documentation's example of a publisher of a WebSocket runs", .timeLimit(.minutes(5)))
struct ReadmeWebSocketTests {
    private enum Market: TargetType {
        case ticker
        var baseURL: URL { URL(string: "wss://example.com")! }
        var path: String { "ticker" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    /// A transport without a network.
    private struct NoTransport: HTTPTransport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            throw URLError(.notConnectedToInternet)
        }
        func shutdown() async {}
    }

    @Test("the documentation's example of a publisher of a WebSocket runs")
    func publisher() async {
        let ended = Promise<Void>()
        @Sendable func print(_ value: any Sendable) { ended.fulfill(()) }
        let provider = MoyaProvider<Market>(callbackQueue: .global(), session: Session(transport: NoTransport()))
        let subscription = provider.webSocketPublisher(.ticker) { try await $0.send(.text("subscribe")) }
            .sink { completion in
                print(completion)
            } receiveValue: { message in
                print(message)
            }
        await ended.wait()
        subscription.cancel()
    }
}
#endif
