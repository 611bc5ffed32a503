import Foundation

/// The nesting and completeness of JSON, determined from brackets and quotes only.
///
/// It is checked before decoding, which would exhaust the stack for deeply nested JSON.
struct JSONShape: Equatable, Sendable {
    /// The maximum nesting.
    private(set) var depth = 0
    /// Whether the JSON ends inside of an object, an array or a string.
    private(set) var isCut = false

    /// Scans the data, and stops at the first bracket beyond the limit.
    init(_ data: Data, limit: Int) {
        var open = 0
        var isInText = false
        var isEscaped = false
        data.withUnsafeBytes { bytes in
            for byte in bytes {
                if isInText {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == UInt8(ascii: "\\") {
                        isEscaped = true
                    } else if byte == UInt8(ascii: "\"") {
                        isInText = false
                    }
                    continue
                }
                switch byte {
                case UInt8(ascii: "\""): isInText = true
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    open += 1
                    depth = max(depth, open)
                    if depth > limit { return }
                case UInt8(ascii: "}"), UInt8(ascii: "]"): open -= 1
                default: break
                }
            }
        }
        isCut = isInText || open > 0
    }
}
