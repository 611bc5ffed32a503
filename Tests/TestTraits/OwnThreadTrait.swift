import Dispatch
import Testing

/// Runs a test on a thread that no other task uses.
///
/// The tasks of all tests share the threads of Swift's concurrency, one for each core. A test that computes for seconds would block
/// such a thread, and servers and clients of other tests would exceed their timeouts.
public struct OwnThreadTrait: TestTrait, SuiteTrait, TestScoping {
    /// True, because the trait of a suite applies to each of its tests.
    public var isRecursive: Bool { true }

    /// Runs a test with a task executor that uses a separate thread.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return try await function() }
        try await withTaskExecutorPreference(SerialQueueExecutor()) { try await function() }
    }
}

extension Trait where Self == OwnThreadTrait {
    /// A trait that runs a test on a thread that no other task uses, for tests that compute for a long time.
    public static var ownThread: OwnThreadTrait { OwnThreadTrait() }
}

/// An executor with a serial queue, for which Dispatch provides a thread whenever it has work.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class SerialQueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "OwnThreadTrait")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
