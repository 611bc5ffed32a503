/// The encoded form of a value: text, nothing, or a tree.
enum FormValue {
    /// Nothing was encoded.
    case nothing
    case null
    case text(String)
    case tree(FormTree)
    /// The encoder returned by `superEncoder()`, which has its value when the encoding is complete.
    case later(FormEncoder)
}

/// Values by name or in a list, shared by the containers that fill the tree.
final class FormTree {
    /// Whether the values have names.
    let isNamed: Bool
    private(set) var names: [String] = []
    private(set) var children: [FormValue] = []
    private var positions: [String: Int] = [:]

    init(isNamed: Bool) { self.isNamed = isNamed }

    /// The value for a key, if there is one.
    subscript(key: String) -> FormValue? { positions[key].map { children[$0] } }

    /// Sets the value for a key, which is written as `name`; an existing value is replaced.
    func set(_ value: FormValue, for key: String, name: String) {
        if let position = positions[key] {
            children[position] = value
        } else {
            positions[key] = children.count
            names.append(name)
            children.append(value)
        }
    }

    /// Appends a value to the list.
    func append(_ value: FormValue) { children.append(value) }
}
