import Foundation

/// What the system says of this process.
enum ProcessFigures {
    /// How long its threads have run, in seconds, in the program and in the system.
    static var processorTime: Double {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(RUSAGE_SELF.rawValue, &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }

    /// The memory it has, in bytes.
    static var resident: Int { status("VmRSS") }

    /// The most memory it had since ``resetPeak()``, in bytes.
    static var peak: Int { status("VmHWM") }

    /// Begins anew from what there is now.
    ///
    /// - Throws: ``BenchFailure`` where the system doesn't do that.
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
    /// So many bytes in MiB.
    var mebibytes: Double { Double(self) / 1_048_576 }
}
