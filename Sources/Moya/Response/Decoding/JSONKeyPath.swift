import Foundation

/// A way into a JSON value: names separated by dots.
package struct JSONKeyPath: Sendable {
    private let names: [Substring]

    package init(_ text: String) { names = text.split(separator: ".", omittingEmptySubsequences: false) }

    /// What is at the end of the way; `nil` if the way does not lead there.
    ///
    /// A dictionary is descended into; an array gives what each of its elements has, all of them or nothing.
    func value(in json: Any) -> Any? { Self.value(in: json, names: names[...]) }

    /// A JSON value as what an object has at the end of the way.
    ///
    /// - Throws: Foundation's error for a name that can't be written in JSON.
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
