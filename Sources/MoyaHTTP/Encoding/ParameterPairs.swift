/// A function that converts parameters to pairs of name and value, without escaping.
struct ParameterPairs {
    let arrayEncoding: URLEncoding.ArrayEncoding
    let boolEncoding: URLEncoding.BoolEncoding

    /// Returns the pairs of all parameters, sorted by name.
    func pairs(_ parameters: Parameters) throws(URLEncoding.Error) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            pairs += try self.pairs(name: name, value: value)
        }
        return pairs
    }

    /// Returns the pairs of a value with a name.
    ///
    /// It uses a stack instead of recursion, since threads have small stacks and parameters may be nested deeply.
    func pairs(name: String, value: Any) throws(URLEncoding.Error) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        var pending: [(name: String, value: Any, level: Int)] = [(name, value, 0)]
        while let next = pending.popLast() {
            guard next.level <= AnyParameter.deepestLevel else { throw .nestedTooDeeply }
            switch ParameterShape(of: next.value) {
            case .nothing:
                break
            case .leaf(let leaf):
                let text = AnyParameter.boolean(leaf).map(boolEncoding.text) ?? AnyParameter.text(leaf)
                pairs.append((next.name, text))
            case .list(let elements):
                for (index, element) in elements.enumerated().reversed() {
                    pending.append((arrayEncoding.name(for: next.name, at: index), element, next.level + 1))
                }
            case .named(let values):
                for (key, value) in values.reversed() {
                    pending.append(("\(next.name)[\(key)]", value, next.level + 1))
                }
            }
        }
        return pairs
    }
}
