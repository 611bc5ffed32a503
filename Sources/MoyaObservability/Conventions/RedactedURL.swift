#if Observability
import Foundation
import MoyaSecretMasking

/// The text of a URL for `url.full`, without secrets.
///
/// The conventions name the query parameters of signed URLs, whose values become `REDACTED`. The values of other secret parameters,
/// such as `access_token`, become the same: see `SecretMask`. User name and password become `REDACTED:REDACTED`.
struct RedactedURL {
    static let placeholder = "REDACTED"

    let sensitiveQueryKeys: Set<String>

    func text(of url: URL) -> String {
        let text = url.absoluteString
        // Most URLs have neither a query nor credentials.
        guard
            text.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "#") })
        else { return text }
        let hasCredentials = url.user != nil || url.password != nil
        var masked = SecretMask.standard.text(of: url)
            .replacing(SecretMask.placeholder, with: Self.placeholder)
        masked = redactingQuery(of: masked)
        if hasCredentials, let slashes = masked.range(of: "://") {
            masked.insert(contentsOf: "\(Self.placeholder):\(Self.placeholder)@", at: slashes.upperBound)
        }
        return masked
    }

    /// Replaces the values of the parameters that the conventions name.
    private func redactingQuery(of text: String) -> String {
        guard let mark = text.firstIndex(of: "?") else { return text }
        let start = text.index(after: mark)
        let end = text[start...].firstIndex(of: "#") ?? text.endIndex
        let items = text[start..<end].split(separator: "&", omittingEmptySubsequences: false).map { item in
            guard let equals = item.firstIndex(of: "="), isSensitive(item[..<equals]) else { return String(item) }
            return "\(item[...equals])\(Self.placeholder)"
        }
        return text[..<start] + items.joined(separator: "&") + text[end...]
    }

    private func isSensitive(_ key: Substring) -> Bool {
        sensitiveQueryKeys.contains(String(key))
            || key.utf8.contains(UInt8(ascii: "%"))
                && key.removingPercentEncoding.map { sensitiveQueryKeys.contains($0) } ?? false
    }
}
#endif
