/// A function that splits `Set-Cookie` lines that Foundation has joined by commas.
///
/// A comma in a date, the only place where it is allowed (RFC 9110, section 5.3), does not separate lines: it is
/// followed by a day, not by a name and an equals sign.
enum SetCookieLines {
    /// Returns the lines that were joined.
    static func split(_ joined: String) -> [String] {
        var lines: [String] = []
        var line = ""
        for part in joined.split(separator: ",", omittingEmptySubsequences: false) {
            if line.isEmpty {
                line = String(part)
            } else if hasLeadingPair(part) {
                lines.append(line)
                line = String(part)
            } else {
                line += ",\(part)"
            }
        }
        if !line.isEmpty { lines.append(line) }
        return lines.map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
    }

    /// Returns whether the part starts with a name and an equals sign.
    private static func hasLeadingPair(_ part: Substring) -> Bool {
        let text = part.drop { $0 == " " }
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { return false }
        return text[..<equals].allSatisfy { !" ;\t".contains($0) }
    }
}
