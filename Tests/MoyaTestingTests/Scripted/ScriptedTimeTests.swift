import Foundation
import MoyaTesting
import Testing

@Suite("A scripted transport measures time on a clock", .timeLimit(.minutes(5)))
struct ScriptedTimeTests {
    private let url = URL(string: "http://h/a") ?? URL(fileURLWithPath: "/")

    private func request(
        idle: Duration = .seconds(60),
        total: Duration = .seconds(600),
        bufferLimit: Int = TransportRequest.defaultResponseBufferLimit
    ) -> TransportRequest {
        TransportRequest(
            method: .get,
            url: url,
            idleTimeout: idle,
            exchangeTimeout: total,
            responseBufferLimit: bufferLimit
        )
    }

    /// Returns the number of received bytes and pieces, and the code of the error after them.
    private func outcome(
        _ answer: ScriptedResponse,
        _ request: TransportRequest,
        _ clock: QuickClock
    ) async -> (bytes: Int, pieces: Int, code: URLError.Code?) {
        var (bytes, pieces) = (0, 0)
        do {
            let response = try await ScriptedTransport(clock: clock).next(answer).send(request)
            for try await piece in TransportBodyStream(response.body) {
                bytes += piece.count
                pieces += 1
            }
            return (bytes, pieces, nil)
        } catch {
            return (bytes, pieces, (error as? URLError)?.code ?? .unknown)
        }
    }

    @Test("a scripted response is delayed on the given clock")
    func after() async throws {
        for (answer, wait) in [
            (ScriptedResponse.text("a").after(seconds: 0.25), Duration.milliseconds(250)),
            (.text("a").after(.seconds(5)), .seconds(5)),
            (.text("a").after(.seconds(5)).after(.seconds(1)), .seconds(6)),
            (.refused.after(.seconds(3)), .seconds(3)), (.reset.after(.seconds(3)), .seconds(3)),
            (.chance(1, seed: 1, .text("a").after(.seconds(1)), otherwise: .stall).after(.seconds(2)), .seconds(3)),
        ] {
            let clock = QuickClock()
            _ = await outcome(answer, request(), clock)
            #expect(clock.waits == [wait], "\(answer)")
        }
        let clock = QuickClock()
        for answer in [ScriptedResponse.text("a").after(seconds: -1), .text("a").after(seconds: .nan), .text("a")] {
            #expect(await outcome(answer, request(), clock).code == nil)
        }
        #expect(clock.waits == [])
    }

    @Test("a scripted response is delayed in real time if no clock is given")
    func realTime() async throws {
        let start = ContinuousClock.now
        _ = try await ScriptedTransport().next(.text("a").after(seconds: 0.05)).send(request())
        #expect(ContinuousClock.now - start >= .milliseconds(50))
    }

    @Test(
        "a request fails at the timeout if the scripted response is later",
        arguments: [
            (Duration.seconds(2), Duration.seconds(9)), (.seconds(9), .seconds(2)), (.seconds(2), .seconds(2)),
        ],
        [true, false]
    )
    func tooLate(_ times: (idle: Duration, total: Duration), clockMoves: Bool) async {
        for answer in [
            ScriptedResponse.text("a").after(.seconds(3)), .stall, .refused.after(seconds: .infinity),
            .text("a").after(.seconds(2)), .stall.after(.seconds(1)), .text("abc").stall(afterBytes: 0),
        ] {
            let clock = QuickClock(moves: clockMoves)
            let result = await outcome(answer, request(idle: times.idle, total: times.total), clock)
            #expect(result == (0, 0, .timedOut), "\(answer)")
            #expect(clock.waits.reduce(.zero, +) == .seconds(2), "\(answer) \(clock.waits)")
        }
    }

    @Test(
        "the error of a scripted timeout names its kind and its limit",
        arguments: [
            (ScriptedResponse.text("a").after(.seconds(5)), RequestTimeoutError.Kind.firstByte, 4),
            (.stall, .firstByte, 4), (.text("abc").bytesPerSecond(0.1), .idle, 9),
            (.text("abc").stall(afterBytes: 1), .idle, 9), (.text("abcdefghi").bytesPerSecond(0.2), .attempt, 20),
        ] as [(ScriptedResponse, RequestTimeoutError.Kind, Int)]
    )
    func kinds(_ answer: ScriptedResponse, kind: RequestTimeoutError.Kind, limit: Int) async {
        var request = request(idle: .seconds(9), total: .seconds(20), bufferLimit: 0)
        request.firstByteTimeout = .seconds(4)
        let error = await #expect(throws: URLError.self) {
            let response = try await ScriptedTransport(clock: QuickClock()).next(answer).send(request)
            for try await _ in TransportBodyStream(response.body) {}
        }
        #expect(error?.timeout == RequestTimeoutError(kind: kind, limit: .seconds(limit)))
    }

    @Test("a timeout of zero fails a scripted request immediately")
    func noTime() async {
        let clock = QuickClock()
        #expect(await outcome(.text("a"), request(total: .seconds(-1)), clock) == (0, 0, .timedOut))
        #expect(await outcome(.refused, request(idle: .zero), clock) == (0, 0, .timedOut))
        #expect(clock.waits == [])
    }

    @Test("a slow scripted body is received evenly and completely if no timeout ends it", arguments: [true, false])
    func slow(clockMoves: Bool) async {
        let text = String(repeating: "x", count: 100)
        for (rate, pieces) in [(50.0, 20), (10, 100), (1, 100), (0.6, 100), (100_000, 1), (.infinity, 1)] {
            let clock = QuickClock(moves: clockMoves)
            let answer = ScriptedResponse.text(text).bytesPerSecond(rate)
            let result = await outcome(answer, request(idle: .seconds(2), bufferLimit: 0), clock)
            #expect(result == (100, pieces, nil))
            #expect(abs(clock.waits.reduce(.zero, +) / .seconds(1) - 100 / rate) < 0.001)
            #expect(await outcome(answer, request(idle: .seconds(2)), QuickClock(moves: clockMoves)).bytes == 100)
        }
    }

    @Test("a slow scripted body times out by the exchange timeout, or if one piece takes longer than the idle timeout")
    func tooSlow() async {
        for nothing in [0, -1, Double.nan, .leastNonzeroMagnitude] {
            let result = await outcome(.text("abc").bytesPerSecond(nothing), request(), QuickClock())
            #expect(result == (0, 0, .timedOut))
        }
        let answer = ScriptedResponse.chunks(["01234567890123456789", "01234"]).bytesPerSecond(10)
        for limit in [0, 100] {
            let clock = QuickClock()
            let total = request(idle: .milliseconds(500), total: .milliseconds(1_550), bufferLimit: limit)
            let late = await outcome(answer, total, clock)
            #expect(late.bytes == 15)
            #expect(late.code == .timedOut)
            let crawling = request(idle: .milliseconds(500), bufferLimit: limit)
            let idle = await outcome(.text("abc").bytesPerSecond(1), crawling, clock)
            #expect(idle.bytes == 0)
            #expect(idle.code == .timedOut)
        }
    }

    @Test("a slow reader of a scripted body does not cause a timeout")
    func slowReader() async throws {
        let text = String(repeating: "x", count: 1_000)
        for answer in [ScriptedResponse.chunks(["a", "b", text]), .text(text).bytesPerSecond(100)] {
            let clock = QuickClock()
            let response = try await ScriptedTransport(clock: clock).next(answer).send(request(bufferLimit: 0))
            guard case .stream(let stream) = response.body else { throw URLError(.badServerResponse) }
            var bytes = 0
            for try await piece in stream {
                bytes += piece.count
                try await clock.sleep(for: .seconds(1_000))
            }
            #expect(bytes >= 1_000)
        }
    }

    @Test(
        "cancellation ends the wait for a scripted response immediately",
        arguments: [0, TransportRequest.defaultResponseBufferLimit]
    )
    func cancelled(bufferLimit: Int) async throws {
        let responses: [ScriptedResponse] = [
            .stall, .text("a").after(.seconds(3_600)), .refused.after(.seconds(3_600)),
            .text("abc").stall(afterBytes: 1),
            .text("abc").stall(afterBytes: 0), .text("a").bytesPerSecond(1).after(.seconds(3_600)),
            .file(URL(fileURLWithPath: #filePath)).bytesPerSecond(1),
        ]
        for answer in responses {
            let transport = ScriptedTransport().next(answer)
            let request = request(idle: .seconds(7_200), total: .seconds(7_200), bufferLimit: bufferLimit)
            let task = Task {
                let response = try await transport.send(request)
                for try await _ in TransportBodyStream(response.body) {}
            }
            while !transport.unused.isEmpty { await Task.yield() }
            for _ in 0..<20 { await Task.yield() }
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
    }

    @Test(
        "a reader of a scripted body that is cancelled between two pieces gets URLError.cancelled",
        arguments: ["abc", String(repeating: "x", count: 200_000)]
    )
    func cancelledBetween(text: String) async throws {
        let response = try await ScriptedTransport().next(.text(text)).send(request(bufferLimit: 0))
        guard case .stream(let stream) = response.body else { throw URLError(.badServerResponse) }
        let task = Task {
            var pieces = stream.makeAsyncIterator()
            _ = try await pieces.next()
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await pieces.next()
        }
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test("a stalled request body to a scripted transport times out in real time, independent of the script's clock")
    func stalledUpload() async throws {
        let (source, end) = AsyncStream<Data>.makeStream()
        end.yield(Data("a".utf8))
        var stalled = request(idle: .milliseconds(50))
        stalled.method = .post
        stalled.body = .sequence(source)
        #expect(await outcome(.text("a"), stalled, QuickClock()).code == .timedOut)
        end.finish()
    }

    @Test("a stalled request body to a scripted transport can be cancelled")
    func cancelledUpload() async throws {
        let (source, end) = AsyncStream<Data>.makeStream()
        let transport = ScriptedTransport().next(.text("a"))
        var request = request()
        request.method = .post
        request.body = .sequence(source)
        let task = Task { [request] in try await transport.send(request) }
        while !transport.unused.isEmpty { await Task.yield() }
        task.cancel()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        end.finish()
    }
}
