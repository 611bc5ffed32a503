import Foundation

/// An error for a text that is not a list of public suffixes.
public enum PublicSuffixListError: Error, Hashable, Sendable {
    /// The list contains no rules.
    case empty
    /// A line is not a valid rule.
    ///
    /// The values are its number, starting with 1, and its first 80 characters.
    case invalidRule(line: Int, String)
}

extension PublicSuffixListError: LocalizedError {
    /// A sentence that describes the problem and a remedy.
    public var errorDescription: String? {
        let advice = "Use the text of public_suffix_list.dat, which https://publicsuffix.org/list/ describes."
        return switch self {
        case .empty: "The list of public suffixes has no rules. \(advice)"
        case .invalidRule(let line, let rule):
            "Line \(line) of the list of public suffixes is not a valid rule: \"\(rule)\". \(advice)"
        }
    }
}
