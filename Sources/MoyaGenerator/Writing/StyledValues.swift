/// The kinds of values in queries and forms whose text depends on the style of a URL.
struct StyledValues {
    private let declarations: [TypeDeclaration]
    private(set) var hasArrays = false
    private(set) var hasBooleans = false

    /// Finds the kinds in some types, and in the types of their members.
    init(in types: [TypeReference], _ declarations: [TypeDeclaration]) {
        self.declarations = declarations
        var visited: Set<DeclarationID> = []
        for type in types { add(type, &visited) }
    }

    /// Returns the arguments of an encoding; empty if its defaults are right.
    func arguments(hasBrackets: Bool) -> [String] {
        var arguments: [String] = []
        if hasArrays, !hasBrackets { arguments.append("arrayEncoding: .noBrackets") }
        if hasBooleans { arguments.append("boolEncoding: .literal") }
        return arguments
    }

    private mutating func add(_ type: TypeReference, _ visited: inout Set<DeclarationID>) {
        switch type {
        case .known("Bool"): hasBooleans = true
        case .known("JSONValue"): (hasArrays, hasBooleans) = (true, true)
        case .known: break
        case .array(let element):
            hasArrays = true
            add(element, &visited)
        case .dictionary(let value), .optional(let value), .generic("Nullable", let value): add(value, &visited)
        // The text of JSON and of separated elements is independent of the style.
        case .generic: break
        case .declared(let id):
            guard visited.insert(id).inserted else { return }
            switch declarations[id.index].kind {
            case .structure(let structure):
                for property in structure.properties { add(property.type, &visited) }
                if let additional = structure.additional { add(additional, &visited) }
            case .union(let union):
                for value in union.cases { add(value.type, &visited) }
                if union.isOpen { add(.json, &visited) }
            case .enumeration(let enumeration): add(enumeration.rawType, &visited)
            case .statusResult, .pending: break
            }
        }
    }
}
