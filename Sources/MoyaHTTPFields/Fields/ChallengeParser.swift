/// A parser for `WWW-Authenticate` and `Proxy-Authenticate` (RFC 9110, section 11.6.1) and the parameters of
/// `Authentication-Info` (section 11.6.3).
///
/// The parser is lenient, like browsers, where that is harmless: it skips an invalid list element and keeps the others.
/// Values that are neither tokens nor quoted strings extend to the comma. Commas between parameters may be missing,
/// but not the comma before a scheme. Truncated elements and values with control characters are dropped.
package enum ChallengeParser {
    /// The maximum number of bytes to parse in all values together.
    ///
    /// Supported challenges are much shorter.
    package static let maximumLength = 65_536
    /// The maximum number of challenges to parse.
    package static let maximumChallenges = 32
    /// The maximum number of parameters of a challenge to parse.
    package static let maximumParameters = 64

    /// Returns the challenges in the order received; `values` has an element for each header line
    /// (``FieldText/storable``).
    package static func challenges(in values: [String]) -> [AuthenticationChallenge] {
        var challenges: [AuthenticationChallenge] = []
        var budget = maximumLength
        for value in values where budget > 0 && challenges.count < maximumChallenges {
            let value = FieldText(storable: value).bytes
            let bytes = value.prefix(budget)
            budget -= bytes.count
            var list = ChallengeList(bytes, isCut: bytes.endIndex != value.endIndex)
            list.read(atMost: maximumChallenges - challenges.count)
            challenges += list.challenges
        }
        return challenges
    }

    /// Returns the parameters of a header without a scheme, in the order received.
    package static func parameters(in values: [String]) -> [AuthenticationChallenge.Parameter] {
        var parameters: [AuthenticationChallenge.Parameter] = []
        var budget = maximumLength
        for value in values where budget > 0 && parameters.count < maximumParameters {
            let value = FieldText(storable: value).bytes
            let bytes = value.prefix(budget)
            budget -= bytes.count
            var list = ChallengeList(bytes, isCut: bytes.endIndex != value.endIndex, hasSchemes: false)
            list.read(atMost: 1)
            parameters += list.challenges.first?.parameters ?? []
        }
        return Array(parameters.prefix(maximumParameters))
    }
}

/// The parsing state of one header value.
private struct ChallengeList {
    private(set) var challenges: [AuthenticationChallenge] = []
    private var reader: FieldReader
    private let isCut: Bool
    private let hasSchemes: Bool
    /// The scheme of the challenge whose parameters are being parsed.
    private var scheme: String?
    private var token68: String?
    private var parameters: [AuthenticationChallenge.Parameter] = []

    init(_ bytes: some Sequence<UInt8>, isCut: Bool, hasSchemes: Bool = true) {
        reader = FieldReader(bytes)
        self.isCut = isCut
        self.hasSchemes = hasSchemes
        scheme = hasSchemes ? nil : ""
    }

    mutating func read(atMost limit: Int) {
        var isAfterComma = true
        while !reader.isAtEnd, challenges.count < limit {
            reader.skipSpace()
            if reader.skipIf(.comma) {
                isAfterComma = true
                continue
            }
            readElement(canBeScheme: isAfterComma && hasSchemes)
            isAfterComma = false
        }
        endChallenge()
        challenges = Array(challenges.prefix(limit))
    }

    /// Reads a scheme with its optional token68, or a parameter of the current scheme.
    private mutating func readElement(canBeScheme: Bool) {
        let name = reader.take(while: \.isToken)
        guard !name.isEmpty else { return reader.skipElement() }
        let isBeforeSpace = reader.next?.isFieldSpace ?? true
        reader.skipSpace()
        if reader.skipIf(.equals) {
            readValue(of: String(decoding: name, as: UTF8.self))
        } else if canBeScheme, isBeforeSpace || reader.next == .comma {
            endChallenge()
            if isCut, reader.isAtEnd { return }
            scheme = String(decoding: name, as: UTF8.self)
            token68 = reader.takeToken68()
            if isCut, reader.isAtEnd { token68 = nil }
        } else {
            reader.skipElement()
        }
    }

    private mutating func readValue(of name: String) {
        reader.skipSpace()
        let value: [UInt8]?
        if reader.skipIf(.quote) {
            let quoted = reader.takeQuoted()
            value = quoted.isTerminated ? quoted.content : nil
        } else {
            var text = reader.take { $0 != .comma }
            while text.last?.isFieldSpace == true { text.removeLast() }
            value = isCut && reader.isAtEnd ? nil : Array(text)
        }
        guard let value, scheme != nil, parameters.count < ChallengeParser.maximumParameters else { return }
        // The client sends some values back, so they must not break a header line.
        guard !value.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else { return }
        parameters.append(.init(name: name, text: FieldText(bytes: value)))
    }

    private mutating func endChallenge() {
        guard let scheme else { return }
        challenges.append(AuthenticationChallenge(scheme: scheme, token68: token68, parameters: parameters))
        (self.scheme, token68, parameters) = (nil, nil, [])
    }
}

/// A challenge of a `WWW-Authenticate` or `Proxy-Authenticate` header (RFC 9110, section 11.3).
///
/// A response may contain several challenges; the client responds to the one it prefers.
package struct AuthenticationChallenge: Equatable, Sendable {
    /// A parameter, such as `realm="files"`.
    package struct Parameter: Equatable, Sendable {
        /// The name as received.
        ///
        /// Names are case-insensitive.
        package let name: String
        /// The value with its bytes, without quotes and escapes.
        package let text: FieldText

        /// The value, without quotes and escapes.
        package var value: String { text.text }

        /// Creates a parameter.
        package init(name: String, value: String) { self.init(name: name, text: FieldText(value)) }

        /// Creates a parameter with the bytes of a value.
        package init(name: String, text: FieldText) {
            self.name = name
            self.text = text
        }

        /// Returns whether the values are equal and the names are equal ignoring case.
        package static func == (lhs: Parameter, rhs: Parameter) -> Bool {
            lhs.text == rhs.text && lhs.name.lowercased() == rhs.name.lowercased()
        }
    }

    /// The scheme as received, such as `Digest`.
    ///
    /// Schemes are case-insensitive.
    package let scheme: String
    /// The `token68` that some schemes have instead of parameters (RFC 9110, section 11.2), as in
    /// `Negotiate oYG8MIG5o`.
    package let token68: String?
    /// The parameters in the order received, including duplicates.
    package let parameters: [Parameter]

    /// Creates a challenge, for tests and custom schemes.
    package init(scheme: String, token68: String? = nil, parameters: [Parameter] = []) {
        self.scheme = scheme
        self.token68 = token68
        self.parameters = parameters
    }

    /// The realm: the name of the protection space (RFC 9110, section 11.5).
    package var realm: String? { self["realm"] }

    /// Returns the value of the first parameter with this name, ignoring case.
    ///
    /// A name that occurs twice is an error of the server.
    package subscript(name: String) -> String? { self[text: name]?.text }

    /// Returns the value of the first parameter with this name, ignoring case, with its bytes.
    package subscript(text name: String) -> FieldText? {
        let name = name.lowercased()
        return parameters.first { $0.name.lowercased() == name }?.text
    }

    /// Returns whether the challenge has this scheme, ignoring case.
    package func isScheme(_ name: String) -> Bool { scheme.lowercased() == name.lowercased() }

    /// Returns whether the challenges are equal; scheme and parameter names are compared ignoring case.
    package static func == (lhs: AuthenticationChallenge, rhs: AuthenticationChallenge) -> Bool {
        lhs.isScheme(rhs.scheme) && lhs.token68 == rhs.token68 && lhs.parameters == rhs.parameters
    }
}
