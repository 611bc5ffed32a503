import Foundation

/// The resources of this process, as Linux reports them.
package struct ProcessFigures: Sendable, CustomStringConvertible {
    package let descriptors: Int
    package let threads: Int
    /// The memory in bytes.
    package let memory: Int

    package init() {
        let files = FileManager.default
        descriptors = (try? files.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
        threads = (try? files.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        memory = (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) * 1_024
    }

    package var description: String { "\(descriptors) descriptors, \(threads) threads, \(memory >> 20) MiB" }

    /// Returns the resources that have grown more than their use explains.
    package func growth(since early: ProcessFigures) -> [String] {
        var growth: [String] = []
        if descriptors > early.descriptors + 32 { growth.append("descriptors: \(early.descriptors) to \(descriptors)") }
        if threads > early.threads + 8 { growth.append("threads: \(early.threads) to \(threads)") }
        if memory > early.memory + early.memory / 5 + 32 << 20 {
            growth.append("memory: \(early.memory >> 20) MiB to \(memory >> 20) MiB")
        }
        return growth
    }
}
