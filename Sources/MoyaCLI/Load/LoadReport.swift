import Foundation

/// The result of a load test.
struct LoadReport: Equatable, Sendable {
    let requests: Int
    let succeeded: Int
    let time: Duration
    /// Peak memory after the first tenth, in bytes.
    let earlyPeak: Int
    /// Peak memory at the end, in bytes.
    let peak: Int

    var isAsExpected: Bool { succeeded == requests && Double(peak) <= Double(earlyPeak) * 1.1 }

    var text: String {
        let rate = Int(Double(requests) / (time / .seconds(1)))
        let growth = Double(peak) / Double(max(1, earlyPeak)) * 100 - 100
        return """
            \(succeeded) of \(requests) requests succeeded, \(rate) a second
            peak memory: \(mebibytes(earlyPeak)) after a tenth, \(mebibytes(peak)) after all \
            (\(String(format: "%+.1f", growth)) %)
            \(isAsExpected ? "✓ as expected" : "✗ not as expected")
            """
    }

    private func mebibytes(_ bytes: Int) -> String { String(format: "%.1f MiB", Double(bytes) / 1_048_576) }
}
