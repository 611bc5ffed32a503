import Foundation
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Cancellation ends the wait of a request", .timeLimit(.minutes(5)))
struct CancelledRetryTests {
    /// Never calls back.
    private struct Silent: RequestInterceptor {
        var adapts = true
        let began: Promise<Void>

        func adapt(
            _ urlRequest: URLRequest,
            for session: Session,
            completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
        ) {
            if adapts { return completion(.success(urlRequest)) }
            began.fulfill(())
        }

        func retry(
            _ request: Request,
            for session: Session,
            dueTo error: any Error,
            completion: @escaping @Sendable (RetryResult) -> Void
        ) {
            began.fulfill(())
        }
    }

    /// Sends a request, cancels it when a step has begun, and expects it to end as cancelled, once.
    private func expectCancelled(
        _ kind: TransportKind,
        _ reaction: ReactingServer.Reaction,
        sent: Int,
        began: Promise<Void>,
        clock: WaitClock = WaitClock(),
        _ interceptor: any RequestInterceptor
    ) async throws {
        let monitor = EndMonitor()
        try await kind.withReactingServer({ _ in reaction }) { transport, server in
            let session = Session(
                transport: transport,
                interceptor: interceptor,
                eventMonitors: [monitor],
                options: SessionOptions(clock: clock)
            )
            let task = Task {
                // Ends the test's wait if the request ends before the step.
                defer { began.fulfill(()) }
                return try await session.data(
                    for: server.request(),
                    record: RequestRecord(),
                    settings: RequestSettings(isAccepted: { $0 < 400 })
                )
            }
            await began.wait()
            task.cancel()
            let error = await #expect(throws: (any Error).self) { try await task.value }
            #expect(isCancelled(error), "\(String(describing: error))")
            #expect(server.count == sent)
            #expect(monitor.ends.count == 1)
        }
    }

    @Test("cancellation ends the wait for the next attempt of a request", arguments: TransportKind.allCases)
    func waiting(kind: TransportKind) async throws {
        for reaction in [ReactingServer.Reaction.respond(503), .cutInBody] {
            let clock = WaitClock(isEndless: true)
            let interceptor = TestInterceptor.repeating(1, .retryWithDelay(1))
            try await expectCancelled(kind, reaction, sent: 1, began: clock.began, clock: clock, interceptor)
        }
    }

    @Test("cancellation ends the wait for an adapter that never calls back", arguments: TransportKind.allCases)
    func silentAdapter(kind: TransportKind) async throws {
        let began = Promise<Void>()
        try await expectCancelled(kind, .respond(200), sent: 0, began: began, Silent(adapts: false, began: began))
    }

    @Test("cancellation ends the wait for a retrier that never calls back", arguments: TransportKind.allCases)
    func silentRetrier(kind: TransportKind) async throws {
        for reaction in [ReactingServer.Reaction.respond(503), .cutInBody] {
            let began = Promise<Void>()
            try await expectCancelled(kind, reaction, sent: 1, began: began, Silent(began: began))
        }
    }

    @Test("cancellation ends the wait for an adapter that ignores the cancellation")
    func stubbornAdapter() async throws {
        let began = Promise<Void>()
        let interceptor = TestInterceptor(onAdapt: { request, _ in
            began.fulfill(())
            while !Task.isCancelled { await Task.yield() }
            return request
        })
        try await expectCancelled(TransportKind.allCases[0], .respond(200), sent: 0, began: began, interceptor)
    }

    @Test(
        "cancellation ends the wait for a retrier that ignores the cancellation, whatever the retrier returns",
        arguments: 0..<3
    )
    func stubbornRetrier(index: Int) async throws {
        let began = Promise<Void>()
        let interceptor = TestInterceptor(onRetry: { _ in
            began.fulfill(())
            while !Task.isCancelled { await Task.yield() }
            return [.doNotRetry, .retry, .retryWithDelay(1)][index]
        })
        try await expectCancelled(TransportKind.allCases[0], .respond(503), sent: 1, began: began, interceptor)
    }

    @Test("cancellation ends the wait for a server that never responds", arguments: TransportKind.allCases)
    func server(kind: TransportKind) async throws {
        let began = Promise<Void>()
        try await kind.withReactingServer({ _ in
            began.fulfill(())
            return .stall
        }) { transport, server in
            let log = TestLog()
            let session = Session(
                transport: transport,
                interceptor: TestInterceptor(onRetry: { attempt in
                    log.note(attempt.summary)
                    return .retry
                })
            )
            let task = Task {
                defer { began.fulfill(()) }
                return try await session.data(for: server.request())
            }
            await began.wait()
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            // No retrier is asked about the cancellation.
            #expect(log.lines == [])
        }
    }

    @Test("a retrier can cancel the request that it decides about", arguments: [false, true])
    func byRetrier(retries: Bool) async throws {
        struct Cancelling: RequestInterceptor {
            let retries: Bool
            func retry(
                _ request: Request,
                for session: Session,
                dueTo error: any Error,
                completion: @escaping @Sendable (RetryResult) -> Void
            ) {
                request.cancel()
                completion(retries ? .retry : .doNotRetry)
            }
        }
        let kind = TransportKind.allCases[0]
        try await kind.withReactingServer({ _ in .cutInBody }) { transport, server in
            let session = Session(transport: transport, interceptor: Cancelling(retries: retries))
            let error = await #expect(throws: URLError.self) { try await session.data(for: server.request()) }
            #expect(error?.code == .cancelled)
            #expect(server.count == 1)
            let request = session.request(server.request())
            let another = await #expect(throws: URLError.self) { try await request.value }
            #expect(another?.code == .cancelled)
            #expect(request.isCancelled)
            #expect(server.count == 2)
        }
    }
}

/// Records the ends of requests.
final class EndMonitor: EventMonitor {
    private let log = TestLog()

    var ends: [String] { log.lines }

    func record(_ event: RequestEvent) {
        switch event.kind {
        case .finished(let status): log.note("finished \(status)")
        case .failed(let error): log.note("failed \(error)")
        default: break
        }
    }
}
