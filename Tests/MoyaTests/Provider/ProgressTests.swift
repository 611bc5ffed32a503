import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("Progress is reported in order")
struct ProgressTests {
    typealias Provider = MoyaProvider<SomeTarget>

    private func run(
        _ transport: FakeTransport,
        queue: DispatchQueue? = .global()
    ) async -> [String] {
        let provider = Provider(session: Session(transport))
        let calls = Recorder<String>()
        let done = Promise<Void>()
        provider.request(
            SomeTarget(),
            callbackQueue: queue,
            progress: { calls.add("\($0.progress) \($0.completed)") },
            completion: { _ in
                calls.add("done")
                done.fulfill(())
            }
        )
        await done.wait()
        return calls.values
    }

    @Test("fact 94: the progress of a body of known length is the received fraction")
    func known() async {
        #expect(
            await run(.chunks(["aa", "bb", "cc", "dd"]))
                == ["0.25 false", "0.5 false", "0.75 false", "1.0 false", "1.0 true", "done"]
        )
    }

    @Test("fact 94: the progress of a body of unknown length is 0 until the response")
    func unknown() async {
        #expect(
            await run(.chunks(["aa", "bb", "cc", "dd"], declaresLength: false))
                == ["0.0 false", "0.0 false", "0.0 false", "0.0 false", "1.0 true", "done"]
        )
    }

    @Test("fact 94: the last progress call of a failed request has no response")
    func failure() async {
        #expect(
            await run(.chunks(["aa"], then: URLError(.networkConnectionLost)))
                == ["1.0 false", "1.0 false", "done"]
        )
    }

    @Test("fact 95: progress never decreases and precedes the completion, on a concurrent queue and on the main queue")
    func order() async {
        let chunks = (0..<200).map { _ in "0123456789" }
        for queue in [DispatchQueue(label: "many", attributes: .concurrent), nil] {
            let calls = await run(.chunks(chunks), queue: queue)
            // The calls are one for each hundredth, the final one, and the completion.
            #expect((102...103).contains(calls.count))
            #expect(calls.suffix(2) == ["1.0 true", "done"])
            let values = calls.dropLast().compactMap { Double($0.split(separator: " ")[0]) }
            #expect(values == values.sorted())
        }
    }

    /// Retries each failed request once.
    private struct OneRetry: RequestInterceptor {
        func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
            attempt.error != nil && attempt.retryCount == 0 ? .retry : .doNotRetry
        }
    }

    @Test(
        "fact 95: progress does not decrease if a body is read again from its beginning and is longer then",
        arguments: [false, true]
    )
    func startingOver(isDownload: Bool) async throws {
        let folder = try TemporaryFolder()
        let bodies = Locked(
            [
                (length: 4, body: BodySource.body(["aa", "a"], then: .error(.networkConnectionLost))),
                (length: 8, body: BodySource.body(["aa", "aa", "aa", "aa"])),
            ][...]
        )
        let session = Session(
            transport: FakeTransport { _ in
                guard let (length, body) = bodies.withLock({ $0.popFirst() }) else { throw URLError(.unknown) }
                return TransportResponse(status: 200, headers: .counted(length), body: body)
            },
            interceptor: OneRetry()
        )
        let task: HTTPTask = isDownload ? .download(to: folder.file("a")) : .requestPlain
        let calls = Recorder<Double>()
        let done = Promise<Void>()
        MoyaProvider<TaskTarget>(session: session).request(
            TaskTarget(method: .get, task: task),
            callbackQueue: .global(),
            progress: { calls.add($0.progress) },
            completion: { result in
                #expect(result.response?.statusCode == 200)
                done.fulfill(())
            }
        )
        await done.wait()
        // The fractions of four bytes, then those of eight.
        #expect(calls.values == [0.5, 0.75, 0.75, 1, 1])
    }

    @Test("fact 32: progress arrives on the callback queue")
    func queue() async {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "wanted")
        queue.setSpecific(key: key, value: true)
        let places = Recorder<Bool?>()
        let done = Promise<Void>()
        Provider(session: Session(FakeTransport.chunks(["a", "b"]))).request(
            SomeTarget(),
            callbackQueue: queue,
            progress: { _ in places.add(DispatchQueue.getSpecific(key: key)) },
            completion: { _ in
                places.add(DispatchQueue.getSpecific(key: key))
                done.fulfill(())
            }
        )
        await done.wait()
        #expect(places.values == [true, true, true, true])
    }

    @Test("facts 92, 93: progress is a fraction of a known total, 1 with a response, and 0 otherwise")
    func values() {
        let half = Progress(totalUnitCount: 10)
        half.completedUnitCount = 5
        let unknown = Progress(totalUnitCount: -1)
        unknown.completedUnitCount = 5
        let response = Response(statusCode: 200, data: Data())
        #expect(ProgressResponse(progress: half).progress == 0.5)
        #expect(!ProgressResponse(progress: half).completed)
        #expect(ProgressResponse(progress: unknown).progress == 0)
        #expect(ProgressResponse().progress == 0)
        #expect(ProgressResponse(progress: half, response: response).progress == 1)
        #expect(ProgressResponse(response: response).completed)
    }
}
