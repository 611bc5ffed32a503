/// What a value has become: a text, nothing, or a tree of more.
enum FormValue {
    /// Nothing was encoded.
    case nothing
    case null
    case text(String)
    case tree(FormTree)
    /// What `superEncoder()` gave out: it holds its value when all is done.
    case later(FormEncoder)
}

/// Values by name, or in a row. Shared by the containers that fill it.
final class FormTree {
    /// By name, or else in a row without names.
    let isNamed: Bool
    private(set) var names: [String] = []
    private(set) var children: [FormValue] = []
    private var positions: [String: Int] = [:]

    init(isNamed: Bool) { self.isNamed = isNamed }

    /// The value under a key, as far as there is one.
    subscript(key: String) -> FormValue? { positions[key].map { children[$0] } }

    /// Sets the value under a key, which is written as `name`; a later value replaces an earlier one.
    func set(_ value: FormValue, for key: String, name: String) {
        if let position = positions[key] {
            children[position] = value
        } else {
            positions[key] = children.count
            names.append(name)
            children.append(value)
        }
    }

    /// Appends to the row.
    func append(_ value: FormValue) { children.append(value) }
}
