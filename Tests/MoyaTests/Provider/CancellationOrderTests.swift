import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("The hooks of a cancelled request run in order", .timeLimit(.minutes(5)))
struct CancellationOrderTests {
    typealias Provider = MoyaProvider<SomeTarget>

    /// Returns a session that does not respond until the request is cancelled.
    private static func waiting(_ started: Promise<Void>) -> Session {
        Session(
            FakeTransport { _ in
                started.fulfill(())
                try await Task.sleep(for: .seconds(3_600))
                return TransportResponse(status: 200)
            }
        )
    }

    private func start(_ tag: String, from provider: Provider) -> (
        any Cancellable, Promise<Result<Response, MoyaError>>
    ) {
        let result = Promise<Result<Response, MoyaError>>()
        let token = provider.request(SomeTarget(tag: tag), callbackQueue: .global()) { result.fulfill($0) }
        return (token, result)
    }

    @Test("a cancelled live request runs prepare, willSend, didReceive and process", arguments: [false, true])
    func live(tracksInflights: Bool) async {
        let (calls, started) = (Recorder<String>(), Promise<Void>())
        let provider = Provider(
            session: Self.waiting(started),
            plugins: [RecordingPlugin(calls: calls)],
            trackInflights: tracksInflights
        )
        let (token, result) = start("", from: provider)
        await started.wait()
        token.cancel()
        #expect(await result.wait().urlErrorCode == .cancelled)
        #expect(calls.values == ["prepare", "willSend", "didReceive", "process"])
        #expect(provider.inflightRequests.isEmpty)
    }

    @Test(
        "a request that leaves a shared exchange runs process immediately, and the last request runs it after didReceive"
    )
    func shared() async {
        let (calls, started) = (Recorder<String>(), Promise<Void>())
        let provider = Provider(
            session: Self.waiting(started),
            plugins: [RecordingPlugin(calls: calls)],
            trackInflights: true
        )
        let requests = ["1", "2", "3"].map { start($0, from: provider) }
        await started.wait()
        for index in [1, 0, 2] {
            requests[index].0.cancel()
            #expect(await requests[index].1.wait().urlErrorCode == .cancelled)
        }
        #expect(
            calls.values == ["prepare 1", "willSend 1", "process 2", "process 1", "didReceive 1", "process 3"]
        )
    }

    @Test("a response after the last cancellation is dropped, and a new request has a new exchange")
    func lateAnswer() async {
        let (calls, started, left) = (Recorder<String>(), Promise<Void>(), Promise<Void>())
        let sent = Recorder<Void>()
        let provider = Provider(
            session: Session(
                FakeTransport { _ in
                    sent.add(())
                    guard sent.values.count == 1 else { return TransportResponse(status: 201) }
                    started.fulfill(())
                    await left.wait()
                    return TransportResponse(status: 200)
                }
            ),
            plugins: [RecordingPlugin(calls: calls)],
            trackInflights: true
        )
        let (token, result) = start("1", from: provider)
        await started.wait()
        token.cancel()
        let (_, next) = start("2", from: provider)
        #expect(await next.wait().response?.statusCode == 201)
        left.fulfill(())
        #expect(await result.wait().urlErrorCode == .cancelled)
        #expect(calls.values.filter { $0.hasSuffix("1") } == ["prepare 1", "willSend 1", "didReceive 1", "process 1"])
        #expect(calls.values.filter { $0.hasSuffix("2") } == ["prepare 2", "willSend 2", "didReceive 2", "process 2"])
    }

    @Test("a request that is cancelled before the mapping runs didReceive and process once", arguments: [false, true])
    func beforeMapping(tracksInflights: Bool) async {
        let calls = Recorder<String>()
        let deliver = Recorder<@Sendable () -> Void>()
        let provider = Provider(
            requestClosure: { endpoint, done in
                deliver.add { Provider.defaultRequestMapping(for: endpoint, closure: done) }
            },
            session: Self.waiting(Promise()),
            plugins: [RecordingPlugin(calls: calls)],
            trackInflights: tracksInflights
        )
        let (token, result) = start("", from: provider)
        token.cancel()
        // Fact 78: the request ends when the closure calls back. Fact 88: a request with a shared exchange ends before.
        if !tracksInflights { deliver.values.first?() }
        #expect(await result.wait().urlErrorCode == .cancelled)
        deliver.values.first?()
        #expect(calls.values == ["didReceive", "process"])
    }

    @Test("a cancelled delayed stub runs prepare, willSend, didReceive and process", arguments: [false, true])
    func stub(tracksInflights: Bool) async {
        let (calls, clock) = (Recorder<String>(), ManualClock())
        let provider = Provider(
            stubClosure: Provider.delayedStub(1),
            plugins: [RecordingPlugin(calls: calls)],
            trackInflights: tracksInflights,
            clock: clock
        )
        let (token, result) = start("", from: provider)
        await clock.someoneSleeps()
        token.cancel()
        #expect(await result.wait().urlErrorCode == .cancelled)
        #expect(calls.values == ["prepare", "willSend", "didReceive", "process"])
    }

    @Test("a request whose adapter outlasts the cancellation is not sent and does not run willSend")
    func slowAdapter() async {
        struct Stubborn: RequestInterceptor {
            let began: Promise<Void>
            func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
                began.fulfill(())
                while !Task.isCancelled { await Task.yield() }
                return urlRequest
            }
        }
        let (calls, began) = (Recorder<String>(), Promise<Void>())
        let provider = Provider(
            session: Session(
                FakeTransport { _ in
                    Issue.record("It was sent.")
                    return TransportResponse(status: 200)
                }
            ),
            plugins: [RecordingPlugin(calls: calls)],
            interceptor: Stubborn(began: began)
        )
        let (token, result) = start("", from: provider)
        await began.wait()
        token.cancel()
        #expect(await result.wait().urlErrorCode == .cancelled)
        #expect(calls.values == ["didReceive", "process"])
    }
}
