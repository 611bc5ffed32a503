import Foundation
import Moya
import MoyaHTTP
import TestServers
import TestSupport
import Testing

@Suite("A streamed response can break off, be left or be cancelled")
struct StreamEndTests {
    typealias Provider = MoyaProvider<TaskTarget>

    private static let target = TaskTarget(method: .get, task: .requestPlain)

    @Test("a broken stream throws a URLError with the response after the received bytes")
    func broken() async throws {
        let response = try await Provider.answering(["a\nb"], then: .error(.networkConnectionLost)).stream(Self.target)
        var lines = response.lines.makeAsyncIterator()
        #expect(try await lines.next() == "a")
        let error = await #expect(throws: MoyaError.self) { try await lines.next() }
        guard case .underlying(let cause as URLError, let head?) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.code == .networkConnectionLost)
        #expect(head === response.response)
    }

    @Test(
        "a broken stream returns its bytes before the error, even if it is read late",
        arguments: TransportKind.allCases
    )
    func brokenNetwork(kind: TransportKind) async throws {
        for (misbehavior, arrived) in [(Misbehavior.closesInBody, "01234"), (.declaresMore, "0123456789")] {
            let server = try await EchoServer(kind)
            let url = server.server.url(misbehavior)
            let target = TaskTarget(baseURL: url, method: .get, task: .requestPlain)
            let response = try await server.provider.stream(target)
            #expect(await server.server.wait(for: .closed(path: url.path)))
            var read = Data()
            var cause: (any Error)?
            do {
                for try await chunk in response.body { read += chunk }
            } catch {
                if case .underlying(let underlying, _) = error { cause = underlying }
            }
            #expect(String(decoding: read, as: UTF8.self) == arrived)
            #expect((cause as? URLError)?.code == .networkConnectionLost)
            try await server.shutDown()
        }
    }

    @Test("a streamed request whose response has no head throws a URLError without a response")
    func noAnswer() async {
        let provider = Provider(session: Session(FakeTransport { _ in throw URLError(.cannotConnectToHost) }))
        let error = await #expect(throws: MoyaError.self) { try await provider.stream(Self.target) }
        guard case .underlying(let cause as URLError, nil) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.code == .cannotConnectToHost)
    }

    @Test("the body of a streamed response can be read only once")
    func once() async throws {
        let response = try await Provider.answering(["a"]).stream(Self.target)
        #expect(try await response.body.all() == [Data("a".utf8)])
        let error = await #expect(throws: MoyaError.self) { try await response.lines.all() }
        guard case .underlying(let cause as URLError, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.code == .resourceUnavailable)
    }

    @Test("leaving the loop of a stream, or releasing an unread response, closes the exchange")
    func leaving() async throws {
        let left = BodySource.Watch()
        for try await line in try await Provider.answering(["a\n", "b\n"], then: .never, watch: left).stream(
            Self.target
        ).lines {
            #expect(line == "a")
            break
        }
        await left.closed.wait()
        #expect(left.pulls.values.count == 1)
        let unread = BodySource.Watch()
        _ = try await Provider.answering(["a\n"], then: .never, watch: unread).stream(Self.target)
        await unread.closed.wait()
        #expect(unread.pulls.values.isEmpty)
    }

    @Test("cancelling the task that reads a stream closes the exchange and throws URLError.cancelled")
    func cancelling() async throws {
        let watch = BodySource.Watch()
        let provider = Provider.answering(["a\n"], then: .never, watch: watch)
        let reader = Task { try await provider.stream(Self.target).lines.all() }
        while watch.pulls.values.count < 2 { await Task.yield() }
        reader.cancel()
        await watch.closed.wait()
        let error = await #expect(throws: MoyaError.self) { try await reader.value }
        guard case .underlying(let cause as URLError, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.code == .cancelled)
    }

    @Test("cancelling the task that waits for the head of a stream cancels the exchange")
    func cancellingEarly() async throws {
        let started = Promise<Void>()
        let cancelled = Promise<Void>()
        let calls = Recorder<String>()
        let provider = Provider(
            session: Session(
                FakeTransport { _ in
                    started.fulfill(())
                    await withTaskCancellationHandler {
                        await cancelled.wait()
                    } onCancel: {
                        cancelled.fulfill(())
                    }
                    throw URLError(.cancelled)
                }
            ),
            plugins: [RecordingPlugin(calls: calls)]
        )
        let request = Task { try await provider.stream(Self.target) }
        await started.wait()
        request.cancel()
        let error = await #expect(throws: MoyaError.self) { try await request.value }
        guard case .underlying(let cause as URLError, nil) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.code == .cancelled)
        #expect(calls.values == ["prepare", "willSend", "didReceive", "process"])
    }
}
