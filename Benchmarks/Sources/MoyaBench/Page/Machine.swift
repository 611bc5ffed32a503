import Foundation

/// Describes the machine on which the benchmarks ran.
struct Machine {
    /// Returns the rows of the page that describe the machine and the measured software.
    ///
    /// - Parameters:
    ///   - load: The load average at the start.
    ///   - swift: The compiler's version.
    ///   - resolved: The file with the versions of all packages.
    /// - Returns: The rows.
    static func rows(load: String, swift: String, resolved: URL) -> [[String]] {
        let versions = packageVersions(in: resolved)
        return [
            ["Date", String(ISO8601DateFormatter().string(from: Date()).prefix(10))],
            ["Processor", "\(processor), \(ProcessInfo.processInfo.activeProcessorCount) cores"],
            ["Memory", "\(Text.whole(Double(ProcessInfo.processInfo.physicalMemory) / 1_073_741_824)) GiB"],
            ["System", "\(ProcessInfo.processInfo.operatingSystemVersionString), kernel \(kernel)"],
            ["Load when it began", load],
            ["Swift", swift],
            ["Foundation", "the one of the Swift toolchain"],
            ["AsyncHTTPClient", versions["async-http-client"] ?? "?"],
            ["SwiftNIO", versions["swift-nio"] ?? "?"],
            ["ordo-one/benchmark", versions["benchmark"] ?? "?"],
        ]
    }

    private static var processor: String {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "?"
    }

    private static var kernel: String {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "?"
    }

    private struct Resolved: Decodable {
        struct Pin: Decodable {
            struct State: Decodable { var version: String? }
            var identity: String
            var state: State
        }

        var pins: [Pin]
    }

    private static func packageVersions(in file: URL) -> [String: String] {
        guard let data = try? Data(contentsOf: file),
            let resolved = try? JSONDecoder().decode(Resolved.self, from: data)
        else { return [:] }
        return Dictionary(resolved.pins.map { ($0.identity, $0.state.version ?? "?") }) { $1 }
    }
}
