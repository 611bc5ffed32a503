/// The rule that recognizes names of secrets by their words: `X-Hub-Signature-256`, `appsecret_proof`, `masterKey`.
///
/// Words are separated by `-`, `_`, any other punctuation, and changes of case; trailing digits do not belong to a word. In case
/// of doubt a name is secret, because a masked harmless value costs less than a logged password. Three kinds of names are not
/// secret:
///
/// - Statements about a secret, recognized by the last or the first word: `token_type`, `passwordMinLength`, `has_password`.
/// - Keys and tokens that identify something instead of granting access: `sort_key`, `primaryKey`, `Idempotency-Key`,
///   `nextPageToken`.
/// - Words that contain a secret word without being a known compound like `apikey`: `keyboard`, `author`, `monkey`, `tokens`.
enum SecretWords {
    /// Words that make a name secret wherever they are.
    private static let secrets: Set<String> = [
        "token", "secret", "secrets", "password", "passwords", "passwd", "passphrase", "passcode", "pwd", "signature",
        "jwt", "credential", "credentials", "auth", "authorization", "authentication", "session", "hmac", "otp", "totp",
        "cvv",
    ]
    /// Words with other meanings, which make a name secret only if all words after them are `parts`, or if no word follows.
    private static let ambiguous: Set<String> = ["key", "pin", "sid", "sig"]
    private static let parts: Set<String> = [
        "id", "ids", "pair", "value", "data", "hash", "string", "raw", "material", "bytes", "hex", "base", "pem",
        "header", "cookie", "proof", "sha", "md",
    ]
    /// Words before `key` for keys that identify something or are public.
    private static let lookups: Set<String> = [
        "primary", "foreign", "sort", "sorting", "order", "partition", "range", "row", "routing", "cache", "object",
        "idempotency", "public", "publishable", "group", "grouping", "unique", "lookup", "surrogate", "translation",
        "localization", "socket", "websocket", "event", "deduplication", "dedup", "dedupe", "issue", "index",
        "property", "attribute", "column", "field", "parent", "child", "natural", "composite", "arrow", "shortcut",
    ]
    /// Words before `token` for tokens that are positions in a list.
    private static let positions: Set<String> = [
        "page", "paging", "pagination", "next", "prev", "previous", "continuation", "continue", "sync", "cursor",
        "skip", "resume",
    ]
    /// Last words of statements about a secret.
    private static let statements: Set<String> = [
        "type", "types", "kind", "name", "names", "label", "title", "hint", "description", "count", "length", "size",
        "limit", "limits", "max", "min", "number", "index", "expires", "expired", "expiry", "expiration", "in", "at",
        "ttl", "age", "url", "urls", "uri", "endpoint", "host", "path", "method", "methods", "version", "algorithm",
        "alg", "status", "enabled", "disabled", "required", "valid", "format", "field", "fields", "policy", "duration",
        "timeout", "time", "timestamp", "date", "start", "end", "started", "ended", "created", "updated", "changed",
        "by", "email", "user", "username", "mode", "scheme", "provider", "issuer", "audience", "scope", "scopes",
        "language", "input", "info", "results", "error", "strength", "rules", "manager", "level", "realm",
    ]
    /// First words of statements about a secret.
    private static let questions: Set<String> = [
        "is", "has", "had", "needs", "requires", "require", "supports", "allows", "allow", "can", "should", "show",
        "use", "uses", "enable", "forgot", "max", "min",
    ]
    /// Words that form compounds with `compoundEnds`, such as `apikey` and `AUTHTOKEN`.
    private static let compoundStarts = [
        "access", "account", "admin", "api", "app", "application", "auth", "bearer", "bot", "client", "consumer",
        "csrf", "customer", "device", "encryption", "id", "license", "master", "oauth", "private", "refresh", "secret",
        "security", "service", "session", "shared", "signing", "storage", "subscription", "user", "webhook", "xsrf",
    ]
    private static let compoundEnds = [
        "token", "secret", "password", "key", "signature", "sid", "sessionid", "accesskey",
    ]
    /// The compounds that count as secret words: `apikey` counts as `key`, and `authtoken` as `token`.
    private static let compounds: Set<String> = Set(
        compoundStarts.flatMap { start in compoundEnds.map { start + $0 } } + [
            "sessionid", "sessid", "authkey", "accesskeyid",
        ]
    )

    /// The suffixes of headers with credentials, such as `X-MyVaultToken`.
    private static let headerEndings = [
        "token", "secret", "password", "apikey", "accesskey", "secretkey", "privatekey", "subscriptionkey",
        "authorization", "signature", "sessionid", "jwt",
    ]
    /// The suffixes of headers that match `headerEndings` but contain a position in a list.
    private static let positionEndings = ["pagetoken", "nexttoken", "continuationtoken", "synctoken"]

    /// Returns whether the words of a name make its value secret.
    static func isSecret(_ name: String) -> Bool {
        let words = words(of: name)
        guard let first = words.first, let last = words.last else { return false }
        if words.count > 1, statements.contains(last) || questions.contains(first) { return false }
        return words.indices.contains { index in
            let before = index > 0 ? words[index - 1] : ""
            let word = words[index]
            if compounds.contains(word) { return true }
            if word == "key", lookups.contains(before) { return false }
            if word == "token", positions.contains(before) { return false }
            if secrets.contains(word) { return true }
            guard ambiguous.contains(word) else { return false }
            // `key` alone denotes a name: `{"key": "color", "value": "red"}`.
            if words.count == 1 { return word != "key" }
            return words[(index + 1)...].allSatisfy(parts.contains)
        }
    }

    /// Returns whether a header's name, in lowercase and without separators, ends like the name of a credential.
    static func isHeaderEnding(of name: String) -> Bool {
        headerEndings.contains(where: name.hasSuffix) && !positionEndings.contains(where: name.hasSuffix)
    }

    /// Returns the words of a name in lowercase: `aws`, `access`, `key` and `id` for `AWSAccessKeyId2`.
    static func words(of name: String) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        func end() {
            if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
            word = []
        }
        let bytes = Array(name.utf8)
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                word.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                let isAfterLower = index > 0 && bytes[index - 1].isLowercaseOrDigit
                // The last capital of an acronym begins the next word.
                let isBeforeLower = index + 1 < bytes.count && bytes[index + 1].isLowercase
                if isAfterLower || isBeforeLower { end() }
                word.append(byte | 0x20)
            case 0x80...:
                // Bytes that are not ASCII count as letters, so that `clé_token` has two words, and `tokené` is not a secret word.
                word.append(byte)
            default:
                end()
            }
        }
        end()
        return words
    }
}

extension UInt8 {
    fileprivate var isLowercase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    fileprivate var isLowercaseOrDigit: Bool { isLowercase || isDigit }
}
