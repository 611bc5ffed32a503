import Foundation
import MoyaHAR

/// The values of a query or a form by name, unescaped.
///
///     #expect(request.query["page"] == "2")
///     #expect(request.query == ["page": "2", "sort": "name"])
///
/// The values are unmasked, and are compared by their bytes. Only the description masks secrets.
public struct NamedValues: Sendable, Hashable {
    /// A name and its value.
    public struct Item: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value; empty if the name has no value.
        public let value: String
    }

    /// All names and values, in order.
    public let items: [Item]
    private let secrets: HARSecrets

    /// Parses a query without its question mark.
    init(_ query: String, secrets: HARSecrets) {
        items = URLParts.parseItems(of: query).map { Item(name: $0.name, value: $0.value) }
        self.secrets = secrets
    }

    /// The names without duplicates, sorted.
    public var names: [String] { Set(items.map(\.name)).sorted() }

    /// Returns the first value of a name.
    public subscript(name: String) -> String? { items.first { $0.name.isExactly(name) }?.value }

    /// Returns all values of a name, in order.
    public subscript(all name: String) -> [String] { items.filter { $0.name.isExactly(name) }.map(\.value) }

    var texts: [URLParts.Item] { items.map { URLParts.Item(name: $0.name, value: $0.value) } }

    /// Returns whether both contain the same names with the same values, ignoring the order of the names.
    public static func == (lhs: NamedValues, rhs: NamedValues) -> Bool {
        MatchedValues(lhs.texts) == MatchedValues(rhs.texts)
    }

    /// Hashes the values.
    public func hash(into hasher: inout Hasher) { hasher.combine(MatchedValues(texts)) }
}

extension NamedValues: ExpressibleByDictionaryLiteral {
    /// Creates values for comparison; a name may be repeated.
    public init(dictionaryLiteral elements: (String, String)...) {
        items = elements.map { Item(name: $0, value: $1) }
        secrets = .standard
    }
}

extension NamedValues: CustomStringConvertible, CustomReflectable {
    /// The values as a literal, with secrets masked.
    public var description: String {
        let mask = FieldMask(secrets)
        let names = items.map(\.name)
        let pairs = items.map { item in
            let value = mask.value(item.value, of: item.name, beside: names)
            return "\(item.name.debugDescription): \(value.shortened.debugDescription)"
        }
        return "[\(pairs.isEmpty ? ":" : pairs.joined(separator: ", "))]"
    }

    /// An empty mirror, which hides secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension String {
    /// Returns whether the bytes are equal; `==` also considers a composed and a decomposed `é` equal.
    func isExactly(_ other: String) -> Bool { ExactText(self) == ExactText(other) }
}
