import Foundation

/// A chart of lines with logarithmic axes, as SVG that is readable on light and dark pages.
struct Plot {
    /// One line.
    struct Series {
        let name: String
        let points: [(x: Double, y: Double)]
    }

    let title: String
    let xTitle: String
    let yTitle: String
    let series: [Series]
    /// Whether both axes begin at zero instead of being logarithmic.
    var isLinear = false
    /// Whether the horizontal axis is in bytes, so that its labels are KiB, MiB and GiB.
    var hasBytes = false

    private static let size = (width: 720.0, height: 420.0)
    private static let area = (left: 80.0, right: 540.0, top: 48.0, bottom: 360.0)
    // People with color blindness can distinguish these colors (Okabe and Ito).
    private static let colors = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]

    /// The document.
    var svg: String {
        var parts = [Self.begin, label(title, x: Self.area.left, y: 26, anchor: "start", style: "title")]
        parts += ticks(xTicks, isX: true) + ticks(yTicks, isX: false)
        parts.append(label(xTitle, x: (Self.area.left + Self.area.right) / 2, y: 402, anchor: "middle", style: "text"))
        parts.append(
            "<text class=\"text\" text-anchor=\"middle\" transform=\"translate(18 204) rotate(-90)\">"
                + "\(escaped(yTitle))</text>"
        )
        for (index, line) in series.enumerated() { parts += lineParts(index, line) }
        return (parts + ["</svg>", ""]).joined(separator: "\n")
    }

    private static let begin = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 420" width="720" height="420" \
        font-family="system-ui, sans-serif" font-size="13">
        <style>
        .back { fill: #ffffff } .text { fill: #24292f } .title { fill: #24292f; font-size: 16px; font-weight: 600 }
        .grid { stroke: #d0d7de } .line { fill: none; stroke-width: 2.5 }
        @media (prefers-color-scheme: dark) {
        .back { fill: #0d1117 } .text, .title { fill: #e6edf3 } .grid { stroke: #30363d }
        }
        </style>
        <rect class="back" width="720" height="420"/>
        """

    private func lineParts(_ index: Int, _ line: Series) -> [String] {
        let color = Self.colors[index % Self.colors.count]
        let places = line.points.map { (x: place($0.x, isX: true), y: place($0.y, isX: false)) }
        let path = places.map { "\(short($0.x)),\(short($0.y))" }.joined(separator: " ")
        let row = Self.area.top + 14 + Double(index) * 24
        let dots = places.map { "<circle cx=\"\(short($0.x))\" cy=\"\(short($0.y))\" r=\"3.5\" fill=\"\(color)\"/>" }
        return ["<polyline class=\"line\" stroke=\"\(color)\" points=\"\(path)\"/>"] + dots + [
            "<path class=\"line\" stroke=\"\(color)\" d=\"M558 \(short(row - 4))h22\"/>",
            label(line.name, x: 588, y: row, anchor: "start", style: "text"),
        ]
    }

    private func ticks(_ values: [Double], isX: Bool) -> [String] {
        values.flatMap { value -> [String] in
            let at = short(place(value, isX: isX))
            let (left, right, top, bottom) = Self.area
            let path = isX ? "M\(at) \(short(top))V\(short(bottom))" : "M\(short(left)) \(at)H\(short(right))"
            let text =
                isX
                ? label(xLabel(value), x: place(value, isX: true), y: bottom + 20, anchor: "middle", style: "text")
                : label(Text.figure(value), x: left - 8, y: place(value, isX: false) + 4, anchor: "end", style: "text")
            return ["<path class=\"grid\" d=\"\(path)\"/>", text]
        }
    }

    private func label(_ text: String, x: Double, y: Double, anchor: String, style: String) -> String {
        "<text class=\"\(style)\" x=\"\(short(x))\" y=\"\(short(y))\" text-anchor=\"\(anchor)\">\(escaped(text))</text>"
    }

    private func xLabel(_ value: Double) -> String { hasBytes ? Self.bytes(value) : Text.figure(value) }

    /// Returns a number of bytes with its unit.
    static func bytes(_ value: Double) -> String {
        let units = ["B", "KiB", "MiB", "GiB"]
        let power = min(3, max(0, Int(log2(value)) / 10))
        return "\(Text.figure(value / pow(1_024, Double(power)))) \(units[power])"
    }

    private func place(_ value: Double, isX: Bool) -> Double {
        let (low, high) = isX ? xRange : yRange
        let part =
            isLinear ? (value - low) / (high - low) : (log(max(value, low)) - log(low)) / (log(high) - log(low))
        let (left, right, top, bottom) = Self.area
        return isX ? left + part * (right - left) : bottom - part * (bottom - top)
    }

    private var xRange: (Double, Double) {
        let (low, high) = range(series.flatMap { $0.points.map(\.x) })
        return (isLinear ? 0 : low, high)
    }

    private var yRange: (Double, Double) {
        let (low, high) = range(series.flatMap { $0.points.map(\.y) })
        if isLinear { return (0, high * 1.1) }
        // The range begins and ends at a tick: 1, 2, 5, 10 and so on.
        let below = Self.steps.last { $0 <= low } ?? low
        return (below, Self.steps.first { $0 >= high && $0 > below } ?? high)
    }

    private func range(_ values: [Double]) -> (Double, Double) {
        let (low, high) = (values.min() ?? 1, values.max() ?? 10)
        return high > low ? (low, high) : (low, low * 2 + 1)
    }

    private static let steps = (-4..<13).flatMap { power in [1.0, 2, 5].map { $0 * pow(10, Double(power)) } }

    private var xTicks: [Double] {
        let high = xRange.1
        let step = Self.steps.first { high / $0 <= 6 } ?? high
        let values =
            isLinear
            ? Array(stride(from: 0, through: high, by: step)) : Set(series.flatMap { $0.points.map(\.x) }).sorted()
        // A label is omitted if it would overlap the previous one.
        var last = -Double.infinity
        return values.filter { value in
            let at = place(value, isX: true)
            guard at - last >= 44 else { return false }
            last = at
            return true
        }
    }

    private var yTicks: [Double] {
        let (low, high) = yRange
        guard isLinear else { return Self.steps.filter { $0 >= low && $0 <= high } }
        let step = Self.steps.first { high / $0 <= 6 } ?? high
        return Array(stride(from: 0, through: high, by: step))
    }

    private func short(_ value: Double) -> String { String(format: "%.1f", value) }

    private func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    }
}
