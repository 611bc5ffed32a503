import Foundation

/// How text is set off: with colours where they can be seen, not at all elsewhere.
struct TextStyle: Equatable, Sendable {
    static let plain = TextStyle(isColoured: false)

    let isColoured: Bool

    init(isColoured: Bool) { self.isColoured = isColoured }

    /// The style for an output, by what the user's environment says of colours (no-color.org).
    init(isTerminal: Bool, environment: [String: String]) {
        let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isColoured = isTerminal && !isRefused && environment["TERM"] != "dumb"
    }

    func bold(_ text: String) -> String { set(text, "1") }
    func dim(_ text: String) -> String { set(text, "2") }
    func red(_ text: String) -> String { set(text, "31") }
    func green(_ text: String) -> String { set(text, "32") }
    func blue(_ text: String) -> String { set(text, "34") }

    private func set(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
