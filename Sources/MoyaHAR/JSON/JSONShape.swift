import Foundation

/// The nesting and completeness of JSON, determined from brackets and quotes only.
///
/// The shape is checked first, because decoding deeply nested JSON would exhaust the stack.
struct JSONShape: Equatable, Sendable {
    /// The deepest nesting that the scan found.
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
