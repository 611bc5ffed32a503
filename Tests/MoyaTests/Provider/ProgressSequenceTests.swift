import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("A sequence reports the progress of a request")
struct ProgressSequenceTests {
    typealias Provider = MoyaProvider<TaskTarget>

    private static let target = TaskTarget(task: .requestPlain)

    private static func response(_ chunks: [String], then end: BodySource.End = .regular) -> FakeTransport {
        FakeTransport { _ in
            TransportResponse(
                status: 200,
                headers: .counted(chunks.joined().utf8.count),
                body: BodySource.body(chunks, then: end)
            )
        }
    }

    /// Reads all values up to the end.
    private func values(
        of sequence: ProgressSequence,
        each: (ProgressResponse) async -> Void = { _ in }
    ) async throws(MoyaError) -> [ProgressResponse] {
        var values: [ProgressResponse] = []
        var iterator = sequence.makeAsyncIterator()
        while let value = try await iterator.next() {
            values.append(value)
            await each(value)
        }
        return values
    }

    @Test(
        "the values of a progress sequence never decrease, and only the last value has the response",
        arguments: [false, true]
    )
    func order(tracksInflights: Bool) async throws {
        let chunks = (0..<50).map { _ in "0123456789" }
        let provider = Provider(session: Session(Self.response(chunks)), trackInflights: tracksInflights)
        let values = try await values(of: provider.requestWithProgress(Self.target))
        let counts = values.compactMap { $0.progressObject?.completedUnitCount }
        #expect(counts == counts.sorted())
        #expect(values.dropLast().allSatisfy { !$0.completed })
        #expect(values.last?.response?.data == Data(chunks.joined().utf8))
        #expect(values.last?.progress == 1)
        #expect(values.last?.progressObject?.completedUnitCount == 500)
    }

    @Test("the progress of an upload counts the bytes of its body")
    func upload() async throws {
        let provider = Provider(session: Session(FakeTransport.reading { _, _ in TransportResponse(status: 201) }))
        let target = TaskTarget(task: .uploadBody(.data(Data("12345".utf8))))
        let values = try await values(of: provider.requestWithProgress(target))
        #expect(values.last?.response?.statusCode == 201)
        #expect(values.last?.progressObject?.totalUnitCount == 5)
        #expect(values.last?.progressObject?.completedUnitCount == 5)
    }

    @Test("the request of a progress sequence is sent when the loop begins, and each loop sends another request")
    func cold() async throws {
        let sent = Recorder<Void>()
        let endpoints = Recorder<Void>()
        let provider = Provider(
            endpointClosure: {
                endpoints.add(())
                return Provider.defaultEndpointMapping(for: $0)
            },
            session: Session(
                FakeTransport { _ in
                    sent.add(())
                    return TransportResponse(status: 200)
                }
            )
        )
        let sequence = provider.requestWithProgress(Self.target)
        #expect(endpoints.values.isEmpty)
        for count in 1...3 {
            let values = try await values(of: sequence)
            #expect(values.last?.completed == true)
            #expect(sent.values.count == count)
            #expect(endpoints.values.count == count)
        }
    }

    @Test("a failure is thrown after the values of a progress sequence and ends it")
    func failure() async {
        let provider = Provider(session: Session(Self.response(["a"], then: .error(.networkConnectionLost))))
        var iterator = provider.requestWithProgress(Self.target).makeAsyncIterator()
        var caught: MoyaError?
        do throws(MoyaError) {
            while let value = try await iterator.next() { #expect(!value.completed) }
        } catch {
            caught = error
        }
        guard case .underlying(let cause as URLError, _) = caught else {
            Issue.record("\(String(describing: caught))")
            return
        }
        #expect(cause.code == .networkConnectionLost)
        let rest = try? await iterator.next()
        #expect(rest == nil)
    }

    @Test("a progress sequence throws the error of a request that cannot be created")
    func misuse() async {
        let provider = Provider(session: Session(Self.response([])))
        let error = await #expect(throws: MoyaError.self) {
            try await values(of: provider.requestWithProgress(TaskTarget(task: .uploadMultipart([]))))
        }
        guard case .parameterEncoding(is TargetMisuse) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("the last value of a progress sequence has the result of process, which may be a failure")
    func process() async throws {
        var plugin = RecordingPlugin(calls: Recorder())
        plugin.replacement = { $0.map { Response(statusCode: -1, data: $0.data) } }
        let changed = Provider(session: Session(Self.response(["a"])), plugins: [plugin])
        let values = try await values(of: changed.requestWithProgress(Self.target))
        #expect(values.last?.response?.statusCode == -1)
        #expect(values.count { $0.completed } == 1)
        plugin.replacement = { _ in .failure(.requestMapping("refused")) }
        let refused = Provider(session: Session(Self.response(["a"])), plugins: [plugin])
        let error = await #expect(throws: MoyaError.self) {
            try await self.values(of: refused.requestWithProgress(Self.target))
        }
        #expect(error?.name == "requestMapping")
    }

    @Test("leaving the loop over progress early cancels the request down to the transport")
    func leaving() async throws {
        let watch = BodySource.Watch()
        let calls = Recorder<String>()
        let seen = Promise<Void>()
        var plugin = RecordingPlugin(calls: calls)
        plugin.onHook = { if $0 == "process" { seen.fulfill(()) } }
        let provider = Provider(
            session: Session(
                FakeTransport { _ in
                    TransportResponse(
                        status: 200,
                        headers: .counted(10),
                        body: BodySource.body(["a"], then: .never, watch: watch)
                    )
                }
            ),
            plugins: [plugin]
        )
        for try await progress in provider.requestWithProgress(Self.target) {
            #expect(progress.progress == 0.1)
            break
        }
        await watch.closed.wait()
        // Plugins see the end of the request.
        await seen.wait()
        #expect(calls.values == ["prepare", "willSend", "didReceive", "process"])
    }

    @Test("cancelling the task of a progress loop cancels the request, and the loop throws URLError.cancelled")
    func cancelling() async throws {
        let watch = BodySource.Watch()
        let started = Promise<Void>()
        let provider = Provider(
            session: Session(
                FakeTransport { _ in
                    started.fulfill(())
                    return TransportResponse(status: 200, body: BodySource.body([], then: .never, watch: watch))
                }
            )
        )
        let loop = Task { try await values(of: provider.requestWithProgress(Self.target)) }
        await started.wait()
        loop.cancel()
        await watch.closed.wait()
        let error = await #expect(throws: MoyaError.self) { try await loop.value }
        guard case .underlying(let cause as URLError, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.code == .cancelled)
    }

    @Test(
        "a progress sequence has one value with the response for a stub",
        arguments: [StubBehavior.immediate, .delayed(seconds: 0)]
    )
    func stub(behavior: StubBehavior) async throws {
        let provider = Provider(stubClosure: { _ in behavior })
        let values = try await values(of: provider.requestWithProgress(Self.target))
        #expect(values.count == 1)
        #expect(values.first?.response?.data == Data("sample".utf8))
        #expect(values.first?.progress == 1)
    }

    @Test("a progress sequence throws a stub's error")
    func stubError() async {
        let provider = Provider(
            endpointClosure: {
                Endpoint(
                    url: $0.baseURL.absoluteString,
                    sampleResponseClosure: { .networkError(NSError(domain: "d", code: 7)) },
                    method: $0.method,
                    task: $0.task
                )
            },
            stubClosure: Provider.immediatelyStub
        )
        let error = await #expect(throws: MoyaError.self) {
            try await values(of: provider.requestWithProgress(Self.target))
        }
        guard case .underlying(let cause, nil) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect((cause as NSError).code == 7)
    }

    @Test("a slow reader of a progress sequence misses values, but not the last value")
    func slow() async throws {
        let ended = Promise<Void>()
        var plugin = RecordingPlugin(calls: Recorder())
        plugin.onHook = { if $0 == "process" { ended.fulfill(()) } }
        let chunks = (0..<100).map { _ in "0123456789" }
        let provider = Provider(session: Session(Self.response(chunks)), plugins: [plugin])
        var seen = 0
        let values = try await values(of: provider.requestWithProgress(Self.target)) { _ in
            seen += 1
            // The request ends while the reader handles the first value.
            if seen == 1 { await ended.wait() }
        }
        #expect(values.count <= 4)
        #expect(values.last?.response?.data.count == 1_000)
    }

    @Test("the request of a progress sequence keeps its provider")
    func retention() async throws {
        let sequence = Provider(session: Session(Self.response(["a"]))).requestWithProgress(Self.target)
        let values = try await values(of: sequence)
        #expect(values.last?.completed == true)
    }

    @Test("process runs on the provider's callback queue before the last value of a progress sequence")
    func queue() async throws {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "wanted")
        queue.setSpecific(key: key, value: true)
        let hooks = Recorder<Bool?>()
        var plugin = RecordingPlugin(calls: Recorder())
        plugin.onHook = { if $0 == "process" { hooks.add(DispatchQueue.getSpecific(key: key)) } }
        let provider = Provider(callbackQueue: queue, session: Session(Self.response(["a"])), plugins: [plugin])
        let values = try await values(of: provider.requestWithProgress(Self.target))
        #expect(values.last?.completed == true)
        #expect(hooks.values == [true])
    }
}
