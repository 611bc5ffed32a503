/// A writer that converts a tree of values to pairs.
///
/// ``FormContext`` limits the depth of the tree.
struct FormWriter {
    let options: URLEncodedFormEncoder

    /// Appends the pairs of named values.
    func write(_ tree: FormTree, to form: inout FormText) {
        for index in order(of: tree) { write(tree.children[index], name: tree.names[index], to: &form) }
    }

    private func write(_ value: FormValue, name: String, to form: inout FormText) {
        switch value {
        case .nothing:
            break
        case .null:
            if let text = options.nilEncoding.text(for: name) { form.append(name: name, value: text) }
        case .text(let text):
            form.append(name: name, value: text)
        case .later(let encoder):
            write(encoder.value, name: name, to: &form)
        case .tree(let tree) where tree.isNamed:
            for index in order(of: tree) {
                let inner = options.keyPathEncoding.name(for: tree.names[index], in: name)
                write(tree.children[index], name: inner, to: &form)
            }
        case .tree(let tree):
            for (index, element) in tree.children.enumerated() {
                let inner = options.arrayEncoding.name(for: name, at: index)
                write(element, name: inner, to: &form)
            }
        }
    }

    private func order(of tree: FormTree) -> [Int] {
        switch options.keyOrder {
        case .asEncoded: Array(tree.names.indices)
        case .alphabetical: tree.names.indices.sorted { tree.names[$0] < tree.names[$1] }
        }
    }
}
