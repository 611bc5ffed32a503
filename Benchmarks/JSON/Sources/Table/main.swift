import Foundation

// Measures the table, prints it as Markdown, and fails if a row is above the limit.
//
// usage: json-table [LIMIT [PART OF A NAME]]
//
// "Ratio" is the library's time divided by Foundation's for repeated coding of the same value. "First" is the same ratio for an
// attempt without knowledge of earlier ones: if it is well above 1, the library gave up and Foundation repeated the work. A debug
// build does not measure "First".

/// The times that the library and Foundation take for a row, in nanoseconds.
struct Times {
    let library: Double
    let foundation: Double
    let ratio: Double
    let firstRatio: Double
}

/// Returns the processor time of this thread, which other processes do not lengthen.
func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

func nanoseconds(_ count: Int, _ work: () -> Void) -> Double {
    let start = processorTime()
    for _ in 0..<count { work() }
    return (processorTime() - start) / Double(count)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// Measures the sides of a row in turns, so that all have the same conditions.
func measure(_ row: Row) -> Times {
    row.foundation()
    let count = max(1, Int(400_000 / max(nanoseconds(1, row.foundation), 1)))
    #if DEBUG
        let sides = [row.library, {}, row.foundation]
    #else
        let sides = [row.library, row.first, row.foundation]
    #endif
    let rounds = (0..<25).map { round in
        var times = [0.0, 0.0, 0.0]
        for turn in 0..<3 {
            let side = (round + turn) % 3
            times[side] = nanoseconds(count, sides[side])
        }
        return times
    }
    return Times(
        library: median(rounds.map { $0[0] }),
        foundation: median(rounds.map { $0[2] }),
        ratio: median(rounds.map { $0[0] / $0[2] }),
        firstRatio: median(rounds.map { $0[1] / $0[2] })
    )
}

let limit = CommandLine.arguments.dropFirst().first.flatMap { Double($0) } ?? 1.2
let part = CommandLine.arguments.dropFirst(2).first ?? ""
let rows = Table().rows.filter { part.isEmpty || $0.name.contains(part) }
var excess = 0
print("| Input | Bytes | Library, µs | Foundation, µs | Ratio | First |")
print("|---|---:|---:|---:|---:|---:|")
for row in rows {
    // A row above the limit is measured again, because another program may have disturbed the measurement.
    var times = measure(row)
    for _ in 0..<2 where times.ratio > limit { times = [times, measure(row)].min { $0.ratio < $1.ratio } ?? times }
    if times.ratio > limit { excess += 1 }
    let figures = [times.library / 1e3, times.foundation / 1e3].map { String(format: "%.1f", $0) }
    var ratios = [times.ratio, times.firstRatio].map { String(format: "%.2f", $0) }
    #if DEBUG
        ratios[1] = "–"
    #endif
    let mark = times.ratio > limit ? " exceeds" : ""
    print(
        "| " + ([row.name, "\(row.size)"] + figures + [ratios[0] + mark, ratios[1]]).joined(separator: " | ") + " |"
    )
}
print("\n\(rows.count) rows, \(excess) above \(limit).")
exit(excess == 0 ? 0 : 1)
