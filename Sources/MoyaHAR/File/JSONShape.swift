import Foundation

/// Looks at brackets and quotes only, before a decoder takes the text apart: it must neither be nested so deep that
/// decoding it fills the stack, nor be cut.
struct JSONShape: Equatable, Sendable {
    /// The deepest nesting.
    private(set) var depth = 0
    /// Whether it ends inside of an object, a list or a text.
    private(set) var isCut = false

    /// Stops at the first bracket beyond the limit.
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
