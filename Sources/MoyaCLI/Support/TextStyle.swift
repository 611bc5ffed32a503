/// The style of text: with colors if the output supports them.
struct TextStyle: Equatable, Sendable {
    static let plain = TextStyle(isColored: false)

    let isColored: Bool

    init(isColored: Bool) { self.isColored = isColored }

    /// Creates the style for an output, according to the environment (no-color.org).
    init(isTerminal: Bool, environment: [String: String]) {
        let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isColored = isTerminal && !isRefused && environment["TERM"] != "dumb"
    }

    func bold(_ text: String) -> String { set(text, "1") }
    func dim(_ text: String) -> String { set(text, "2") }
    func red(_ text: String) -> String { set(text, "31") }
    func green(_ text: String) -> String { set(text, "32") }
    func blue(_ text: String) -> String { set(text, "34") }

    private func set(_ text: String, _ code: String) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
