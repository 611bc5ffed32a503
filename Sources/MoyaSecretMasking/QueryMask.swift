/// A mask for the values of secret parameters in URLs and forms, including percent-encoded URLs within other URLs.
///
/// The mask removes user names and passwords, does not change other bytes, and takes linear time.
struct QueryMask {
    enum Kind {
        /// A form (`application/x-www-form-urlencoded`), where only `&` ends a value.
        case form
        /// A URL, where `&` and `#` end a value.
        case url
        /// A text that contains URLs, where characters that are not allowed in a URL end a value, too.
        case text
        /// A complete text that may be a form or a URL, such as a JSON string.
        case value
    }

    let names: SecretNames
    let found: FoundSecrets?

    /// Returns the masked bytes; `nil` if there is nothing to mask.
    func masking(_ bytes: [UInt8], as kind: Kind) -> [UInt8]? {
        let text = EscapedBytes(bytes: bytes)
        var output = Masked(bytes)
        var position = 0
        // The depth and the place of the delimiter before a name that may start at the position; `nil` if no name starts there.
        var start: (depth: Int, place: SecretNames.Place)? =
            switch kind {
            case .form: (0, .query)
            case .value: (0, .other)
            case .url, .text: nil
            }
        // Before this position, the search has found no name. Another search from each line of a form would take quadratic time.
        var nameless = 0
        var isAfterSlash = false
        lazy var isSigned = hasSignature(text, kind)
        while position < bytes.count {
            if let (depth, place) = start, position >= nameless {
                start = nil
                let (name, equals, end) = name(in: text, from: position, kind)
                if equals == nil { nameless = end }
                if let equals {
                    let name = String(decoding: name, as: UTF8.self)
                    let isSecret =
                        !names.isEmpty
                        && (names.isSecret(name, in: place)
                            || place == .query
                                && names.isSecret(name, value: bytes[equals.end...], isSigned: isSigned))
                    if isSecret {
                        let end = endOfValue(in: text, from: equals.end, min(depth, equals.depth), kind)
                        found?.add(bytes[equals.end..<end])
                        output.mask(equals.end..<end)
                        position = end
                    } else {
                        position = equals.end
                        // The value may be a form.
                        start = (equals.depth, .other)
                    }
                    isAfterSlash = false
                    continue
                }
            }
            let token = text.token(at: position)
            let isSlash = token.byte == UInt8(ascii: "/")
            if isSlash, isAfterSlash, let users = users(in: text, from: token.end) {
                found?.addUser(bytes[users.lowerBound..<(users.upperBound - 1)])
                output.remove(users)
                position = users.upperBound
                isAfterSlash = false
                continue
            }
            isAfterSlash = isSlash
            switch token.byte {
            case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"): start = (token.depth, .query)
            case UInt8(ascii: ";"): start = (token.depth, .other)
            case 0x0A, 0x0D: if kind == .form { start = (token.depth, .query) }
            default: break
            }
            position = token.end
        }
        return output.result
    }

    /// Returns whether a parameter of the text is a signature.
    private func hasSignature(_ text: EscapedBytes, _ kind: Kind) -> Bool {
        var position = 0
        var isAtName = kind == .form || kind == .value
        while position < text.bytes.count {
            if isAtName {
                let (name, equals, _) = name(in: text, from: position, kind)
                if equals != nil, names.isSignature(String(decoding: name, as: UTF8.self)) { return true }
            }
            let token = text.token(at: position)
            isAtName = [UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#")].contains(token.byte)
            position = token.end
        }
        return false
    }

    /// Returns a name, the `=` after it, and the position at which the search ended.
    private func name(
        in text: EscapedBytes,
        from start: Int,
        _ kind: Kind
    ) -> (name: [UInt8], equals: EscapedBytes.Token?, end: Int) {
        var name: [UInt8] = []
        var position = start
        while position < text.bytes.count {
            let token = text.token(at: position)
            switch token.byte {
            case UInt8(ascii: "="): return (name, token, position)
            case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: ";"), UInt8(ascii: "/"):
                return (name, nil, position)
            case 0x0A where kind == .form, 0x0D where kind == .form: name = []
            case let byte where token.depth == 0 && byte.endsURL && kind == .text: return (name, nil, position)
            case UInt8(ascii: "+"): name.append(0x20)
            default: name.append(token.byte)
            }
            position = token.end
        }
        return (name, nil, position)
    }

    /// Returns the end of a value.
    ///
    /// If the end is ambiguous, the last possible one is returned, so that the mask covers the whole value.
    private func endOfValue(in text: EscapedBytes, from start: Int, _ depth: Int, _ kind: Kind) -> Int {
        var position = start
        while position < text.bytes.count {
            let token = text.token(at: position)
            switch token.byte {
            case UInt8(ascii: "&") where token.depth <= depth: return position
            case UInt8(ascii: "#") where token.depth <= depth && (kind == .url || kind == .text): return position
            case let byte where kind == .text && token.depth == 0 && byte.endsURL: return position
            default: position = token.end
            }
        }
        return position
    }

    /// Returns the range of the user information, including the `@`, at the start of an authority; `nil` if there is none.
    private func users(in text: EscapedBytes, from start: Int) -> Range<Int>? {
        var end: Int?
        var position = start
        while position < text.bytes.count {
            let token = text.token(at: position)
            switch token.byte {
            case UInt8(ascii: "@"): end = token.end
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "<"),
                UInt8(ascii: ">"), UInt8(ascii: ","), UInt8(ascii: "&"), 0...0x20:
                return end.map { start..<$0 }
            default: break
            }
            position = token.end
        }
        return end.map { start..<$0 }
    }
}

/// The result of replacing ranges of bytes.
struct Masked {
    static let placeholder = Array(SecretMask.placeholder.utf8)

    private let bytes: [UInt8]
    private var output: [UInt8] = []
    private var copied = 0
    private var isChanged = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Replaces a range, which must be after all earlier ones.
    mutating func replace(_ range: Range<Int>, with other: some Collection<UInt8>) {
        if bytes[range].elementsEqual(other) { return }
        output += bytes[copied..<range.lowerBound]
        output += other
        copied = range.upperBound
        isChanged = true
    }

    mutating func mask(_ range: Range<Int>) { replace(range, with: Self.placeholder) }

    mutating func remove(_ range: Range<Int>) { replace(range, with: []) }

    /// The bytes with all replacements; `nil` if there are none.
    var result: [UInt8]? { isChanged ? output + bytes[copied...] : nil }
}
