/// What a terminal is sent so that one line can be drawn again and again below lines that stay.
struct LiveLine: Equatable, Sendable {
    private var drawn = ""

    /// Draws the line; `nil` if it stands there already.
    mutating func draw(_ text: String) -> String? {
        guard text != drawn else { return nil }
        drawn = text
        return "\r\(text)\(Self.clearRest)"
    }

    /// Takes the line away; `nil` if there is none.
    mutating func clear() -> String? {
        guard !drawn.isEmpty else { return nil }
        drawn = ""
        return "\r\(Self.clearRest)"
    }

    /// Writes a line that stays, in the place of the one that does not.
    mutating func write(_ line: String) -> String { "\(clear() ?? "")\(line)\n" }

    /// ECMA-48: erase in line.
    private static let clearRest = "\u{1B}[K"
}
