/// A position in an encoded value.
///
/// The coding path is created only on request.
struct FormPosition {
    private final class Step {
        let key: any CodingKey
        let outer: Step?

        init(key: any CodingKey, outer: Step?) {
            self.key = key
            self.outer = outer
        }
    }

    private var last: Step?
    /// The number of enclosing calls of `encode(to:)` and nested containers.
    private(set) var level = 0

    /// The same position one level deeper, for a value that encodes another one in its place.
    var inside: FormPosition {
        var position = self
        position.level += 1
        return position
    }

    /// Returns the position of a key.
    func appending(_ key: any CodingKey) -> FormPosition {
        var position = inside
        position.last = Step(key: key, outer: last)
        return position
    }

    var codingPath: [any CodingKey] {
        var keys: [any CodingKey] = []
        var step = last
        while let current = step {
            keys.append(current.key)
            step = current.outer
        }
        return keys.reversed()
    }

    /// The coding path as text, for errors.
    var text: String {
        var path = ParameterPath()
        for key in codingPath {
            if let index = (key as? FormIndexKey)?.index { path.append(index) } else { path.append(key.stringValue) }
        }
        return path.text
    }
}

/// The key of an array element, or the default key of a superclass.
struct FormIndexKey: CodingKey {
    let index: Int?
    let stringValue: String
    var intValue: Int? { index }

    static let `super` = FormIndexKey(stringValue: "super")

    init(index: Int) {
        self.index = index
        stringValue = "Index \(index)"
    }

    init(stringValue: String) {
        index = nil
        self.stringValue = stringValue
    }

    init?(intValue: Int) { self.init(index: intValue) }
}
