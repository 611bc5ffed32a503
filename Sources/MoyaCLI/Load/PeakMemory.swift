import Foundation

/// The most memory that the process has had at one time.
enum PeakMemory {
    /// In bytes; zero where the system does not say.
    static var bytes: Int {
        #if canImport(Darwin)
            var usage = rusage()
            getrusage(RUSAGE_SELF, &usage)
            return usage.ru_maxrss
        #else
            // Not getrusage: its peak is that of `swift run` if that had more before it became this program.
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            let kibibytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
            return (kibibytes ?? 0) * 1_024
        #endif
    }
}
