import Foundation

/// The peak memory of this process.
enum PeakMemory {
    /// The peak in bytes; 0 if the system does not provide it.
    static var bytes: Int {
        #if canImport(Darwin)
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss
        #else
        // The peak of getrusage includes the memory of `swift run` before it executed this program.
        ProcessStatus().bytes("VmHWM")
        #endif
    }

    /// Resets the peak to the current memory, and returns false if the system does not support it.
    static func reset() -> Bool {
        #if canImport(Darwin)
        return false
        #else
        // proc(5): 5 resets the peak of the resident set.
        return (try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))) != nil
        #endif
    }
}

/// The status of this process on Linux.
struct ProcessStatus {
    private let lines: [Substring]

    init(_ text: String) { lines = text.split(separator: "\n") }

    init() { self.init((try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? "") }

    /// Returns a value that is given in KiB, in bytes; 0 if it is missing.
    func bytes(_ name: String) -> Int {
        let line = lines.first { $0.hasPrefix("\(name):") }
        let kibibytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
        return (kibibytes ?? 0) * 1_024
    }
}
