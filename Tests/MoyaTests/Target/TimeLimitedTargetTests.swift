import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("A target, a provider and a session limit the times of requests")
struct TimeLimitedTargetTests {
    private struct Limited: TimeLimitedTargetType {
        var timeouts = RequestTimeouts()
        var baseURL: URL { URL(string: "http://h.test") ?? URL(fileURLWithPath: "/") }
        var path: String { "" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    private struct Plain: TargetType {
        var baseURL: URL { URL(string: "http://h.test") ?? URL(fileURLWithPath: "/") }
        var path: String { "" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    /// Returns the times of a request, except its total time, as the transport gets them.
    private func send<Target: TargetType>(
        _ target: Target,
        provider: RequestTimeouts? = nil,
        session: RequestTimeouts = RequestTimeouts()
    ) async throws -> RequestTimeouts {
        let sent = Recorder<RequestTimeouts>()
        let transport = FakeTransport { request in
            sent.add(
                RequestTimeouts(
                    attempt: request.attemptTimeout,
                    connect: request.connectTimeout,
                    pool: request.connectionPoolTimeout,
                    firstByte: request.firstByteTimeout
                )
            )
            return TransportResponse(status: 200)
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForResource = 600
        var resilience = Resilience()
        resilience.timeouts = session
        let sender = Session(transport: transport, configuration: configuration, resilience: resilience)
        let provider =
            provider.map { MoyaProvider<Target>(session: sender, timeouts: $0) }
            ?? MoyaProvider<Target>(session: sender)
        _ = try await provider.request(target)
        return try #require(sent.values.first)
    }

    typealias Property = WritableKeyPath<RequestTimeouts, Duration?> & Sendable

    @Test(
        "each time is the target's, or the provider's, or the session's, or that of the configuration",
        arguments: [\.attempt, \.connect, \.pool, \.firstByte] as [Property]
    )
    func precedence(property: Property) async throws {
        func timeouts(_ seconds: Int?) -> RequestTimeouts {
            var timeouts = RequestTimeouts()
            timeouts[keyPath: property] = seconds.map { .seconds($0) }
            return timeouts
        }
        var unlimited = RequestTimeouts(attempt: .seconds(600))
        for target in [nil, 1] {
            for provider in [nil, 2] {
                for session in [nil, 3] {
                    var expected = unlimited
                    if let seconds = target ?? provider ?? session { expected[keyPath: property] = .seconds(seconds) }
                    let sent = try await send(
                        Limited(timeouts: timeouts(target)),
                        provider: timeouts(provider),
                        session: timeouts(session)
                    )
                    #expect(sent == expected, "\(String(describing: (target, provider, session)))")
                }
            }
        }
        unlimited[keyPath: property] = .seconds(2)
        #expect(try await send(Plain(), provider: timeouts(2), session: timeouts(3)) == unlimited)
        unlimited[keyPath: property] = .seconds(3)
        #expect(try await send(Plain(), session: timeouts(3)) == unlimited)
    }

    @Test("the times of a wrapped target are its own")
    func wrapped() async throws {
        let target = MultiTarget(MultiTarget(Limited(timeouts: RequestTimeouts(connect: .seconds(1)))))
        #expect(target.timeouts == RequestTimeouts(connect: .seconds(1)))
        #expect(try await send(target, provider: RequestTimeouts(connect: .seconds(2))).connect == .seconds(1))
        #expect(MultiTarget(Plain()).timeouts == RequestTimeouts())
        #expect(
            try await send(MultiTarget(Plain()), provider: RequestTimeouts(connect: .seconds(2))).connect == .seconds(2)
        )
    }

    @Test("the total time is the target's, or the provider's, or the session's")
    func total() async throws {
        let clock = ManualClock()
        var resilience = Resilience()
        resilience.timeouts.total = .seconds(30)
        let transport = FakeTransport { _ in
            // The cancellation ends the wait.
            try await Task.sleep(for: .seconds(86_400))
            return TransportResponse(status: 200)
        }
        let session = Session(
            transport: transport,
            resilience: resilience,
            options: SessionOptions(clock: clock)
        )
        let rows: [(target: Int?, provider: Int?, seconds: Int)] = [
            (nil, nil, 30), (nil, 20, 20), (10, 20, 10), (10, nil, 10),
        ]
        for row in rows {
            let provider = MoyaProvider<Limited>(
                session: session,
                timeouts: RequestTimeouts(total: row.provider.map { .seconds($0) })
            )
            let target = Limited(timeouts: RequestTimeouts(total: row.target.map { .seconds($0) }))
            let task = Task { try await provider.request(target) }
            while clock.timeToNextWake != .seconds(row.seconds) { await Task.yield() }
            clock.advance(by: .seconds(row.seconds))
            let error = await #expect(throws: MoyaError.self) { try await task.value }
            #expect(error?.isTimeout == true)
            #expect(error?.urlError?.timeout == RequestTimeoutError(kind: .total, limit: .seconds(row.seconds)))
            #expect(error?.isCancelled == false)
        }
    }

    @Test("a provider without times has none, and the initializers keep the other parameters")
    func initializers() {
        let queue = DispatchQueue(label: "test")
        #expect(MoyaProvider<Plain>().timeouts == RequestTimeouts())
        #expect(MoyaProvider<Plain>(interceptor: nil).timeouts == RequestTimeouts())
        let timeouts = RequestTimeouts(total: .seconds(1))
        let provider = MoyaProvider<Plain>(
            callbackQueue: queue,
            trackInflights: true,
            interceptor: RetryPolicy(),
            timeouts: timeouts
        )
        #expect(provider.timeouts == timeouts)
        #expect(provider.trackInflights)
        #expect(provider.interceptor is RetryPolicy)
    }
}
