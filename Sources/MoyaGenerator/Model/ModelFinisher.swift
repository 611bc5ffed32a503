/// Completes a model after all of its types are known: names, directions, and values that contain themselves.
struct ModelFinisher {
    var types: TypeBuilder
    let naming: NamingRules
    private var names: [DeclarationID: String] = [:]

    init(types: TypeBuilder, naming: NamingRules) {
        self.types = types
        self.naming = naming
    }

    mutating func finish(_ model: inout APIModel) {
        substitute(&model)
        var declarations = types.declarations
        Self.setParents(&declarations, types.aliases)
        Self.removePages(&declarations, model)
        setUsage(&declarations, model)
        Self.adjustProperties(&declarations)
        Self.breakCycles(&declarations)
        markErrors(&declarations, model)
        name(&declarations)
        model.declarations = declarations
    }

    // MARK: Aliases

    /// Replaces declarations that turned out to be unnecessary.
    private mutating func substitute(_ model: inout APIModel) {
        guard !types.aliases.isEmpty else { return }
        for index in types.declarations.indices {
            let id = DeclarationID(index: index)
            switch types[id].kind {
            case .structure(var structure):
                for property in structure.properties.indices {
                    let type = resolve(structure.properties[property].type)
                    structure.properties[property].type = type.wrapped
                    if type.isOptional { structure.properties[property].isNullable = true }
                }
                structure.additional = structure.additional.map(resolve)
                types[id].kind = .structure(structure)
            case .union(var union):
                for index in union.cases.indices { union.cases[index].type = resolve(union.cases[index].type) }
                types[id].kind = .union(union)
            case .statusResult(var result):
                for index in result.cases.indices { result.cases[index].type = result.cases[index].type.map(resolve) }
                types[id].kind = .statusResult(result)
            case .enumeration, .pending: break
            }
        }
        for service in model.services.indices {
            for method in model.services[service].methods.indices {
                var value = model.services[service].methods[method]
                for index in value.parameters.indices {
                    value.parameters[index].type = resolve(value.parameters[index].type)
                }
                if let body = value.body { value.body?.type = resolve(body.type) }
                value.result = resolve(value.result)
                for index in value.errors.indices { value.errors[index].type = resolve(value.errors[index].type) }
                value.errors = StatusError.sorted(value.errors)
                if let page = value.pagination { value.pagination?.itemType = resolve(page.itemType) }
                model.services[service].methods[method] = value
            }
        }
    }

    private func resolve(_ result: APIResult) -> APIResult {
        switch result {
        case .value(let type): .value(resolve(type))
        case .events(let type, let end): .events(type.map(resolve), end: end)
        case .lines(let type): .lines(type.map(resolve))
        case .nothing, .text, .data, .byStatus: result
        }
    }

    private func resolve(_ type: TypeReference) -> TypeReference {
        switch type {
        case .known: type
        case .declared(let id): types.aliases[id].map(resolve) ?? type
        case .array(let element): .array(resolve(element))
        case .dictionary(let value): .dictionary(resolve(value))
        case .optional(let wrapped): resolve(wrapped).asOptional
        case .generic(let name, let argument): .generic(name, resolve(argument))
        }
    }

    /// Moves types out of unnecessary declarations, and removes these.
    private static func setParents(_ declarations: inout [TypeDeclaration], _ aliases: [DeclarationID: TypeReference]) {
        for index in declarations.indices {
            while let parent = declarations[index].parent, aliases[parent] != nil {
                declarations[index].parent = declarations[parent.index].parent
                if declarations[index].parent == nil {
                    declarations[index].words = declarations[parent.index].words + declarations[index].words
                }
            }
        }
        for id in aliases.keys { declarations[id.index].kind = .pending }
    }

    // MARK: Pages

    /// Removes the types of pages that only sequences of their items use.
    private static func removePages(_ declarations: inout [TypeDeclaration], _ model: APIModel) {
        let methods = model.services.flatMap(\.methods)
        let pages = Set(methods.compactMap(\.pageType))
        guard !pages.isEmpty else { return }
        var used = Set(methods.flatMap(\.usedTypes).flatMap(\.declarations))
        for index in declarations.indices where owners(of: index, declarations).isDisjoint(with: pages) {
            used.formUnion(declarations[index].memberTypes.flatMap(\.declarations))
        }
        // A page stays if code uses a type that it contains.
        let kept = used.reduce(into: Set<DeclarationID>()) { $0.formUnion(owners(of: $1.index, declarations)) }
        let removed = pages.subtracting(kept)
        let owned = declarations.indices.filter { !owners(of: $0, declarations).isDisjoint(with: removed) }
        for index in owned { declarations[index].kind = .pending }
    }

    /// Returns a type with the types that contain it.
    private static func owners(of index: Int, _ declarations: [TypeDeclaration]) -> Set<DeclarationID> {
        var owners: Set<DeclarationID> = []
        var next: DeclarationID? = DeclarationID(index: index)
        while let id = next, owners.insert(id).inserted { next = declarations[id.index].parent }
        return owners
    }

    // MARK: Directions

    private func setUsage(_ declarations: inout [TypeDeclaration], _ model: APIModel) {
        for method in model.services.flatMap(\.methods) {
            for parameter in method.parameters { mark(parameter.type, .request, &declarations) }
            if let body = method.body {
                mark(
                    body.type,
                    method.method == "PATCH" && body.kind == .json ? [.request, .patch] : .request,
                    &declarations
                )
            }
            switch method.result {
            case .value(let type), .events(let type?, _), .lines(let type?): mark(type, .response, &declarations)
            case .byStatus(let id): mark(.declared(id), .response, &declarations)
            case .nothing, .text, .data, .events(nil, _), .lines(nil): break
            }
            // The type of the pages may have been removed.
            if let page = method.pagination { mark(page.itemType, .response, &declarations) }
            for error in method.errors { mark(error.type, .response, &declarations) }
        }
    }

    private func mark(_ type: TypeReference, _ usage: Usage, _ declarations: inout [TypeDeclaration]) {
        var pending = type.declarations
        while let id = pending.popLast() {
            guard !declarations[id.index].usage.isSuperset(of: usage) else { continue }
            declarations[id.index].usage.formUnion(usage)
            pending += declarations[id.index].memberTypes.flatMap(\.declarations)
        }
    }

    /// Decides which properties are optional, and how `nil` is sent.
    private static func adjustProperties(_ declarations: inout [TypeDeclaration]) {
        for index in declarations.indices {
            guard case .structure(var structure) = declarations[index].kind else { continue }
            let usage = declarations[index].usage
            for position in structure.properties.indices {
                var property = structure.properties[position]
                // A value that only one direction has is absent in the other one.
                if property.isReadOnly, usage.contains(.request) { property.isRequired = false }
                if property.isWriteOnly, usage.contains(.response) { property.isRequired = false }
                if !property.isRequired { property.initialValue = nil }
                property.encodesNull = property.isRequired && property.isNullable && usage.contains(.request)
                let isCleared = property.isNullable && !property.isRequired && usage.contains(.patch)
                if isCleared {
                    property.type = .generic("Nullable", property.type).asOptional
                } else if property.isNullable || !property.isRequired {
                    property.type = property.type.asOptional
                }
                structure.properties[position] = property
            }
            declarations[index].kind = .structure(structure)
        }
    }

    // MARK: Cycles

    /// Stores values elsewhere that would contain themselves.
    private static func breakCycles(_ declarations: inout [TypeDeclaration]) {
        var state = [UInt8](repeating: 0, count: declarations.count)
        for start in declarations.indices where state[start] == 0 {
            visit(start, &state, &declarations)
        }
    }

    /// Visits the values in a value, and makes the edges that lead back indirect.
    private static func visit(_ start: Int, _ state: inout [UInt8], _ declarations: inout [TypeDeclaration]) {
        // A separate stack, because schemas may be nested deeply.
        var stack: [(node: Int, edges: [Int?], next: Int)] = [(start, edges(of: declarations[start]), 0)]
        state[start] = 1
        while let top = stack.last {
            guard top.next < top.edges.count else {
                state[top.node] = 2
                stack.removeLast()
                continue
            }
            stack[stack.count - 1].next += 1
            guard let target = top.edges[top.next] else { continue }
            if state[target] == 1 {
                makeIndirect(top.next, of: top.node, &declarations)
            } else if state[target] == 0 {
                state[target] = 1
                stack.append((target, edges(of: declarations[target]), 0))
            }
        }
    }

    /// Returns the type in each property or case; `nil` for one without a declared type.
    private static func edges(of declaration: TypeDeclaration) -> [Int?] {
        switch declaration.kind {
        case .structure(let structure): structure.properties.map { $0.type.contained?.index }
        case .union(let union): union.cases.map { $0.type.contained?.index }
        case .enumeration, .statusResult, .pending: []
        }
    }

    private static func makeIndirect(_ edge: Int, of node: Int, _ declarations: inout [TypeDeclaration]) {
        switch declarations[node].kind {
        case .structure(var structure):
            structure.properties[edge].isIndirect = true
            declarations[node].kind = .structure(structure)
        case .union(var union):
            union.isIndirect = true
            declarations[node].kind = .union(union)
        case .enumeration, .statusResult, .pending: break
        }
    }

    // MARK: Names

    private func markErrors(_ declarations: inout [TypeDeclaration], _ model: APIModel) {
        for error in model.services.flatMap(\.methods).flatMap(\.errors) {
            if case .declared(let id) = error.type { declarations[id.index].isError = true }
        }
    }

    private func name(_ declarations: inout [TypeDeclaration]) {
        var top = UniqueNames(reserved: ReservedNames.types)
        let roots = declarations.indices.filter { declarations[$0].parent == nil && !declarations[$0].kind.isPending }
        // Types whose short names are equal all have longer names, so that their order does not matter.
        var counts: [String: Int] = [:]
        let inline = roots.filter { !declarations[$0].uses.isEmpty }
        for index in inline {
            for name in Set(candidates(for: declarations[index])) { counts[name.lowercased(), default: 0] += 1 }
        }
        for index in roots {
            let declaration = declarations[index]
            let short = naming.type(declaration.words)
            if let given = declaration.givenName {
                declarations[index].name = top.take([given])
            } else if declaration.uses.isEmpty {
                declarations[index].name = top.take([short, "API" + short])
            } else {
                let names = candidates(for: declaration)
                let distinct = names.filter { counts[$0.lowercased()] == 1 }
                declarations[index].name = top.take(distinct + names.suffix(1) + ["API" + short])
            }
        }
        let topNames = Set(declarations.map(\.name)).union(ReservedNames.types)
        nameNested(&declarations, topNames)
    }

    /// Returns names for a type of operations, from the shortest to the longest.
    private func candidates(for declaration: TypeDeclaration) -> [String] {
        let short = naming.type(declaration.words)
        let tags = Set(declaration.uses.map { $0.tag.singular })
        let operations = Set(declaration.uses.map(\.operation))
        var names = [short]
        if tags.count == 1, let tag = tags.first, !tag.isEmpty, !declaration.words.all.starts(with: tag.all) {
            names.append(naming.type(tag + declaration.words))
        }
        if operations.count > 1, case .enumeration(let enumeration) = declaration.kind, enumeration.cases.count <= 3 {
            names.append(
                naming.type(Words(Array(enumeration.cases.map { Words(of: $0.name).all }.joined(separator: ["or"]))))
            )
        }
        if let operation = operations.count == 1 ? operations.first : declaration.uses.first?.operation,
            !operation.isEmpty
        {
            names.append(naming.type(operation + declaration.words))
        }
        return names
    }

    /// Names nested types differently from all types that their code can see.
    private func nameNested(_ declarations: inout [TypeDeclaration], _ topNames: Set<String>) {
        var siblings: [DeclarationID: UniqueNames] = [:]
        // Parents come before their children.
        for index in declarations.indices {
            guard let parent = declarations[index].parent, !declarations[index].kind.isPending else { continue }
            var used =
                siblings[parent] ?? UniqueNames(reserved: topNames.union(Self.ancestors(of: parent, declarations)))
            let plain = naming.type(declarations[index].words)
            let base = plain == "Type" ? "Kind" : plain
            let suffix =
                switch declarations[index].kind {
                case .enumeration: "Option"
                case .union: "Choice"
                case .structure, .statusResult, .pending: "Details"
                }
            declarations[index].name = used.take([base, base + suffix, declarations[parent.index].name + base])
            siblings[parent] = used
        }
    }

    private static func ancestors(of id: DeclarationID, _ declarations: [TypeDeclaration]) -> Set<String> {
        var names: Set<String> = []
        var next: DeclarationID? = id
        while let current = next {
            names.insert(declarations[current.index].name)
            next = declarations[current.index].parent
        }
        return names
    }
}

extension TypeDeclaration.Kind {
    package var isPending: Bool {
        if case .pending = self { true } else { false }
    }
}

extension TypeDeclaration {
    /// The types of the values that a value contains.
    fileprivate var memberTypes: [TypeReference] {
        switch kind {
        case .structure(let structure): structure.properties.map(\.type) + (structure.additional.map { [$0] } ?? [])
        case .union(let union): union.cases.map(\.type)
        case .statusResult(let result): result.cases.compactMap(\.type)
        case .enumeration, .pending: []
        }
    }
}

extension APIMethod {
    /// The type of the pages of whose items the method returns a sequence.
    fileprivate var pageType: DeclarationID? {
        guard pagination != nil, case .value(.declared(let id)) = result else { return nil }
        return id
    }

    /// The types in the declaration of the method.
    fileprivate var usedTypes: [TypeReference] {
        var types = parameters.map(\.type) + errors.map(\.type)
        if let body { types.append(body.type) }
        if let pagination {
            types.append(pagination.itemType)
        } else {
            switch result {
            case .value(let type), .events(let type?, _), .lines(let type?): types.append(type)
            case .byStatus(let id): types.append(.declared(id))
            case .nothing, .text, .data, .events(nil, _), .lines(nil): break
            }
        }
        return types
    }
}
