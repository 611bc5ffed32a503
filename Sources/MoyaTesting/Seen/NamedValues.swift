import Foundation
import MoyaHAR

/// The values of a query or a form, by name, as they were before they were escaped.
///
///     #expect(request.query["page"] == "2")
///     #expect(request.query == ["page": "2", "sort": "name"])
///
/// Values are there in full, and are compared by their bytes. The description masks secrets.
public struct NamedValues: Sendable, Hashable {
    /// A name and its value.
    public struct Item: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value; empty where there is only a name.
        public let value: String
    }

    /// All of them, in their order.
    public let items: [Item]
    private let secrets: HARSecrets

    /// Takes a query apart, without its question mark.
    init(_ query: String, secrets: HARSecrets) {
        items = URLText.items(of: query).map { Item(name: $0.name, value: $0.value) }
        self.secrets = secrets
    }

    /// The names, each once, sorted.
    public var names: [String] { Set(items.map(\.name)).sorted() }

    /// The first value of this name.
    public subscript(name: String) -> String? { items.first { $0.name.isExactly(name) }?.value }

    /// All values of this name, in their order.
    public subscript(all name: String) -> [String] { items.filter { $0.name.isExactly(name) }.map(\.value) }

    var texts: [URLText.Item] { items.map { URLText.Item(name: $0.name, value: $0.value) } }

    /// Whether both have the same values for the same names. The order of the names does not matter.
    public static func == (lhs: NamedValues, rhs: NamedValues) -> Bool {
        MatchedValues(lhs.texts) == MatchedValues(rhs.texts)
    }

    /// Hashes the values.
    public func hash(into hasher: inout Hasher) { hasher.combine(MatchedValues(texts)) }
}

extension NamedValues: ExpressibleByDictionaryLiteral {
    /// Makes values to compare with. A name may come several times.
    public init(dictionaryLiteral elements: (String, String)...) {
        items = elements.map { Item(name: $0, value: $1) }
        secrets = .standard
    }
}

extension NamedValues: CustomStringConvertible, CustomReflectable {
    /// The values as a literal, with secrets masked.
    public var description: String {
        let mask = FieldMask(secrets)
        let pairs = items.map { item in
            let value = mask.value(item.value, of: item.name)
            return "\(item.name.debugDescription): \(HARDifference.short(value).debugDescription)"
        }
        return "[\(pairs.isEmpty ? ":" : pairs.joined(separator: ", "))]"
    }

    /// Nothing: what looks inside must not find secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension String {
    /// Whether the bytes are the same: `==` also takes a composed and a decomposed `é` for the same.
    func isExactly(_ other: String) -> Bool { ExactText(self) == ExactText(other) }
}
