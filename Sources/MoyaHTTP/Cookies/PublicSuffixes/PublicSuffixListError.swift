import Foundation

/// Why a text is no list of public suffixes.
public enum PublicSuffixListError: Error, Hashable, Sendable {
    /// There is no rule in it.
    case empty
    /// A line is no rule. It is given with its number, the first one being 1, and at most 80 characters of it.
    case invalidRule(line: Int, String)
}

extension PublicSuffixListError: LocalizedError {
    /// What is wrong and what to do about it.
    public var errorDescription: String? {
        let advice = "Give the text of public_suffix_list.dat, as https://publicsuffix.org/list/ describes it."
        return switch self {
        case .empty: "There is no rule in the list of public suffixes. \(advice)"
        case .invalidRule(let line, let rule):
            "Line \(line) of the list of public suffixes is no rule: \"\(rule)\". \(advice)"
        }
    }
}
