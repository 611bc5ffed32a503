#if os(Linux)
import Foundation
import Moya

/// The time of a simulation, which passes only while every task waits for it.
///
/// All tasks run on one thread, in the order in which they become ready, and then the time jumps to the end of the next sleep. So ten
/// minutes take seconds, and a run with the same random numbers has the same result. Nothing else may run in the process meanwhile.
final class VirtualTime: Clock, Sendable {
    /// A time of the simulation.
    struct Instant: InstantProtocol {
        /// The time since the beginning.
        let offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private struct State: Sendable {
        var now = Instant(offset: .zero)
        /// The promises that end the sleeps.
        var sleepers = DeadlineQueue<Promise<Bool>>()
    }

    private let state = Locked(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    func sleep(until end: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let wake = Promise<Bool>()
        let mustWait = state.withLock { state in
            guard end > state.now else { return false }
            _ = state.sleepers.insert(wake, at: end.offset)
            return true
        }
        guard mustWait else { return }
        if await !wake.wait(onCancel: false) { throw CancellationError() }
    }

    /// Runs a function, and all tasks that it starts, until they have ended or wait for something other than time.
    ///
    /// - Throws: ``MissingHook`` if the runtime does not let others run its jobs.
    func run(_ body: @escaping @Sendable () async -> Void) throws {
        try GlobalJobs.takeOver()
        defer { GlobalJobs.giveBack() }
        Task.detached(operation: body)
        repeat { GlobalJobs.runAll() } while advance()
    }

    /// Advances the time to the end of the next sleep; returns false if no task sleeps.
    private func advance() -> Bool {
        let due = state.withLock { state -> [Promise<Bool>] in
            guard let end = state.sleepers.earliest() else { return [] }
            state.now = Instant(offset: end)
            return state.sleepers.popDue(at: end)
        }
        for wake in due { wake.fulfill(true) }
        return !due.isEmpty
    }
}

/// The Swift runtime does not let others run the jobs of its global executor, as in a program with a static runtime.
struct MissingHook: Error, CustomStringConvertible {
    var description: String { "This program's Swift runtime cannot run in virtual time; use the one of the toolchain." }
}

/// The jobs that Swift's runtime enqueues on its global executor, during a simulation.
private enum GlobalJobs {
    /// A function that gets a job, and the runtime's own function, which it does not call.
    // For two pointers, C's calling convention is that of Swift's runtime.
    private typealias Hook = @convention(c) (_ job: UnsafeRawPointer, _ original: UnsafeRawPointer) -> Void

    private static let ready = Locked<[UnownedJob]>([])
    private static let executor = CallingThread()
    /// The runtime's variable for a function that gets each job.
    ///
    /// Tools for tests of concurrent code use it for the same purpose.
    // Unsafe because the runtime reads the variable without a lock. It is changed while no other task runs.
    private nonisolated(unsafe) static let hook: UnsafeMutablePointer<Hook?>? = {
        dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook")?.assumingMemoryBound(to: Hook?.self)
    }()

    static func takeOver() throws {
        guard let hook else { throw MissingHook() }
        hook.pointee = { job, _ in GlobalJobs.ready.withLock { $0.append(unsafeBitCast(job, to: UnownedJob.self)) } }
    }

    static func giveBack() { hook?.pointee = nil }

    static func runAll() {
        while true {
            let jobs = ready.withLock { jobs in
                defer { jobs.removeAll() }
                return jobs
            }
            guard !jobs.isEmpty else { return }
            for job in jobs { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
        }
    }

    /// The identity of the simulation's thread for the runtime.
    private final class CallingThread: TaskExecutor {
        func enqueue(_ job: UnownedJob) { ready.withLock { $0.append(job) } }
    }
}
#endif
