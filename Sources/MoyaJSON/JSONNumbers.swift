import Foundation

/// The numbers of a JSON text with their places, for the search of a number that a type cannot represent.
struct JSONNumbers {
    /// A number that some numeric type cannot represent.
    struct Number {
        let place: [JSONPlaceKey]
        let range: Range<Int>
    }

    private static let maximumSize = 1_048_576

    private let text: [UInt8]
    /// The numbers except integers from 0 to 127, which every type can represent.
    private(set) var numbers: [Number] = []

    /// Finds the numbers; `nil` if the text is malformed or too large for a search.
    init?(_ data: Data) {
        guard data.count <= Self.maximumSize else { return nil }
        let text = data.withUnsafeBytes { Array($0) }
        let numbers = text.withUnsafeBytes { bytes -> [Number]? in
            var search = Search(scanner: JSONScanner(bytes))
            do throws(JSONReader.NotPlain) {
                try search.visitValue(at: [])
                try search.scanner.finish()
                return search.numbers
            } catch {
                return nil
            }
        }
        guard let numbers else { return nil }
        self.text = text
        self.numbers = numbers
    }

    /// Returns the text with the first numbers replaced by 0.
    func text(replacingFirst count: Int) -> Data {
        var replaced = Data()
        var end = 0
        for number in numbers.prefix(count) {
            replaced.append(contentsOf: text[end..<number.range.lowerBound])
            replaced.append(UInt8(ascii: "0"))
            end = number.range.upperBound
        }
        replaced.append(contentsOf: text[end...])
        return replaced
    }

    private struct Search {
        var scanner: JSONScanner
        var numbers: [Number] = []

        mutating func visitValue(at place: [JSONPlaceKey]) throws(JSONReader.NotPlain) {
            scanner.skipWhitespace()
            switch scanner.reader.current {
            case UInt8(ascii: "{"):
                var hasMember = try scanner.beginObject()
                while hasMember {
                    let name = try scanner.skipName()
                    try visitValue(at: place + [.name(scanner.reader.text(name))])
                    hasMember = try scanner.nextMember()
                }
            case UInt8(ascii: "["):
                var index = 0
                var hasElement = try scanner.beginArray()
                while hasElement {
                    try visitValue(at: place + [.index(index)])
                    index += 1
                    hasElement = try scanner.nextElement()
                }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let start = scanner.reader.position
                try scanner.skipValue(distinctNames: false)
                let range = start..<scanner.reader.position
                let digits = String(decoding: scanner.reader.slice(range), as: UTF8.self)
                if Int8(digits).map({ $0 < 0 }) ?? true { numbers.append(Number(place: place, range: range)) }
            default:
                try scanner.skipValue(distinctNames: false)
            }
        }
    }
}

/// A step to a place in JSON text.
package struct JSONPlaceKey: CodingKey {
    package let stringValue: String
    package let intValue: Int?

    package init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    package init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }

    static func name(_ name: String) -> JSONPlaceKey { JSONPlaceKey(stringValue: name) }
    static func index(_ index: Int) -> JSONPlaceKey { JSONPlaceKey(intValue: index) }
}

extension JSONDecoder {
    /// Returns the error of a failed decoding, with the place of the number that a type cannot represent.
    ///
    /// For `{"count": 1.5}` and an `Int`, Foundation throws the error for malformed text, without a place. This function finds the
    /// number: it decodes the text again with some numbers replaced.
    ///
    /// - Parameters:
    ///   - error: The error of the decoding.
    ///   - type: The decoded type.
    ///   - data: The decoded text.
    /// - Returns: An error with a place, whose underlying error is the original one; or the original error.
    package func locating<Value: Decodable>(
        _ error: any Error,
        decoding type: Value.Type,
        from data: Data
    ) -> any Error {
        // With user information, `init(from:)` may have side effects and must not be called again.
        guard error.isDataCorruptedWithoutPlace, userInfo.isEmpty, let numbers = JSONNumbers(data) else { return error }
        func fails(replacingFirst count: Int) -> Bool {
            do {
                _ = try decode(type, from: numbers.text(replacingFirst: count))
                return false
            } catch {
                return error.isDataCorruptedWithoutPlace
            }
        }
        var (failing, working) = (0, numbers.numbers.count)
        guard working > 0, !fails(replacingFirst: working) else { return error }
        while working - failing > 1 {
            let middle = (failing + working) / 2
            if fails(replacingFirst: middle) { failing = middle } else { working = middle }
        }
        return DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: numbers.numbers[failing].place,
                debugDescription: "The type of the value cannot represent the number.",
                underlyingError: error
            )
        )
    }
}

extension Error {
    fileprivate var isDataCorruptedWithoutPlace: Bool {
        if case DecodingError.dataCorrupted(let context) = self as any Error {
            context.codingPath.isEmpty
        } else {
            false
        }
    }
}
