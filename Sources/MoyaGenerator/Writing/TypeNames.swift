/// Writes types as the code at a place sees them.
struct TypeNames {
    let declarations: [TypeDeclaration]
    /// The names of the types in each type.
    private let nested: [DeclarationID: Set<String>]

    init(declarations: [TypeDeclaration]) {
        self.declarations = declarations
        var nested: [DeclarationID: Set<String>] = [:]
        for declaration in declarations {
            if let parent = declaration.parent { nested[parent, default: []].insert(declaration.name) }
        }
        self.nested = nested
    }

    subscript(id: DeclarationID) -> TypeDeclaration { declarations[id.index] }

    /// The names from the outermost type to a type.
    func path(of id: DeclarationID) -> [String] {
        var path = [self[id].name]
        var next = self[id].parent
        while let parent = next {
            path.insert(self[parent].name, at: 0)
            next = self[parent].parent
        }
        return path
    }

    /// Returns the text of a type inside another type, or in a file.
    func text(_ type: TypeReference, in scope: DeclarationID? = nil) -> String {
        switch type {
        case .known(let name): name
        case .declared(let id): name(of: id, in: scope)
        case .array(let element): "[\(text(element, in: scope))]"
        case .dictionary(let value): "[String: \(text(value, in: scope))]"
        case .optional(let wrapped): text(wrapped, in: scope) + "?"
        case .generic(let name, let argument): "\(name)<\(text(argument, in: scope))>"
        }
    }

    private func name(of id: DeclarationID, in scope: DeclarationID?) -> String {
        guard let parent = self[id].parent else { return self[id].name }
        // The innermost type that declares the name is the one that Swift finds.
        var next = scope
        while let current = next {
            if current == parent { return self[id].name }
            if current == id { return self[id].name }
            if nested[current]?.contains(self[id].name) == true { break }
            next = self[current].parent
        }
        return path(of: id).joined(separator: ".")
    }
}
