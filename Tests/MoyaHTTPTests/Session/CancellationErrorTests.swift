import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The application's code may throw CancellationError", .timeLimit(.minutes(5)))
struct CancellationErrorTests {
    /// The places of application code.
    enum Place: String, CaseIterable, Sendable {
        case adapter, retrier, tokenRefresh, prepare, redirectHandler, transport, responseBody, requestBody, clock
    }

    /// The kinds of request to a session.
    enum Entry: String, CaseIterable, Sendable {
        case data, download, stream, request
    }

    /// The behavior of the code: it waits for the cancellation or throws without one.
    private struct UserCode: Sendable {
        let began = Promise<Void>()
        let throwsAtOnce: Bool

        func run() async throws {
            began.fulfill(())
            while !throwsAtOnce, !Task.isCancelled { await Task.yield() }
            throw CancellationError()
        }
    }

    private struct Expired: AuthenticationCredential {
        let requiresRefresh = true
    }

    private struct Refreshing: Authenticator {
        let code: UserCode

        func apply(_ credential: Expired, to urlRequest: inout URLRequest) {}

        func refresh(_ credential: Expired, for session: Session) async throws -> Expired {
            // The cancellation of a waiting request does not cancel the refresh.
            if code.throwsAtOnce { throw CancellationError() }
            code.began.fulfill(())
            try await Task.sleep(for: .seconds(3_600))
            return credential
        }
    }

    private struct Chunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let code: UserCode

        mutating func next() async throws -> Data? {
            try await code.run()
            return nil
        }

        func makeAsyncIterator() -> Chunks { self }
    }

    private struct WaitingHandler: RedirectHandler {
        let code: UserCode

        func redirect(_ redirect: Redirect) async throws -> RedirectDecision {
            try await code.run()
            return .stop
        }
    }

    private struct CodeClock: Clock {
        let code: UserCode
        var now: HandClock.Instant { HandClock.Instant(offset: .zero) }
        var minimumResolution: Duration { .nanoseconds(1) }

        func sleep(until deadline: HandClock.Instant, tolerance: Duration?) async throws { try await code.run() }
    }

    private func session(_ place: Place, _ code: UserCode) -> Session {
        let interceptor: (any RequestInterceptor)? =
            switch place {
            case .adapter:
                TestInterceptor(onAdapt: { request, _ in
                    try await code.run()
                    return request
                })
            case .retrier:
                TestInterceptor(onRetry: { _ in
                    try? await code.run()
                    return .doNotRetryWithError(CancellationError())
                })
            case .tokenRefresh:
                AuthenticationInterceptor(authenticator: Refreshing(code: code), credential: Expired())
            case .clock:
                TestInterceptor(onRetry: { _ in .retryWithDelay(1) })
            default: nil
            }
        let transport = StubTransport { request in
            switch place {
            case .transport:
                try await code.run()
            case .requestBody:
                let reader = try request.body?.open()
                while try await reader?.next() != nil {}
            default: break
            }
            if place == .redirectHandler { return TransportResponse(status: 302, headers: [.location: "/b"]) }
            let body = TransportBodyStream {
                if place == .responseBody { try await code.run() }
                return nil
            }
            return TransportResponse(status: place == .retrier ? 503 : 200, body: .stream(body))
        }
        return Session(
            transport: transport,
            interceptor: interceptor,
            redirectHandler: place == .redirectHandler ? WaitingHandler(code: code) : nil,
            options: SessionOptions(clock: CodeClock(code: code))
        )
    }

    private func run(_ entry: Entry, _ place: Place, _ session: Session, _ code: UserCode) async throws {
        let body: HTTPBody? = place == .requestBody ? .sequence(Chunks(code: code)) : nil
        let preparation = TestPreparation { _ in
            code.began.fulfill(())
            // The code cancels its task, because waiting would block the thread.
            if !code.throwsAtOnce { withUnsafeCurrentTask { $0?.cancel() } }
            throw CancellationError()
        }
        let settings = RequestSettings(preparation: place == .prepare ? preparation : nil)
        switch entry {
        case .data:
            _ = try await session.data(for: URLRequest.some(), body: body, record: RequestRecord(), settings: settings)
        case .download:
            _ = try await session.download(
                URLRequest.some(),
                to: { file, _ in (file, [.removePreviousFile]) },
                record: RequestRecord(),
                settings: settings
            )
        case .stream:
            let (_, stream) = try await session.stream(
                for: URLRequest.some(),
                body: body,
                record: RequestRecord(),
                settings: settings
            )
            for try await _ in stream {}
        case .request: _ = try await session.request(URLRequest.some()).value
        }
    }

    /// Returns whether a request of the entry point passes the place.
    private func isPossible(_ entry: Entry, _ place: Place) -> Bool {
        switch (entry, place) {
        case (.download, .requestBody), (.request, .requestBody), (.request, .prepare): false
        default: true
        }
    }

    @Test("a CancellationError ends a cancelled request as cancelled", arguments: Entry.allCases, Place.allCases)
    func cancelled(entry: Entry, place: Place) async {
        guard isPossible(entry, place) else { return }
        let code = UserCode(throwsAtOnce: false)
        let session = session(place, code)
        let task = Task {
            // Ends the test's wait if the request ends before it reaches the code.
            defer { code.began.fulfill(()) }
            try await run(entry, place, session, code)
        }
        await code.began.wait()
        task.cancel()
        let error = await #expect(throws: (any Error).self) { try await task.value }
        #expect(isCancelled(error), "\(String(describing: error))")
    }

    @Test(
        "a CancellationError ends a running request as cancelled, with the error as the cause and without a retry",
        arguments: Entry.allCases,
        Place.allCases
    )
    func own(entry: Entry, place: Place) async {
        // A clock that throws instead of waiting does not end the request.
        guard isPossible(entry, place), place != .clock else { return }
        let code = UserCode(throwsAtOnce: true)
        let session = session(place, code)
        let error = await #expect(throws: (any Error).self) { try await run(entry, place, session, code) }
        #expect(isCancelled(error), "\(String(describing: error))")
        let cause = (error as? URLError)?.userInfo[NSUnderlyingErrorKey]
        let isCause = place == .requestBody ? cause is RequestBodyError : cause is CancellationError
        #expect(isCause, "\(String(describing: cause))")
    }

    private struct FailureMonitor: EventMonitor {
        let failures = Locked<[any Error]>([])

        func record(_ event: RequestEvent) {
            if case .failed(let error) = event.kind { failures.withLock { $0.append(error) } }
        }
    }

    @Test("a CancellationError reaches event monitors as the caller's error")
    func monitors() async {
        let monitor = FailureMonitor()
        let session = Session(
            transport: StubTransport { _ in throw CancellationError() },
            eventMonitors: [monitor]
        )
        await #expect(throws: URLError.self) { try await session.data(for: URLRequest.some()) }
        #expect(monitor.failures.withLock { $0 }.map { ($0 as? URLError)?.code } == [.cancelled])
    }

    @Test("any other error of a cancelled request becomes the cause of URLError.cancelled")
    func otherError() async {
        let began = Promise<Void>()
        let session = Session(
            transport: StubTransport { _ in
                began.fulfill(())
                while !Task.isCancelled { await Task.yield() }
                throw TestFailure()
            }
        )
        let task = Task { try await session.data(for: URLRequest.some()) }
        await began.wait()
        task.cancel()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(error?.userInfo[NSUnderlyingErrorKey] is TestFailure)
    }
}
