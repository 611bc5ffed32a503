#if Macros
/// Expressions of attributes that are evaluated once, because their values have state or are expensive.
struct StoredExpressions<Expression: Hashable> {
    /// The different expressions, in their order.
    let expressions: [Expression]
    private let names: [String]

    /// Creates the properties for expressions.
    ///
    /// - Parameters:
    ///   - expressions: The expressions, which may be equal.
    ///   - prefix: The beginning of the names of the properties.
    ///   - api: The API, whose names are avoided.
    init(_ expressions: some Sequence<Expression>, named prefix: String, in api: API) {
        var different: [Expression] = []
        for expression in expressions where !different.contains(expression) { different.append(expression) }
        self.expressions = different
        names = different.indices.map { api.unused("\(prefix)\($0)") }
    }

    /// Returns the static property with the value of an expression.
    func property(_ expression: Expression) -> String? {
        expressions.firstIndex(of: expression).map { "Self.\(names[$0])" }
    }

    /// Returns the declarations of the properties, with the text of each type and value.
    func declarations(_ text: (Expression) -> (type: String?, value: String)) -> [String] {
        zip(names, expressions).map { name, expression in
            let (type, value) = text(expression)
            return "private static let \(name)\(type.map { ": \($0)" } ?? "") = \(value)"
        }
    }
}
#endif
