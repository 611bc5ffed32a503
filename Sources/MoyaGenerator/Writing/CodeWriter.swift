/// Writes the files of an API.
package enum CodeWriter {
    /// Returns the files in the order of their paths.
    package static func files(of model: APIModel) -> [GeneratedFile] {
        var files: [GeneratedFile] = []
        let used = usedNames(model)
        let coders = CodersWriter(model: model, hasDates: used.contains("Date"))
        let names = TypeNames(declarations: model.declarations)
        files += models(of: model, coders)
        files += SupportFiles.files(using: used, access: model.configuration.access, coders)
        files += coders.files
        let retries = RetryWriter(model)
        files += retries.files
        files += SecurityWriter(model: model).files
        files += ServersWriter(model: model).files
        files += model.services.map { service in
            let text =
                switch model.configuration.style {
                case .api:
                    ProtocolWriter(model: model, service: service, names: names, coders: coders, retries: retries).text
                case .enum:
                    EnumWriter(model: model, service: service, names: names, coders: coders, retries: retries).text
                }
            return GeneratedFile(path: "\(service.name).swift", text: text)
        }
        return files.sorted { $0.path < $1.path }
    }

    private static func models(of model: APIModel, _ coders: CodersWriter) -> [GeneratedFile] {
        let writer = TypeWriter(model, coders)
        return model.declarations.indices.compactMap { index in
            let declaration = model.declarations[index]
            guard declaration.parent == nil, !declaration.kind.isPending else { return nil }
            let id = DeclarationID(index: index)
            var lines = CodeLines()
            writer.write(id, into: &lines)
            writer.writeExtensions(of: id, into: &lines)
            var imports = usesFoundation(id, writer) ? "import Foundation\n\n" : ""
            if case .statusResult = declaration.kind {
                imports = "import \(model.configuration.style == .api ? "MoyaMacros" : "Moya")\n\n"
            }
            return GeneratedFile(path: "Models/\(declaration.name).swift", text: imports + lines.text)
        }
    }

    private static let foundationTypes: Set = ["Date", "URL", "UUID", "Data", "Decimal"]

    /// Returns whether a type, or a type in it, has properties with types of Foundation.
    private static func usesFoundation(_ id: DeclarationID, _ writer: TypeWriter) -> Bool {
        let names: [String] =
            switch writer.names[id].kind {
            case .structure(let structure):
                structure.properties.flatMap(\.type.knownNames) + (structure.additional?.knownNames ?? [])
            case .union(let union): union.cases.flatMap(\.type.knownNames)
            case .enumeration, .statusResult, .pending: []
            }
        return !foundationTypes.isDisjoint(with: names)
            || (writer.children[id] ?? []).contains { usesFoundation($0, writer) }
    }

    /// Returns the names of the types that come with the code.
    private static func usedNames(_ model: APIModel) -> Set<String> {
        var names: Set<String> = []
        for declaration in model.declarations {
            switch declaration.kind {
            case .structure(let structure):
                for property in structure.properties {
                    names.formUnion(property.type.knownNames)
                    if property.isIndirect { names.insert("Indirect") }
                    if property.encodesNull { names.insert("NullEncoded") }
                }
                if let additional = structure.additional {
                    names.formUnion(additional.knownNames)
                    names.insert("AdditionalProperties")
                }
            case .union(let union):
                names.formUnion(union.cases.flatMap(\.type.knownNames))
                if union.isOpen { names.insert("JSONValue") }
                if union.discriminator != nil || union.cases.contains(where: { !$0.keys.isEmpty }) {
                    names.insert("UnionDecoding")
                }
            case .statusResult(let result): names.formUnion(result.cases.flatMap { $0.type?.knownNames ?? [] })
            case .enumeration, .pending: break
            }
        }
        for method in model.services.flatMap(\.methods) {
            if model.configuration.style == .enum {
                let hasParts = method.parameters.contains { $0.place == .part }
                if hasParts { names.formUnion(["FormParts", "PathValue"]) }
                if method.parameters.contains(where: \.usesPathValue) { names.insert("PathValue") }
            }
            names.formUnion(method.parameters.flatMap(\.type.knownNames))
            names.formUnion(method.body?.type.knownNames ?? [])
            names.formUnion(method.pagination?.itemType.knownNames ?? [])
            switch method.result {
            case .value(let type), .events(let type?, _), .lines(let type?): names.formUnion(type.knownNames)
            case .nothing, .text, .data, .byStatus, .events(nil, _), .lines(nil): break
            }
        }
        return names
    }
}
