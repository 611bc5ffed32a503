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
            ProcessStatus().bytes("VmHWM")
        #endif
    }

    /// Begins anew from what there is now. False where the system does not do that.
    static func reset() -> Bool {
        #if canImport(Darwin)
            return false
        #else
            // proc(5): 5 resets the peak of the resident set.
            return (try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))) != nil
        #endif
    }
}

/// What Linux says of this process.
struct ProcessStatus {
    private let lines: [Substring]

    init(_ text: String) { lines = text.split(separator: "\n") }

    init() { self.init((try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? "") }

    /// A figure that is told in KiB, in bytes; zero if there is none.
    func bytes(_ name: String) -> Int {
        let line = lines.first { $0.hasPrefix("\(name):") }
        let kibibytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
        return (kibibytes ?? 0) * 1_024
    }
}
