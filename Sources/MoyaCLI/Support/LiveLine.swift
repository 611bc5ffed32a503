/// The control characters that redraw one line below lines that stay.
struct LiveLine: Equatable, Sendable {
    private var drawn = ""

    /// Draws the line; `nil` if it is unchanged.
    mutating func draw(_ text: String) -> String? {
        guard text != drawn else { return nil }
        drawn = text
        return "\r\(text)\(Self.clearRest)"
    }

    /// Removes the line; `nil` if there is none.
    mutating func clear() -> String? {
        guard !drawn.isEmpty else { return nil }
        drawn = ""
        return "\r\(Self.clearRest)"
    }

    /// Writes a permanent line in place of the redrawn one.
    mutating func write(_ line: String) -> String { "\(clear() ?? "")\(line)\n" }

    /// The control sequence "erase in line" (ECMA-48).
    private static let clearRest = "\u{1B}[K"
}
