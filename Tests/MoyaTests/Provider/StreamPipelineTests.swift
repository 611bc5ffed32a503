import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A streamed response passes the provider's hooks and rules")
struct StreamPipelineTests {
    typealias Provider = MoyaProvider<TaskTarget>

    private static let target = TaskTarget(method: .get, task: .requestPlain)

    private static func session(
        _ chunks: [String],
        status: Int = 200,
        then end: BodySource.End = .regular,
        watch: BodySource.Watch = BodySource.Watch()
    ) -> Session {
        Session(
            FakeTransport { _ in
                TransportResponse(status: status, body: BodySource.body(chunks, then: end, watch: watch))
            }
        )
    }

    private func text(_ response: StreamingResponse) async throws -> String {
        String(decoding: try await response.body.reduce(into: Data()) { $0 += $1 }, as: UTF8.self)
    }

    @Test("plugins get the request of a stream, and a response without data when its head arrives")
    func plugins() async throws {
        let calls = Recorder<String>()
        let seen = Recorder<Int?>()
        var plugin = RecordingPlugin(calls: calls, header: ("X", "y"))
        plugin.replacement = {
            seen.add($0.response?.data.count)
            return $0
        }
        let watch = BodySource.Watch()
        let provider = Provider(session: Self.session(["a", "b"], watch: watch), plugins: [plugin])
        let response = try await provider.stream(Self.target)
        #expect(calls.values == ["prepare", "willSend", "didReceive", "process"])
        #expect(watch.pulls.values.isEmpty)
        #expect(seen.values == [0])
        #expect(response.response.request?.value(forHTTPHeaderField: "X") == "y")
        #expect(try await text(response) == "ab")
        #expect(calls.values.count == 4)
    }

    @Test("a plugin may fail a streamed response, whose body is then closed unread")
    func processFails() async {
        var plugin = RecordingPlugin(calls: Recorder())
        plugin.replacement = { _ in .failure(.requestMapping("refused")) }
        let watch = BodySource.Watch()
        let provider = Provider(session: Self.session(["a"], then: .never, watch: watch), plugins: [plugin])
        let error = await #expect(throws: MoyaError.self) { try await provider.stream(Self.target) }
        #expect(error?.name == "requestMapping")
        await watch.closed.wait()
        #expect(watch.pulls.values.isEmpty)
    }

    @Test("a plugin may change a streamed response, and the response keeps its body")
    func processChanges() async throws {
        var plugin = RecordingPlugin(calls: Recorder())
        plugin.replacement = { $0.map { Response(statusCode: -1, data: $0.data) } }
        let provider = Provider(session: Self.session(["a"]), plugins: [plugin])
        let response = try await provider.stream(Self.target)
        #expect(response.statusCode == -1)
        #expect(try await text(response) == "a")
    }

    @Test("a plugin may replace a stream's failure with a response, whose data is the body")
    func processRecovers() async throws {
        var plugin = RecordingPlugin(calls: Recorder())
        plugin.replacement = { _ in .success(Response(statusCode: 200, data: Data("instead".utf8))) }
        let provider = Provider(
            session: Session(FakeTransport { _ in throw URLError(.cannotConnectToHost) }),
            plugins: [plugin]
        )
        #expect(try await text(try await provider.stream(Self.target)) == "instead")
    }

    @Test("fact 98: a stream with a status that is not accepted is a failure with the body in its response")
    func validation() async {
        let calls = Recorder<String>()
        let provider = Provider(
            session: Self.session(["not ", "here"], status: 404),
            plugins: [RecordingPlugin(calls: calls)]
        )
        var target = Self.target
        target.validationType = .successCodes
        let error = await #expect(throws: MoyaError.self) { try await provider.stream(target) }
        guard case .underlying(MoyaError.statusCode, let response?) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(response.statusCode == 404)
        #expect(response.data == Data("not here".utf8))
        #expect(calls.values == ["prepare", "willSend", "didReceive", "process"])
    }

    @Test("fact 40: the body of a stream with any status can be read without validation")
    func anyStatus() async throws {
        let response = try await Provider(session: Self.session(["x"], status: 500)).stream(Self.target)
        #expect(response.statusCode == 500)
        #expect(try await text(response) == "x")
    }

    @Test("streaming a download task fails with an error that names the remedy, and nothing is sent")
    func downloads() async throws {
        let calls = Recorder<String>()
        let provider = Provider(
            session: Session(
                FakeTransport { _ in
                    Issue.record("sent")
                    return TransportResponse(status: 200)
                }
            ),
            plugins: [RecordingPlugin(calls: calls)]
        )
        let task = HTTPTask.download(to: URL(fileURLWithPath: "/nowhere"))
        for task in [task, .gzipped(task)] {
            let error = await #expect(throws: MoyaError.self) { try await provider.stream(TaskTarget(task: task)) }
            guard case .parameterEncoding(let misuse as TargetMisuse) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(misuse.target == "TaskTarget")
            #expect(misuse.property == "task")
            #expect(
                misuse.localizedDescription == "TaskTarget: `task`: it downloads to a file, and was asked for as a"
                    + " stream. Instead, call request, or use a task without a destination."
            )
        }
        // Every other invalid request runs the same hooks (fact 36).
        #expect(calls.values == ["process", "process"])
    }

    @Test("fact 50: an invalid form of a streamed request is refused")
    func misuse() async {
        let calls = Recorder<String>()
        let provider = Provider(session: Self.session([]), plugins: [RecordingPlugin(calls: calls)])
        let error = await #expect(throws: MoyaError.self) {
            try await provider.stream(TaskTarget(task: .uploadMultipart([])))
        }
        guard case .parameterEncoding(is TargetMisuse) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(calls.values == ["process"])
    }

    @Test("equal requests do not share a stream")
    func inflight() async throws {
        let sent = Recorder<Void>()
        let provider = Provider(
            session: Session(
                FakeTransport { _ in
                    sent.add(())
                    return TransportResponse(status: 200, body: BodySource.body(["a"]))
                }
            ),
            trackInflights: true
        )
        let first = try await provider.stream(Self.target)
        let second = try await provider.stream(Self.target)
        #expect(try await text(first) == "a")
        #expect(try await text(second) == "a")
        #expect(sent.values.count == 2)
        #expect(provider.inflightRequests.isEmpty)
    }

    @Test("plugins get a stream's result on the provider's callback queue")
    func queue() async throws {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "wanted")
        queue.setSpecific(key: key, value: true)
        let hooks = Recorder<String>()
        var plugin = RecordingPlugin(calls: Recorder())
        plugin.onHook = { hooks.add("\($0) \(DispatchQueue.getSpecific(key: key) ?? false)") }
        let provider = Provider(callbackQueue: queue, session: Self.session(["a"]), plugins: [plugin])
        #expect(try await text(try await provider.stream(Self.target)) == "a")
        #expect(hooks.values.suffix(2) == ["didReceive true", "process true"])
    }

    @Test("a stub's data is the complete body of a stream", arguments: [StubBehavior.immediate, .delayed(seconds: 0)])
    func stub(behavior: StubBehavior) async throws {
        let calls = Recorder<String>()
        var target = Self.target
        target.sampleData = Data("a\nb".utf8)
        let provider = Provider(stubClosure: { _ in behavior }, plugins: [RecordingPlugin(calls: calls)])
        let response = try await provider.stream(target)
        #expect(response.statusCode == 200)
        #expect(calls.values == ["prepare", "willSend", "didReceive", "process"])
        var lines: [String] = []
        for try await line in response.lines { lines.append(line) }
        #expect(lines == ["a", "b"])
        target.sampleData = Data()
        #expect(try await text(try await provider.stream(target)) == "")
    }

    private func stubbing(_ sample: EndpointSampleResponse, _ clock: ManualClock? = nil) -> Provider {
        Provider(
            endpointClosure: {
                Endpoint(
                    url: $0.baseURL.absoluteString,
                    sampleResponseClosure: { sample },
                    method: $0.method,
                    task: $0.task
                )
            },
            stubClosure: clock == nil ? Provider.immediatelyStub : Provider.delayedStub(60),
            clock: clock ?? ManualClock()
        )
    }

    @Test("a streamed stub has its headers, its error is thrown, and its status is validated")
    func stubKinds() async throws {
        let http = try #require(
            HTTPURLResponse(
                url: Self.target.baseURL,
                statusCode: 201,
                httpVersion: nil,
                headerFields: ["X-Stub": "s"]
            )
        )
        let response = try await stubbing(.response(http, Data("a".utf8))).stream(Self.target)
        #expect(response.statusCode == 201)
        #expect(response.headers["X-Stub"] == "s")
        #expect(try await text(response) == "a")
        let thrown = await #expect(throws: MoyaError.self) {
            try await stubbing(.networkError(NSError(domain: "d", code: 7))).stream(Self.target)
        }
        guard case .underlying(let cause, nil) = thrown else {
            Issue.record("\(String(describing: thrown))")
            return
        }
        #expect((cause as NSError).code == 7)
        var target = Self.target
        target.validationType = .successCodes
        let refused = await #expect(throws: MoyaError.self) {
            try await stubbing(.networkResponse(503, Data("busy".utf8))).stream(target)
        }
        #expect(refused?.response?.data == Data("busy".utf8))
    }

    @Test("a delayed streamed stub waits for its delay, and a cancelled stub completes immediately")
    func delayedStub() async throws {
        let clock = ManualClock()
        let provider = stubbing(.networkResponse(200, Data("a".utf8)), clock)
        let waited = Task { try await text(try await provider.stream(Self.target)) }
        await clock.someoneSleeps()
        clock.advance(by: .seconds(60))
        #expect(try await waited.value == "a")
        let cancelled = Task { try await provider.stream(Self.target) }
        await clock.someoneSleeps()
        cancelled.cancel()
        let error = await #expect(throws: MoyaError.self) { try await cancelled.value }
        guard case .underlying(let cause as URLError, nil) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.code == .cancelled)
    }
}
