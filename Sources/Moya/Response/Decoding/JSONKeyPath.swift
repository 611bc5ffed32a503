import Foundation

/// A path into a JSON value: names separated by dots.
package struct JSONKeyPath: Sendable {
    private let names: [Substring]

    package init(_ text: String) { names = text.split(separator: ".", omittingEmptySubsequences: false) }

    /// Returns the value at the path; `nil` if there is none.
    ///
    /// In an array the rest of the path is applied to each element; the result is `nil` unless all elements have a
    /// value.
    func value(in json: Any) -> Any? { Self.value(in: json, names: names[...]) }

    /// Wraps a JSON value in nested objects so that it is at this path.
    ///
    /// - Throws: Foundation's error for a name that cannot be encoded as JSON.
    package func nesting(_ json: Data) throws -> Data {
        try names.reversed().reduce(json) { json, name in
            try Data("{".utf8) + JSONEncoder().encode(String(name)) + Data(":".utf8) + json + Data("}".utf8)
        }
    }

    private static func value(in json: Any, names: ArraySlice<Substring>) -> Any? {
        guard let name = names.first else { return json }
        if let dictionary = json as? [String: Any] {
            return dictionary[String(name)].flatMap { value(in: $0, names: names.dropFirst()) }
        }
        if let array = json as? [Any] {
            let values = array.compactMap { value(in: $0, names: names) }
            return values.count == array.count ? values : nil
        }
        return nil
    }
}
