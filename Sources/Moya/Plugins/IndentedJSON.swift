import Foundation

/// JSON text with one line for each value.
///
/// Only white space is changed, so the order of keys and the spelling of numbers are kept.
struct IndentedJSON {
    let text: String

    /// The maximum indentation, which keeps the text in proportion to the data.
    private static let maximumIndentation = 32

    /// Formats the data; `nil` if it is not JSON in UTF-8.
    init?(_ data: Data) {
        guard (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil else { return nil }
        // JSON in UTF-8 never contains NUL; in UTF-16 it nearly always does.
        guard String(data: data, encoding: .utf8) != nil, !data.contains(0) else { return nil }
        var indenter = Indenter()
        for byte in data { indenter.add(byte) }
        text = String(decoding: indenter.output, as: UTF8.self)
    }

    /// Processes valid JSON byte by byte.
    private struct Indenter {
        var output: [UInt8] = []
        private var depth = 0
        private var isInString = false
        private var isEscaped = false
        /// Whether the last byte opened an object or an array, which is empty if the next byte closes it.
        private var hasOpened = false

        mutating func add(_ byte: UInt8) {
            if isInString {
                output.append(byte)
                let ends = byte == UInt8(ascii: "\"") && !isEscaped
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                isInString = !ends
                return
            }
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                break
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if hasOpened { hasOpened = false } else { breakLine() }
                output.append(byte)
            default:
                if hasOpened {
                    hasOpened = false
                    breakLine()
                }
                output.append(byte)
                follow(byte)
            }
        }

        private mutating func follow(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: "\""):
                isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                hasOpened = true
            case UInt8(ascii: ","):
                breakLine()
            case UInt8(ascii: ":"):
                output.append(UInt8(ascii: " "))
            default:
                break
            }
        }

        private mutating func breakLine() {
            output.append(UInt8(ascii: "\n"))
            let width = 2 * min(max(0, depth), IndentedJSON.maximumIndentation)
            output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: width))
        }
    }
}
