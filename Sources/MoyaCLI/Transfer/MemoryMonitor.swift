import Foundation
import Moya

/// Measures the memory of the process before an operation, and its peak during the operation.
final class MemoryMonitor: Sendable {
    /// The memory before the operation in bytes.
    let idle: Int
    private let highest: Locked<Int>
    private let sampling: Task<Void, Never>?

    /// Starts measuring.
    init() {
        let isReset = PeakMemory.reset()
        let idle = Self.resident
        let highest = Locked(idle)
        self.idle = idle
        self.highest = highest
        // If the system cannot reset the peak, a task samples the memory.
        sampling =
            isReset
            ? nil
            : Task {
                while (try? await Task.sleep(for: .milliseconds(5))) != nil {
                    let now = Self.resident
                    highest.withLock { $0 = max($0, now) }
                }
            }
    }

    /// Stops measuring, and returns the peak in bytes.
    func stop() -> Int {
        guard let sampling else { return max(idle, PeakMemory.bytes) }
        sampling.cancel()
        let now = Self.resident
        return highest.withLock { max($0, now) }
    }

    deinit { sampling?.cancel() }

    /// The current memory, or the peak if the system does not provide the current value.
    private static var resident: Int {
        #if canImport(Darwin)
        PeakMemory.bytes
        #else
        ProcessStatus().bytes("VmRSS")
        #endif
    }
}
