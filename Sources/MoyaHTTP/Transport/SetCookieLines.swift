/// Takes `Set-Cookie` lines apart that Foundation has joined by commas.
///
/// A comma is no end of a line where it stands in a date, the one place that has commas by the rules (RFC 9110, section
/// 5.3): after it there is a day and no name with an equals sign. Pure.
enum SetCookieLines {
    /// The lines that were joined.
    static func split(_ joined: String) -> [String] {
        var lines: [String] = []
        var line = ""
        for part in joined.split(separator: ",", omittingEmptySubsequences: false) {
            if line.isEmpty {
                line = String(part)
            } else if beginsWithPair(part) {
                lines.append(line)
                line = String(part)
            } else {
                line += ",\(part)"
            }
        }
        if !line.isEmpty { lines.append(line) }
        return lines.map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
    }

    /// Whether there is a name and an equals sign before anything else.
    private static func beginsWithPair(_ part: Substring) -> Bool {
        let text = part.drop { $0 == " " }
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { return false }
        return text[..<equals].allSatisfy { !" ;\t".contains($0) }
    }
}
