/// Converts words to identifiers by the API design guidelines.
package struct NamingRules: Sendable {
    /// Words with a fixed spelling, by their lower case.
    private var spellings: [String: String]

    package init(acronyms: [String] = []) {
        spellings = Self.standardSpellings
        for acronym in acronyms { spellings[acronym.lowercased()] = acronym }
    }

    private static let standardSpellings: [String: String] = {
        let acronyms = """
            ACH ACL AI API APIs APN ARN ASN AWS BIC CD CDN CI CIDR CLI CNAME CORS CPU CSP CSR CSS CSV CVC CVE CVV CVSS CWE DB \
            DKIM DMARC DNS DOB EAN EIN EU FAQ FTP GCP GID GPG GPT GPU GUID HD HMAC HTML HTTP HTTPS IBAN IBANs ICMP ID IDs IDP IMEI \
            IO IP IPs ISBN ISO ISRC JS JSON JWK JWKS JWT KMS KPI LDAP LLM MAC MCC MD5 MFA MIME MP3 MP4 MX NFC NLP NPM NS OCR \
            OTP PCI PDF PEM PGP PII PIN PNG POS PR QR RAM RBAC RGB RPC RSA RSS SAML SCIM SDK SDP SEPA SHA SHA1 SHA256 SIP SIM SKU SKUs SLA \
            SMS SMTP SPF SQL SSD SSH SSL SSN SSO SVG SWIFT TCP TLD TLS TOTP TTL TTS TV UDP UI UID UK UPC URI URIs URL URLs US USB USD \
            UTC UTF8 UUID UUIDs VAT VCS VIN VM VMs VPC VPN WWW XML XSS YAML ZIP
            """
        var spellings = [
            "github": "GitHub", "gitlab": "GitLab", "oauth": "OAuth", "oauth2": "OAuth2", "ios": "iOS",
            "macos": "macOS",
            "graphql": "GraphQL", "ipad": "iPad", "iphone": "iPhone", "youtube": "YouTube", "linkedin": "LinkedIn",
            "paypal": "PayPal",
            "javascript": "JavaScript", "typescript": "TypeScript", "ipv4": "IPv4", "ipv6": "IPv6", "openai": "OpenAI",
            "openapi": "OpenAPI", "webauthn": "WebAuthn", "openid": "OpenID",
        ]
        for acronym in acronyms.split(separator: " ")
        where !["zip", "mac", "us", "io", "pin", "swift", "ns", "sip"].contains(acronym.lowercased()) {
            spellings[acronym.lowercased()] = String(acronym)
        }
        return spellings
    }()

    /// Returns the name of a type: `HTMLPage`.
    package func type(_ words: Words) -> String {
        let name = words.all.enumerated().map { index, word in
            let text = capitalized(word)
            // Digits of two words stay apart.
            let previous = index > 0 ? words.all[index - 1] : ""
            return previous.last?.isNumber == true && text.first?.isNumber == true ? "_" + text : text
        }.joined()
        guard let first = name.first else { return "Value" }
        if first.isNumber { return "_" + name }
        // An acronym such as `iOS` begins with a small letter.
        return first.isUppercase ? name : first.uppercased() + name.dropFirst()
    }

    /// Returns the name of a value or a function: `htmlPage`.
    package func value(_ words: Words) -> String {
        guard let first = words.all.first else { return "value" }
        let rest = words.all.count > 1 ? type(Words(Array(words.all.dropFirst()))) : ""
        let plainRest = rest.hasPrefix("_") && first.last?.isNumber == false ? String(rest.dropFirst()) : rest
        let name = first + plainRest
        return name.first?.isNumber == true ? "_" + name : name
    }

    private func capitalized(_ word: String) -> String {
        if let spelling = spellings[word] { return spelling }
        // The first letter may be after digits, as in `2fa`; then the word stays as it is.
        return word.prefix(1).uppercased() + word.dropFirst()
    }
}

/// The words that code cannot use as they are.
package enum ReservedNames {
    /// Keywords, which need backticks as names of values.
    package static let keywords: Set = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else",
        "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
        "init",
        "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws",
        "true", "try", "typealias", "var", "where", "while", "Any", "Self",
    ]

    /// Types of Swift, Foundation and Moya that generated code and its readers use.
    ///
    /// A type of the document with such a name has the prefix `API`.
    package static let types: Set = [
        "Any", "AnyHashable", "Array", "Authorization", "Basic", "Bearer", "Body", "Bool", "Cache", "Calendar",
        "CalendarDate", "Character", "Codable", "CodingKey", "CodingKeys", "Data", "Date", "Decimal",
        "Decodable", "Decoder", "Default", "Dictionary", "Double", "Encodable", "Encoder", "Endpoint", "Equatable",
        "Error", "ErrorBody", "Field", "Float", "Foundation", "Hashable", "Header", "Headers", "Identifiable",
        "Indirect", "Int", "Int32", "Int64", "JSONDecoder", "JSONEncoder", "JSONValue", "KeyPath", "Method",
        "Moya", "MoyaError", "MoyaMacros", "MoyaProvider", "Multipart", "Names", "Never", "Nullable",
        "NullEncoded", "Optional", "Paged", "Pagination", "Part", "Protocol", "Query", "RawRepresentable", "Request",
        "Response", "Result", "Retry", "Self", "Sendable", "Server", "Session", "Set", "Stream", "String", "Substring",
        "Swift", "TargetType", "Task", "Timeout", "TimeZone", "Type", "UInt", "UnixTime", "URL", "URLRequest",
        "URLSession", "UUID", "Validation", "Void",
    ]

    /// Members that a property or a case cannot be named after, with their replacements.
    package static let members = [
        "self": "itself", "Type": "type", "Protocol": "protocol", "init": "initial", "none": "noneValue",
        "some": "someValue",
    ]

    /// Returns a name in backticks if code needs them.
    package static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }
}
