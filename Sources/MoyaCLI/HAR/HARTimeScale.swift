/// The positions of times in a waterfall, from 0 to 1.
///
/// Gaps between exchanges are shortened to at most a quarter of the busy time in total. So the bars of short exchanges stay visible
/// even if the exchanges are minutes apart.
struct HARTimeScale: Sendable {
    /// A range of time in which the position is a linear function of the time.
    private struct Segment {
        let start: Double
        let position: Double
        let rate: Double
    }

    /// Whether any gap is shortened.
    let shortensGaps: Bool
    /// The width of one busy millisecond, as a fraction of the waterfall's width.
    let rate: Double
    private let segments: [Segment]

    /// Creates a scale for exchanges with these start and end times, in milliseconds.
    init(_ exchanges: [ClosedRange<Double>]) {
        let busy = Self.union(of: exchanges)
        let gaps = zip(busy, busy.dropFirst()).map { $1.lowerBound - $0.upperBound }
        let busyTime = busy.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
        // If all exchanges take no time, each gap gets the width of the shortest gap.
        let allowance = gaps.isEmpty ? 0 : busyTime > 0 ? busyTime / 4 / Double(gaps.count) : gaps.min() ?? 0
        let shown = gaps.map { min($0, allowance) }
        let total = busyTime + shown.reduce(0, +)
        shortensGaps = zip(gaps, shown).contains { $0 > $1 }
        rate = total > 0 ? 1 / total : 0
        var segments: [Segment] = []
        var position = 0.0
        for (index, range) in busy.enumerated() {
            segments.append(Segment(start: range.lowerBound, position: position, rate: rate))
            position += (range.upperBound - range.lowerBound) * rate
            guard index < gaps.count else { break }
            let shownRate = gaps[index] > 0 ? shown[index] / gaps[index] * rate : 0
            segments.append(Segment(start: range.upperBound, position: position, rate: shownRate))
            position += shown[index] * rate
        }
        self.segments = segments
    }

    /// Returns the position of a time.
    func position(of time: Double) -> Double {
        // The search finds the last segment that starts before the time.
        var (low, high) = (0, segments.count)
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].start <= time { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return 0 }
        let segment = segments[low - 1]
        return min(max(0, segment.position + (time - segment.start) * segment.rate), 1)
    }

    private static func union(of ranges: [ClosedRange<Double>]) -> [ClosedRange<Double>] {
        ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { united, range in
            if let last = united.last, range.lowerBound <= last.upperBound {
                united[united.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                united.append(range)
            }
        }
    }
}
