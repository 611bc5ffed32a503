import HTTPTypes

/// The value of a `Strict-Transport-Security` field (RFC 6797, section 6.1).
struct StrictTransportSecurityField: Equatable, Sendable {
    /// The time in seconds for which the policy is valid; 0 ends the policy.
    let maxAge: Double
    let includesSubdomains: Bool

    /// Reads the first field, because others are ignored (section 8.1); `nil` if there is none, or if it is invalid.
    init?(_ headers: HTTPFields) {
        guard let field = headers[fields: .strictTransportSecurity].first else { return nil }
        self.init(field.value)
    }

    /// Reads a value; `nil` if any part of it is invalid.
    ///
    /// Unknown directives are ignored, but each directive may occur only once.
    init?(_ value: String) {
        var reader = FieldReader(value.utf8)
        var names: Set<String> = []
        var maxAge: Double?
        var includesSubdomains = false
        repeat {
            reader.skipSpace()
            // A directive may be empty.
            guard !reader.isAtEnd, reader.next != .semicolon else { continue }
            guard let directive = reader.takeDirective(), names.insert(directive.name).inserted else { return nil }
            switch directive.name {
            case "max-age":
                guard let seconds = directive.value.flatMap({ DeltaSeconds.parse($0) }) else { return nil }
                maxAge = seconds
            case "includesubdomains":
                guard directive.value == nil else { return nil }
                includesSubdomains = true
            default: break
            }
        } while reader.skipIf(.semicolon)
        guard reader.isAtEnd, let maxAge else { return nil }
        self.maxAge = maxAge
        self.includesSubdomains = includesSubdomains
    }
}

extension FieldReader {
    /// Reads a directive with its name in lower case, and the space after it; `nil` if it is invalid.
    fileprivate mutating func takeDirective() -> (name: String, value: String?)? {
        let name = String(decoding: take(while: \.isToken), as: UTF8.self).lowercased()
        guard !name.isEmpty else { return nil }
        skipSpace()
        guard skipIf(.equals) else { return (name, nil) }
        skipSpace()
        let value: String
        if skipIf(.quote) {
            let quoted = takeQuoted()
            guard quoted.isTerminated else { return nil }
            value = String(decoding: quoted.content, as: UTF8.self)
        } else {
            value = String(decoding: take(while: \.isToken), as: UTF8.self)
            guard !value.isEmpty else { return nil }
        }
        skipSpace()
        return (name, value)
    }
}
