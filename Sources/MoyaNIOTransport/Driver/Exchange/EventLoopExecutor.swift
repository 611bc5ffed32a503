#if NIO && !canImport(Darwin)
import NIOCore

/// An executor that runs the jobs of tasks on an event loop.
///
/// From the event loop itself, `execute` appends the job to the tasks of the current turn and writes nothing to the event loop's
/// descriptor. A job never runs within the event of a connection.
final class EventLoopExecutor: TaskExecutor {
    let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Not the executor of the event loop, as which `EventLoop.enqueue` runs a job: it is a serial executor, so each call of a
        // function without an actor would enqueue the task again.
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension UpgradeTaskStarter {
    /// Starts the tasks on an event loop.
    func use(_ loop: any EventLoop) {
        let executor = EventLoopExecutor(loop)
        use { work in Task.detached(executorPreference: executor) { await work() } }
    }
}
#endif
