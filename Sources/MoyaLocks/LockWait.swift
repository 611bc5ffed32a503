#if !canImport(Darwin)
    import Foundation

    /// Lets other threads run, among them the one that holds a lock.
    ///
    /// A thread that waits for long sleeps for up to 640 µs at a time.
    ///
    /// - Parameter attempt: The number of attempts to get the lock so far.
    @usableFromInline
    @inline(never)
    func waitForLock(attempt: Int) {
        if attempt <= 32 { sched_yield() } else { usleep(20 << UInt32(min(attempt - 33, 5))) }
    }
#endif
