import Foundation

/// The values that have been masked, so that other occurrences can be replaced.
package final class FoundSecrets {
    private(set) var values: Set<[UInt8]> = []

    package init() {}

    package func add(_ text: String) { add(ArraySlice(Array(text.utf8))) }

    package func add(_ value: ArraySlice<UInt8>) {
        let value = Array(value)
        guard value.count > 3, !value.contains("***") else { return }
        values.insert(value)
    }

    /// Adds `user:password` and the password alone.
    ///
    /// The user name is not a secret.
    package func addUser(_ value: ArraySlice<UInt8>) {
        add(value)
        if let colon = value.firstIndex(of: UInt8(ascii: ":")) { add(value[(colon + 1)...]) }
    }

    /// Adds the credentials of an `Authorization` (RFC 9110, section 11.4) without the scheme; those of Basic are
    /// decoded.
    package func addCredentials(_ value: String) {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return add(value) }
        let credentials = parts[1].trimmingCharacters(in: .whitespaces)
        add(credentials)
        if parts[0].lowercased() == "basic", let data = Data(base64Encoded: credentials) {
            addUser(ArraySlice(Array(data)))
        }
    }

    package func formUnion(_ other: FoundSecrets) { values.formUnion(other.values) }
}
