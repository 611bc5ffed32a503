import Foundation

/// A list of the public suffixes, such as `com` and `co.uk`, whose subdomains belong to different owners, so that
/// no cookie may be valid for all of them.
///
/// The rules come from <https://publicsuffix.org/list/>. ``bundled`` is the list at the release of this version of the library;
/// ``init(text:)`` parses another list. A lookup takes a few microseconds.
///
/// Hosts can be in any case, and have U-labels (`食狮.cn`) or A-labels (`xn--85x722f.cn`); results are lowercase and
/// have A-labels. Addresses are neither public suffixes nor domains.
public struct PublicSuffixList: Sendable {
    private enum Rules: Sendable {
        case none
        case bundled
        case given([UInt8])
    }

    /// The list that is included in the library; its version is ``bundledVersion``.
    public static let bundled = PublicSuffixList(rules: .bundled)

    /// An empty list without public suffixes.
    ///
    /// It allows cookies for all of `com`, so use it only if all servers are known.
    public static let none = PublicSuffixList(rules: .none)

    /// The version of the bundled list, which is its date and time: `2026-10-22_08-36-41_UTC`.
    public static let bundledVersion = BundledPublicSuffixes.version

    /// The source of the bundled list.
    public static let bundledSource = BundledPublicSuffixes.source

    private let rules: Rules

    private init(rules: Rules) {
        self.rules = rules
    }

    /// Parses a list in the format of `public_suffix_list.dat`: one rule per line, with comments.
    ///
    /// - Throws: ``PublicSuffixListError`` if a line is not a valid rule, or if there are no rules.
    public init(text: String) throws(PublicSuffixListError) {
        rules = .given(try PublicSuffixRules.parse(text))
    }

    /// Returns the public suffix of a host.
    ///
    /// - Returns: The suffix; `nil` for addresses, for invalid host names, and with ``none``. For a host without a
    ///   matching rule it is the last label, as the algorithm specifies.
    public func publicSuffix(of host: String) -> String? {
        guard let (name, range) = find(host) else { return nil }
        return String(decoding: name[range.suffix...], as: UTF8.self)
    }

    /// Returns whether a host is a public suffix.
    public func isPublicSuffix(_ host: String) -> Bool {
        guard let (_, found) = find(host) else { return false }
        return found.suffix == 0
    }

    /// Returns the registrable domain of a host: its public suffix and one more label.
    ///
    /// - Returns: The domain; `nil` for a public suffix, and if ``publicSuffix(of:)`` is `nil`.
    public func registrableDomain(of host: String) -> String? {
        guard let (name, found) = find(host), let domain = found.domain else { return nil }
        return String(decoding: name[domain...], as: UTF8.self)
    }

    /// Returns whether two URLs are same-site: they have the same scheme, and the same registrable domain or host
    /// (HTML, section 7.1.1.1).
    public func isSameSite(_ one: URL, _ other: URL) -> Bool {
        guard let oneHost = CookieHost(one), let otherHost = CookieHost(other),
            one.scheme?.lowercased() == other.scheme?.lowercased()
        else { return false }
        if oneHost == otherHost { return true }
        guard let domain = registrableDomain(of: oneHost.name) else { return false }
        return domain == registrableDomain(of: otherHost.name)
    }

    private func find(_ host: String) -> (name: [UInt8], found: PublicSuffixRules.Match)? {
        guard let host = CookieHost(host), !host.isAddress else { return nil }
        let name = Array(host.name.utf8)
        switch rules {
        case .none: return nil
        case .bundled: return (name, BundledPublicSuffixes.text.withUTF8Buffer { PublicSuffixRules($0).match(name) })
        case .given(let text): return (name, text.withUnsafeBufferPointer { PublicSuffixRules($0).match(name) })
        }
    }
}

/// An error for a text that is not a list of public suffixes.
public enum PublicSuffixListError: Error, Hashable, Sendable {
    /// The list contains no rules.
    case empty
    /// A line is not a valid rule.
    ///
    /// The values are its number, starting with 1, and its first 80 characters.
    case invalidRule(line: Int, String)
}

extension PublicSuffixListError: LocalizedError, CustomStringConvertible, CustomDebugStringConvertible {
    /// The text of `errorDescription`.
    public var description: String { errorDescription ?? "" }

    /// The ``description``, followed by the name of the type.
    public var debugDescription: String { "\(description) (\(String(reflecting: Self.self)))" }

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
