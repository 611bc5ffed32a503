/// Turns parameters into pairs of name and value, not escaped yet.
struct ParameterPairs {
    let arrayEncoding: URLEncoding.ArrayEncoding
    let boolEncoding: URLEncoding.BoolEncoding

    /// The pairs of all parameters, sorted by name.
    func pairs(_ parameters: Parameters) throws(URLEncoding.Error) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            pairs += try self.pairs(name: name, value: value)
        }
        return pairs
    }

    /// The pairs that a value gives under a name. A list of what is left to do instead of recursion: threads have
    /// little stack, and parameters can be deep.
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
