import Foundation

/// A path into a JSON value: names separated by dots.
package struct JSONKeyPath: Sendable {
    private let names: [String]

    package init(_ text: String) {
        let names = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        self.names = names.map { String(Substring($0)) }
    }

    /// Creates the path of a member whose name may contain dots.
    package init(name: String) { names = [name] }

    /// Returns the value at the path; `nil` if there is none.
    ///
    /// In an array the rest of the path is applied to each element; the result is `nil` unless all elements have a
    /// value.
    package func value(in json: Any) -> Any? { Self.value(in: json, names: names[...]) }

    /// Wraps a JSON value in nested objects so that it is at this path.
    ///
    /// - Throws: Foundation's error for a name that cannot be encoded as JSON.
    package func nesting(_ json: Data) throws -> Data {
        try names.reversed().reduce(json) { json, name in
            try Data("{".utf8) + JSONEncoder().encode(name) + Data(":".utf8) + json + Data("}".utf8)
        }
    }

    /// Returns the part of JSON text at the path, as ``value(in:)`` finds it; `nil` if there is none.
    ///
    /// Text that is not plain, such as malformed text, is left to Foundation's parser.
    ///
    /// - Throws: Foundation's error if the data is not JSON.
    package func part(of text: Data) throws -> Data? {
        do {
            return try plainPart(of: text)
        } catch {
            return try partByFoundation(of: text)
        }
    }

    func partByFoundation(of text: Data) throws -> Data? {
        let json = try JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)
        return try value(in: json).map { try JSONSerialization.data(withJSONObject: $0, options: .fragmentsAllowed) }
    }

    /// Returns the part of JSON text without building the values in it.
    func plainPart(of text: Data) throws(JSONReader.NotPlain) -> Data? {
        let result: Result<Data?, JSONReader.NotPlain> = text.withUnsafeBytes { bytes in
            var search = Search(scanner: JSONScanner(bytes))
            do throws(JSONReader.NotPlain) {
                let isFound = try search.findValue(at: names[...])
                try search.scanner.finish()
                return .success(isFound ? search.found : nil)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func value(in json: Any, names: ArraySlice<String>) -> Any? {
        guard let name = names.first else { return json }
        if let dictionary = json as? [String: Any] {
            return dictionary[name].flatMap { value(in: $0, names: names.dropFirst()) }
        }
        if let array = json as? [Any] {
            let values = array.compactMap { value(in: $0, names: names) }
            return values.count == array.count ? values : nil
        }
        return nil
    }

    /// A search in JSON text, which continues to the end of the text to check all of it.
    private struct Search {
        var scanner: JSONScanner
        /// The JSON text of the values found.
        private(set) var found = Data()

        init(scanner: JSONScanner) { self.scanner = scanner }

        /// Skips a value, and appends its part at a path to `found`.
        ///
        /// - Returns: Whether there is a value at the path.
        mutating func findValue(at names: ArraySlice<String>) throws(JSONReader.NotPlain) -> Bool {
            scanner.skipWhitespace()
            guard let name = names.first else {
                let start = scanner.reader.position
                try scanner.skipValue(distinctNames: true)
                found.append(contentsOf: scanner.reader.slice(start..<scanner.reader.position))
                return true
            }
            switch scanner.reader.current {
            case UInt8(ascii: "{"): return try findMember(name, rest: names.dropFirst())
            case UInt8(ascii: "["): return try findInElements(names)
            default:
                try scanner.skipValue(distinctNames: false)
                return false
            }
        }

        private mutating func findMember(
            _ name: String,
            rest: ArraySlice<String>
        ) throws(JSONReader.NotPlain) -> Bool {
            var isThere = false
            var isFound = false
            var hasMember = try scanner.beginObject()
            while hasMember {
                let next = try scanner.skipName()
                if scanner.reader.text(next) == name {
                    // Parsers select different values of a repeated name.
                    guard !isThere else { throw JSONReader.NotPlain() }
                    isThere = true
                    isFound = try findValue(at: rest)
                } else {
                    try scanner.skipValue(distinctNames: false)
                }
                hasMember = try scanner.nextMember()
            }
            return isFound
        }

        private mutating func findInElements(_ names: ArraySlice<String>) throws(JSONReader.NotPlain) -> Bool {
            var isFoundInAll = true
            found.append(UInt8(ascii: "["))
            var hasElement = try scanner.beginArray()
            while hasElement {
                let isFound = try findValue(at: names)
                isFoundInAll = isFoundInAll && isFound
                hasElement = try scanner.nextElement()
                if hasElement { found.append(UInt8(ascii: ",")) }
            }
            found.append(UInt8(ascii: "]"))
            return isFoundInAll
        }
    }
}
