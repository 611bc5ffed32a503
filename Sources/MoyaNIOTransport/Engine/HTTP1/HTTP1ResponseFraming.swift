import HTTPTypes

/// The framing of a response according to its header fields: the end of the body, and whether the connection
/// persists.
struct HTTP1ResponseFraming: Sendable {
    enum Body: Equatable, Sendable {
        /// The body has this length, which may be 0.
        case length(Int64)
        case chunked
        /// The body ends with the connection.
        case untilClose
    }

    private enum Length: Equatable, Sendable { case missing, invalid, bytes(Int64) }

    private var length = Length.missing
    private var codings: [String] = []
    private var hasTransferEncoding = false
    /// Whether `Transfer-Encoding` has only one element.
    ///
    /// Implementations agree about the end of such a body only.
    private var isPlainCoding: Bool { codings.count == 1 }
    private var saysClose = false
    private var saysKeepAlive = false
    /// The `timeout` of `Keep-Alive` (RFC 2068, section 19.7.1.1), at most a day.
    private(set) var keepAliveTime: Duration?

    /// The names of the fields that affect framing.
    static var names: ScannedFieldNames { [.connection, .keepAlive, .contentLength, .transferEncoding] }

    /// Handles a field that affects framing; others are ignored.
    mutating func take(_ field: HTTPField) {
        let name = ScannedFieldNames(of: field.name)
        if !name.isDisjoint(with: Self.names) { take(name, field.value) }
    }

    /// Handles the value of a field that affects framing, in which there are no control characters.
    ///
    /// The usual values are recognized by their bytes, without a text.
    mutating func take(_ name: ScannedFieldNames, _ value: UnsafeRawBufferPointer) {
        switch name {
        case .connection where value.isEqual(to: "keep-alive"): saysKeepAlive = true
        case .connection where value.isEqual(to: "close"): saysClose = true
        case .contentLength where !value.contains(.comma): takeLength(value)
        default: take(name, String(decoding: value, as: UTF8.self))
        }
    }

    private mutating func take(_ name: ScannedFieldNames, _ value: String) {
        switch name {
        case .connection:
            for token in value.lowercasedListElements {
                if token == "close" { saysClose = true }
                if token == "keep-alive" { saysKeepAlive = true }
            }
        case .keepAlive:
            for parameter in value.lowercased().split(separator: ",") {
                let parts = parameter.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0].withoutOptionalWhitespace == "timeout" else { continue }
                let text = parts[1].withoutOptionalWhitespace
                guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { continue }
                keepAliveTime = .seconds(min(Int(text) ?? .max, 86_400))
            }
        case .contentLength:
            for text in value.split(separator: ",", omittingEmptySubsequences: false) {
                takeLength(text.withoutOptionalWhitespace.utf8)
            }
        case .transferEncoding:
            hasTransferEncoding = true
            codings += value.lowercasedListElements
        default: break
        }
    }

    /// Handles a value of Content-Length.
    ///
    /// Several equal values are valid (RFC 9110, section 8.6).
    private mutating func takeLength(_ digits: some Collection<UInt8>) {
        var number: Int64 = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return length = .invalid }
            let (product, overflows) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = product.addingReportingOverflow(Int64(digit - 0x30))
            guard !overflows, !overflowsToo else { return length = .invalid }
            number = sum
        }
        guard !digits.isEmpty, length == .missing || length == .bytes(number) else { return length = .invalid }
        length = .bytes(number)
    }

    /// Returns the framing of the body (RFC 9112, section 6.3).
    func body() throws(HTTP1ResponseError) -> Body {
        if hasTransferEncoding {
            // `identity` was a coding in RFC 2616, section 3.6, and means none. A body is chunked once, whatever the
            // number of parties that have added `chunked`. curl and Node.js read these lists, too.
            let last = codings.drop { $0 == "identity" }
            if !last.isEmpty, last.allSatisfy({ $0 == "chunked" }) { return .chunked }
            // A body whose last coding is not chunked ends with the connection.
            if last.isEmpty, !codings.isEmpty { return .untilClose }
            throw .unsupportedTransferCoding(String(codings.joined(separator: ", ").prefix(100)))
        }
        return switch length {
        case .missing: .untilClose
        case .bytes(let count): .length(count)
        case .invalid: throw .invalidContentLength
        }
    }

    /// Returns whether the connection persists (RFC 9112, section 9.3).
    ///
    /// A response with both a transfer coding and a length, or with a coding in HTTP/1.0, may be the result of
    /// an attack on the framing (section 6.1). Implementations disagree about the end of a body with a list of
    /// codings, so that another response must not follow it.
    func isPersistent(isHTTP10: Bool) -> Bool {
        if saysClose || hasTransferEncoding && (isHTTP10 || length != .missing || !isPlainCoding) { return false }
        return !isHTTP10 || saysKeepAlive
    }

    private static let resembledNames: Set<String> = ["content-length", "transfer-encoding"]
    private static let letters: Set<String> = Set(resembledNames.map { $0.filter { $0 != "-" } })

    /// Returns whether others could read an invalid field name as one that determines the framing: a part of it between other
    /// characters is such a name, or its letters alone are.
    static func isResembled(by name: UnsafeRawBufferPointer) -> Bool {
        let parts = name.split { !$0.isToken }
        return parts.contains { resembledNames.contains(String(decoding: $0, as: UTF8.self).lowercased()) }
            || letters.contains(String(decoding: name.filter(\.isLetter), as: UTF8.self).lowercased())
    }
}
