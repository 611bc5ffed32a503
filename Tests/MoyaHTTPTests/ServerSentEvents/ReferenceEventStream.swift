import Foundation

@testable import MoyaHTTP

/// A slow and simple implementation of the standard, which parses the text of a whole stream.
enum ReferenceEventStream {
    static func parse(_ stream: Data) -> ParsedStream {
        var result = ParsedStream()
        var data = ""
        var type = ""
        var id = ""
        var blockHasID = false
        for line in lines(of: stream) {
            if line.isEmpty {
                result.lastEventID = id
                if !data.isEmpty {
                    data.unicodeScalars.removeLast()
                    result.outputs.append(.event(data, type.isEmpty ? "message" : type, id: id))
                } else if blockHasID {
                    result.outputs.append(.lastEventID(id))
                }
                (data, type, blockHasID) = ("", "", false)
                continue
            }
            let colon = line.firstIndex(of: ":")
            let field = text(line[..<(colon ?? line.endIndex)])
            var scalars = colon.map { line[($0 + 1)...] } ?? []
            if scalars.first == " " { scalars.removeFirst() }
            let value = text(scalars)
            if field == "data" {
                data += value
                data += "\n"
            } else if field == "event" {
                type = value
            } else if field == "id", !scalars.contains("\0") {
                id = value
                blockHasID = true
            } else if field == "retry", !value.isEmpty, scalars.allSatisfy({ ("0"..."9").contains($0) }) {
                // The longest duration, a year, has fewer digits.
                let digits = value.drop { $0 == "0" }
                let year = 365 * 24 * 3_600 * 1_000
                let milliseconds = digits.count > 15 ? year : Int(digits) ?? 0
                result.outputs.append(.retry(.milliseconds(min(milliseconds, year))))
            }
        }
        return result
    }

    /// Returns the complete lines, split by scalars because CR LF is one character in Swift.
    private static func lines(of stream: Data) -> [[Unicode.Scalar]] {
        var scalars = Array(String(decoding: stream, as: UTF8.self).unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        var lines: [[Unicode.Scalar]] = []
        var line: [Unicode.Scalar] = []
        for (index, scalar) in scalars.enumerated() {
            switch scalar {
            case "\n" where index > 0 && scalars[index - 1] == "\r":
                break
            case "\n", "\r":
                lines.append(line)
                line = []
            default:
                line.append(scalar)
            }
        }
        return lines
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }
}
