import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

/// Requests are cancelled at every point, from several threads, through every entry point; random values depend on
/// the seed.
@Suite("A request can be cancelled at any moment", .timeLimit(.minutes(5)))
struct CancellationAttackTests {
    typealias Provider = MoyaProvider<TaskTarget>

    enum Entry: CaseIterable, Sendable {
        case callback, async, stream, download, callbackDownload, progress
    }

    /// Cancels after a number of calls, from several threads at once.
    private final class Fuse: Sendable {
        private struct State: Sendable {
            var left: Int
            var cancel: (@Sendable () -> Void)?
        }

        private let state: Locked<State>
        private let threads: Int

        init(length: Int, threads: Int) {
            state = Locked(State(left: length))
            self.threads = threads
        }

        func pass() {
            let cancel: (@Sendable () -> Void)? = state.withLock { state in
                state.left -= 1
                return state.left < 0 ? state.cancel : nil
            }
            if let cancel { fire(cancel) }
        }

        /// Sets the cancellable, possibly after the last call.
        func connect(_ cancel: @escaping @Sendable () -> Void) {
            let isLate = state.withLock { state in
                state.cancel = cancel
                return state.left < 0
            }
            if isLate { fire(cancel) }
        }

        func disconnect() { state.withLock { $0.cancel = nil } }

        private func fire(_ cancel: @escaping @Sendable () -> Void) {
            for _ in 1..<max(1, threads) { DispatchQueue.global().async(execute: cancel) }
            // With a thread, the cancellation happens within the current call.
            if threads > 0 { cancel() } else { DispatchQueue.global().async(execute: cancel) }
        }
    }

    private struct FusePlugin: PluginType {
        let fuse: Fuse
        let calls: Recorder<String>

        private func note(_ hook: String) {
            fuse.pass()
            calls.add(hook)
            fuse.pass()
        }

        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
            note("prepare")
            return request
        }

        func willSend(_ request: any RequestType, target: any TargetType) { note("willSend") }

        func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) { note("didReceive") }

        func process(_ result: Result<Response, MoyaError>, target: any TargetType) -> Result<Response, MoyaError> {
            note("process")
            return result
        }
    }

    private struct FuseInterceptor: RequestInterceptor {
        let fuse: Fuse
        let throwsWhenCancelled: Bool

        func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
            fuse.pass()
            await Task.yield()
            if throwsWhenCancelled { try Task.checkCancellation() }
            fuse.pass()
            return urlRequest
        }

        func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
            fuse.pass()
            return .doNotRetry
        }
    }

    /// The random values of a round.
    private struct Round {
        let entry: Entry
        let tracksInflights: Bool
        let stub: StubBehavior
        let queue: DispatchQueue?
        let fuse: Fuse
        let throwsWhenCancelled: Bool
        let isMappedLater: Bool
        let callers: Int

        init(_ random: inout SeededGenerator) {
            entry = Entry.allCases.randomElement(using: &random) ?? .callback
            tracksInflights = Bool.random(using: &random)
            stub =
                [.never, .never, .never, .immediate, .delayed(seconds: 0.001)].randomElement(using: &random) ?? .never
            queue =
                [nil, .global(), DispatchQueue(label: "callbacks")].randomElement(using: &random) ?? nil
            fuse = Fuse(length: Int.random(in: -1...18, using: &random), threads: Int.random(in: 0...3, using: &random))
            throwsWhenCancelled = Bool.random(using: &random)
            isMappedLater = Int.random(in: 0..<4, using: &random) == 0
            callers = Int.random(in: 1...3, using: &random)
        }

        var description: String {
            "\(entry), tracked \(tracksInflights), \(stub), \(queue?.label ?? "no queue"), \(callers) callers"
        }
    }

    private func provider(_ round: Round, _ calls: Recorder<String>) -> Provider {
        let (fuse, throwsWhenCancelled, isMappedLater) = (round.fuse, round.throwsWhenCancelled, round.isMappedLater)
        let stub = round.stub
        return Provider(
            requestClosure: { endpoint, done in
                fuse.pass()
                if isMappedLater {
                    DispatchQueue.global().async { Provider.defaultRequestMapping(for: endpoint, closure: done) }
                } else {
                    Provider.defaultRequestMapping(for: endpoint, closure: done)
                }
                fuse.pass()
            },
            stubClosure: { _ in stub },
            callbackQueue: round.queue,
            session: Session(
                FakeTransport { _ in
                    fuse.pass()
                    await Task.yield()
                    if throwsWhenCancelled { try Task.checkCancellation() }
                    let left = Locked(3)
                    let body = TransportBodyStream {
                        fuse.pass()
                        await Task.yield()
                        if throwsWhenCancelled { try Task.checkCancellation() }
                        return left.withLock { left in
                            left -= 1
                            return left < 0 ? nil : Data("chunk".utf8)
                        }
                    }
                    return TransportResponse(status: 200, body: .stream(body))
                }
            ),
            plugins: [FusePlugin(fuse: fuse, calls: calls)],
            trackInflights: round.tracksInflights,
            interceptor: FuseInterceptor(fuse: fuse, throwsWhenCancelled: throwsWhenCancelled)
        )
    }

    /// Sends one request, waits for its end, and returns the result with the number of completions.
    private func ask(_ provider: Provider, _ round: Round, _ folder: TemporaryFolder, _ caller: Int) async
        -> (results: Int, code: URLError.Code?)
    {
        let isDownload = round.entry == .download || round.entry == .callbackDownload
        let file = folder.file("\(UUID())")
        let target = TaskTarget(method: .get, task: isDownload ? .download(to: file) : .requestPlain)
        let fuse = round.fuse
        switch round.entry {
        case .callback, .callbackDownload:
            let results = Recorder<Result<Response, MoyaError>>()
            let done = Promise<Void>()
            let token = provider.request(target, callbackQueue: round.queue ?? .global()) {
                fuse.pass()
                results.add($0)
                done.fulfill(())
                fuse.pass()
            }
            if caller == 0 { fuse.connect { token.cancel() } } else { token.cancel() }
            await done.wait()
            // A second completion would arrive on the same queue, or a little later.
            for _ in 0..<20 { await Task.yield() }
            return (results.values.count, results.values.first?.urlErrorCode)
        default:
            let entry = round.entry
            let task = Task { () async -> URLError.Code? in
                do throws(MoyaError) {
                    switch entry {
                    case .stream: for try await _ in try await provider.stream(target).body { fuse.pass() }
                    case .progress: for try await _ in provider.requestWithProgress(target) { fuse.pass() }
                    default: _ = try await provider.request(target)
                    }
                    return nil
                } catch {
                    return Result<Response, MoyaError>.failure(error).urlErrorCode ?? .unknown
                }
            }
            if caller == 0 { fuse.connect { task.cancel() } } else { task.cancel() }
            return (1, await task.value)
        }
    }

    @Test(
        "a request that is cancelled at any point, from several threads, completes exactly once through every entry point",
        arguments: 1...8
    )
    func attack(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        for number in 0..<150 {
            let round = Round(&random)
            let calls = Recorder<String>()
            weak var left: Provider?
            do {
                let provider = provider(round, calls)
                left = provider
                let ends = await withTaskGroup(of: (results: Int, code: URLError.Code?).self) { group in
                    for caller in 0..<round.callers {
                        group.addTask { await ask(provider, round, folder, caller) }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                for end in ends {
                    #expect(end.results == 1, "\(number): \(round.description)")
                    #expect(end.code == nil || end.code == .cancelled, "\(number): \(round.description)")
                }
                let end = ContinuousClock.now + .seconds(60)
                while !provider.inflightRequests.isEmpty, ContinuousClock.now < end { await Task.yield() }
                #expect(provider.inflightRequests.isEmpty, "\(number): \(round.description)")
            }
            round.fuse.disconnect()
            // Another thread may be releasing the last reference.
            let end = ContinuousClock.now + .seconds(60)
            while left != nil, ContinuousClock.now < end { await Task.yield() }
            #expect(left == nil, "\(number): \(round.description)")
            let count = { (hook: String) in calls.values.count { $0 == hook } }
            #expect(count("prepare") == count("willSend"), "\(number): \(round.description) \(calls.values)")
            // Each willSend has a didReceive; a request that was cancelled before has only the didReceive.
            #expect(count("willSend") <= count("didReceive"), "\(number): \(round.description) \(calls.values)")
            #expect(count("didReceive") <= round.callers, "\(number): \(round.description) \(calls.values)")
            #expect(count("process") == round.callers, "\(number): \(round.description) \(calls.values)")
            if round.callers == 1, round.entry != .progress {
                let order = ["prepare", "willSend", "didReceive", "process"]
                #expect(calls.values == order || calls.values == order.suffix(2), "\(number): \(round.description)")
            }
        }
    }
}
