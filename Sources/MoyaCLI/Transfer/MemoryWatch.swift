import Foundation
import Moya

/// How much memory the process has before something, and at most during it.
final class MemoryWatch: Sendable {
    /// In bytes.
    let idle: Int
    private let highest: Locked<Int>
    private let sampling: Task<Void, Never>?

    /// Begins to watch.
    init() {
        let isReset = PeakMemory.reset()
        let idle = Self.resident
        let highest = Locked(idle)
        self.idle = idle
        self.highest = highest
        // Where the system's own peak is that of all the time, one has to look.
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

    /// Ends watching. In bytes.
    func peak() -> Int {
        guard let sampling else { return max(idle, PeakMemory.bytes) }
        sampling.cancel()
        let now = Self.resident
        return highest.withLock { max($0, now) }
    }

    deinit { sampling?.cancel() }

    /// Where the system does not say what there is now, what there was at most.
    private static var resident: Int {
        #if canImport(Darwin)
            PeakMemory.bytes
        #else
            ProcessStatus().bytes("VmRSS")
        #endif
    }
}
