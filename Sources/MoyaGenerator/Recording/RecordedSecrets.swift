/// Recognizes credentials in recorded traffic, which never become part of the code.
enum RecordedSecrets {
    private static let words: Set = [
        "password", "passwd", "passphrase", "pwd", "secret", "token", "authorization", "auth", "credential",
        "credentials", "cookie",
        "session", "signature", "otp", "pin", "ssn", "cvc", "cvv", "jwt", "csrf", "xsrf", "nonce", "apikey",
    ]

    /// Returns whether values with a name are secret.
    static func isSecret(name: String) -> Bool {
        let parts = Words(of: name).all
        if parts.contains(where: { words.contains($0) || words.contains($0.droppingPlural) }) { return true }
        return parts.contains("key")
            && parts.contains { ["api", "access", "private", "client", "license", "encryption"].contains($0) }
    }

    /// Returns whether a text looks like a credential.
    static func isSecret(value: String) -> Bool {
        let prefixes = [
            "eyJ", "Bearer ", "Basic ", "sk_", "pk_", "rk_", "ghp_", "gho_", "github_pat_", "xox", "AKIA", "AIza",
            "glpat-",
        ]
        if prefixes.contains(where: value.hasPrefix) { return true }
        let isLong = value.count >= 32 && !value.contains(" ") && !value.contains("/") && !value.contains(":")
        return isLong && !TextForm.isUUID(value) && value.contains(where: \.isNumber)
            && value.contains(where: \.isLetter)
    }

    /// Returns a value without its secrets.
    static func masked(_ node: Node, name: String? = nil) -> Node {
        var node = node
        switch node.value {
        case .object(let members):
            let masked = members.all.map {
                NodeMembers.Member(key: $0.key, keyPosition: $0.keyPosition, value: self.masked($0.value, name: $0.key))
            }
            node.value = .object(NodeMembers(masked))
        case .array(let nodes): node.value = .array(nodes.map { masked($0, name: name) })
        case .string(let text):
            let isHidden = name.map { isSecret(name: $0) } == true || isSecret(value: text)
            if isHidden, !text.isEmpty { node.value = .string("secret") }
        case .number, .bool, .null: break
        }
        return node
    }
}

extension String {
    fileprivate var droppingPlural: String { hasSuffix("s") ? String(dropLast()) : self }
}
