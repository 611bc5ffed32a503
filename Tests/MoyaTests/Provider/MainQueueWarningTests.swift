import Dispatch
import MoyaHTTP
import Testing

@testable import Moya

@Suite("Completions on a blocked queue cause a warning", .timeLimit(.minutes(5)))
struct MainQueueWarningTests {
    @Test("one warning with the remedy appears for any number of completions on a blocked queue")
    func blocked() async {
        let queue = DispatchQueue(label: "blocked")
        queue.suspend()
        let (warnings, continuation) = AsyncStream<String>.makeStream()
        let warning = MainQueueWarning(queue: queue, limit: .milliseconds(10)) { continuation.yield($0) }
        #expect((0..<3).map { _ in warning.check() } == [true, false, false])
        var iterator = warnings.makeAsyncIterator()
        let text = await iterator.next()
        #expect(text?.contains("callbackQueue: .global()") == true && text?.contains("try await") == true)
        #expect(!warning.check())
        queue.resume()
        continuation.finish()
        #expect(await iterator.next() == nil)
    }

    @Test("a responsive queue causes no warning and can be checked again")
    func running() async throws {
        let warnings = Locked(0)
        var limit = 10
        // A busy machine may take longer than the limit to run a queue at all.
        repeat {
            warnings.withLock { $0 = 0 }
            let queue = DispatchQueue(label: "running")
            let warning = MainQueueWarning(queue: queue, limit: .milliseconds(limit)) { _ in
                warnings.withLock { $0 += 1 }
            }
            #expect(warning.check())
            while warnings.withLock({ $0 }) == 0, !warning.check() { try await Task.sleep(for: .milliseconds(1)) }
            limit *= 2
        } while warnings.withLock { $0 } > 0
    }
}
