/// A line that control characters redraw below permanent lines.
struct LiveLine: Equatable, Sendable {
    private var drawn = ""

    /// Returns the output that draws the line; `nil` if the line is unchanged.
    mutating func draw(_ text: String) -> String? {
        guard text != drawn else { return nil }
        drawn = text
        return "\r\(text)\(Self.clearRest)"
    }

    /// Returns the output that removes the line; `nil` if no line is drawn.
    mutating func clear() -> String? {
        guard !drawn.isEmpty else { return nil }
        drawn = ""
        return "\r\(Self.clearRest)"
    }

    /// Returns the output that writes a permanent line in place of the redrawn line.
    mutating func write(_ line: String) -> String { "\(clear() ?? "")\(line)\n" }

    /// The control sequence "erase in line" (ECMA-48).
    private static let clearRest = "\u{1B}[K"
}
