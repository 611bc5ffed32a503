import Foundation

/// Says which domains are public suffixes, such as `com` and `co.uk`: below them anybody can have a host, so no cookie
/// is for all of them.
///
/// The rules are those of <https://publicsuffix.org/list/>. ``bundled`` is the list as it was when this version of the
/// library was made; ``init(text:)`` takes a newer one, or your own. Looking something up takes a few microseconds.
///
/// Hosts can be given in any case, as U-labels (`食狮.cn`) or as A-labels (`xn--85x722f.cn`); answers are in lower case
/// and as A-labels. Addresses are neither public suffixes nor domains.
public struct PublicSuffixList: Sendable {
    private enum Rules: Sendable {
        case none
        case bundled
        case given([UInt8])
    }

    /// The list that comes with the library; ``bundledVersion`` says from when it is.
    public static let bundled = PublicSuffixList(rules: .bundled)

    /// No list: nothing is a public suffix. Cookies for all of `com` are kept then, so use it where all servers are
    /// known.
    public static let none = PublicSuffixList(rules: .none)

    /// The version of the list that comes with the library, which is its date and time: `2026-10-22_08-36-41_UTC`.
    public static let bundledVersion = BundledPublicSuffixes.version

    /// Where the list that comes with the library is from.
    public static let bundledSource = BundledPublicSuffixes.source

    private let rules: Rules

    private init(rules: Rules) {
        self.rules = rules
    }

    /// Reads a list in the format of `public_suffix_list.dat`: one rule a line, with comments.
    ///
    /// - Throws: ``PublicSuffixListError`` if a line is no rule, or if there is none.
    public init(text: String) throws(PublicSuffixListError) {
        rules = .given(try PublicSuffixRules.parse(text))
    }

    /// The public suffix that a host is, or is below.
    ///
    /// - Returns: `nil` for addresses, for what is no host name, and with ``none``. Of a host that no rule is about it
    ///   is the last label, as the rules have it.
    public func publicSuffix(of host: String) -> String? {
        guard let (name, range) = find(host) else { return nil }
        return String(decoding: name[range.suffix...], as: UTF8.self)
    }

    /// Whether a host is itself a public suffix.
    public func isPublicSuffix(_ host: String) -> Bool {
        guard let (_, found) = find(host) else { return false }
        return found.suffix == 0
    }

    /// The domain that somebody registered and that a host is, or is below: the public suffix and one label more.
    ///
    /// - Returns: `nil` for a public suffix, and where ``publicSuffix(of:)`` is `nil`.
    public func registrableDomain(of host: String) -> String? {
        guard let (name, found) = find(host), let domain = found.domain else { return nil }
        return String(decoding: name[domain...], as: UTF8.self)
    }

    /// Whether two URLs are of the same site: the same scheme, and the same registrable domain or the same host (HTML,
    /// section 7.1.1.1).
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
