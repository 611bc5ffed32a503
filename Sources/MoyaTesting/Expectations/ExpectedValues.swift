import MoyaHAR

/// The expected values of a query, of headers or of a form, by name.
struct ExpectedValues: Sendable {
    /// The values of each name; a name with an empty list must be missing.
    private var values: [ExactText: [String]] = [:]
    /// Whether a request must not have other names.
    private var isWhole = false

    /// Creates an expectation without names.
    init() {}

    /// Creates an expectation.
    init(_ items: [URLParts.Item], isWhole: Bool) {
        include(items)
        self.isWhole = isWhole
    }

    /// The names, sorted.
    var names: [String] { values.keys.sorted().map(\.string) }

    /// The values, sorted by name.
    var items: [URLParts.Item] {
        values.sorted { $0.key < $1.key }.flatMap { name, values in
            values.map { URLParts.Item(name: name.string, value: $0) }
        }
    }

    /// Sets the values of a name; an empty list expects that the name is missing.
    mutating func set(_ name: String, _ values: [String]) { self.values[ExactText(name)] = values }

    /// Sets the values of several names, each of which may be repeated.
    mutating func include(_ items: [URLParts.Item]) {
        let named: [ExactText: [String]] = items.reduce(into: [:]) {
            $0[ExactText($1.name), default: []].append($1.value)
        }
        values.merge(named) { $1 }
    }

    /// Returns the values of a request that are compared.
    func comparedValues(of actual: [URLParts.Item]) -> [URLParts.Item] {
        isWhole ? actual : actual.filter { values.keys.contains(ExactText($0.name)) }
    }
}
