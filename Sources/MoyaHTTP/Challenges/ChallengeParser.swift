/// A parser for `WWW-Authenticate` and `Proxy-Authenticate` (RFC 9110, section 11.6.1) and the parameters of
/// `Authentication-Info` (section 11.6.3).
///
/// It is as lenient as browsers where that is harmless: an invalid list element is skipped and the others are kept.
/// Values that are neither tokens nor quoted strings extend to the comma. Commas between parameters may be missing,
/// but not the comma before a scheme. Truncated elements and values with control characters are dropped.
package enum ChallengeParser {
    /// The maximum number of bytes to parse, over all values together.
    ///
    /// Supported challenges are much shorter.
    package static let maximumLength = 65_536
    /// The maximum number of challenges to parse.
    package static let maximumChallenges = 32
    /// The maximum number of parameters of a challenge to parse.
    package static let maximumParameters = 64

    /// Returns the challenges in the order received; `values` has an element for each header line.
    package static func challenges(in values: [String]) -> [AuthenticationChallenge] {
        var challenges: [AuthenticationChallenge] = []
        var budget = maximumLength
        for value in values where budget > 0 && challenges.count < maximumChallenges {
            let bytes = value.utf8.prefix(budget)
            budget -= bytes.count
            var list = ChallengeList(bytes, isCut: bytes.endIndex != value.utf8.endIndex)
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
            let bytes = value.utf8.prefix(budget)
            budget -= bytes.count
            var list = ChallengeList(bytes, isCut: bytes.endIndex != value.utf8.endIndex, hasSchemes: false)
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
            if reader.pass(.comma) {
                isAfterComma = true
                continue
            }
            readElement(mayBeScheme: isAfterComma && hasSchemes)
            isAfterComma = false
        }
        endChallenge()
        challenges = Array(challenges.prefix(limit))
    }

    /// Reads a scheme with its optional token68, or a parameter of the current scheme.
    private mutating func readElement(mayBeScheme: Bool) {
        let name = reader.take(while: \.isToken)
        guard !name.isEmpty else { return reader.skipElement() }
        let isBeforeSpace = reader.next?.isFieldSpace ?? true
        reader.skipSpace()
        if reader.pass(UInt8(ascii: "=")) {
            readValue(of: String(decoding: name, as: UTF8.self))
        } else if mayBeScheme, isBeforeSpace || reader.next == .comma {
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
        if reader.pass(.quote) {
            value = reader.takeQuoted()
        } else {
            var text = reader.take { $0 != .comma }
            while text.last?.isFieldSpace == true { text.removeLast() }
            value = isCut && reader.isAtEnd ? nil : Array(text)
        }
        guard let value, scheme != nil, parameters.count < ChallengeParser.maximumParameters else { return }
        // Values are sent back, so they must not break a header line.
        guard !value.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else { return }
        parameters.append(.init(name: name, value: String(decoding: value, as: UTF8.self)))
    }

    private mutating func endChallenge() {
        guard let scheme else { return }
        challenges.append(AuthenticationChallenge(scheme: scheme, token68: token68, parameters: parameters))
        (self.scheme, token68, parameters) = (nil, nil, [])
    }
}
