/// Says which values must not be written where people read: logs, error texts, cURL commands.
package struct SecretMask: Sendable {
    /// The headers that carry credentials whatever the application.
    package static let standard = SecretMask()

    /// What stands in place of a masked value.
    package static let placeholder = "***"

    private let headerNames: Set<String> = ["authorization", "proxy-authorization", "cookie", "set-cookie"]

    /// The value as it may be written.
    ///
    /// The scheme of an `Authorization` stays: it is no secret, and it is what one looks for when a request is refused.
    package func value(_ value: String, ofHeader name: String) -> String {
        let name = name.lowercased()
        guard headerNames.contains(name) else { return value }
        if name.hasSuffix("authorization"), let space = value.firstIndex(of: " ") {
            return "\(value[..<space]) \(Self.placeholder)"
        }
        return Self.placeholder
    }
}
