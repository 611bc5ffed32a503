extension String {
    /// The first 80 characters of the text, for an error.
    package var shortened: String { count > 80 ? "\(prefix(80))…" : self }

    /// Shortens two texts, and removes a long common prefix that would hide the difference.
    package func shortened(beside other: String) -> (String, String) {
        let shared = zip(self, other).prefix { $0 == $1 }.count
        guard shared > 60 else { return (shortened, other.shortened) }
        return ("…" + String(dropFirst(shared - 20)).shortened, "…" + String(other.dropFirst(shared - 20)).shortened)
    }
}
