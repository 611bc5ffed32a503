import Foundation

/// Statistics of this process from the system.
enum ProcessFigures {
    /// The user and system time of all threads in seconds.
    static var processorTime: Double {
        var usage = rusage()
        #if canImport(Glibc)
        getrusage(RUSAGE_SELF.rawValue, &usage)
        #else
        getrusage(RUSAGE_SELF, &usage)
        #endif
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }

    /// The resident memory in bytes.
    static var resident: Int { status("VmRSS") }

    /// The peak memory since ``resetPeak()`` in bytes.
    static var peak: Int { status("VmHWM") }

    /// Resets the peak to the current memory.
    ///
    /// - Throws: ``BenchFailure`` if the system does not support it.
    static func resetPeak() throws {
        do {
            // proc(5): 5 resets the peak of the resident set.
            try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        } catch {
            throw BenchFailure("The peak of memory can't be reset, so it was not measured: \(error)")
        }
    }

    private static func status(_ name: String) -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) * 1_024
    }
}

extension Int {
    /// The number of bytes in MiB.
    var mebibytes: Double { Double(self) / 1_048_576 }
}
