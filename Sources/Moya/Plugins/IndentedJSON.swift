import Foundation

/// JSON with a line for each value, for reading.
///
/// It only moves white space: what a parser would lose, the order of keys and the spelling of numbers, stays.
struct IndentedJSON {
    let text: String

    /// Deeper values are not indented further, so that the text stays in proportion to the data.
    private static let maximumIndentation = 32

    /// `nil` if the data is no JSON in UTF-8.
    init?(_ data: Data) {
        guard (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil else { return nil }
        // A NUL is in none that is UTF-8, and in most that is UTF-16.
        guard String(data: data, encoding: .utf8) != nil, !data.contains(0) else { return nil }
        var indenter = Indenter()
        for byte in data { indenter.add(byte) }
        text = String(decoding: indenter.output, as: UTF8.self)
    }

    /// Goes through valid JSON byte by byte.
    private struct Indenter {
        var output: [UInt8] = []
        private var depth = 0
        private var isInString = false
        private var isEscaped = false
        /// Whether the last byte opened an object or an array that may turn out to be empty.
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
