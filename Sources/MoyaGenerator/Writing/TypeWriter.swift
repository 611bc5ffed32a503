import MoyaCodeText

/// Writes the declarations of types.
struct TypeWriter {
    let names: TypeNames
    let children: [DeclarationID: [DeclarationID]]
    let access: Configuration.Access
    let style: Configuration.Style
    /// The default of the decoder of results.
    private let decoder: String

    init(_ model: APIModel, _ coders: CodersWriter) {
        decoder = coders.hasDates ? ".\(coders.name)" : "JSONDecoder()"
        names = TypeNames(declarations: model.declarations)
        access = model.configuration.access
        style = model.configuration.style
        children = Dictionary(
            grouping: model.declarations.indices.filter {
                model.declarations[$0].parent != nil && !model.declarations[$0].kind.isPending
            },
            by: { model.declarations[$0].parent ?? DeclarationID(index: 0) }
        ).mapValues { $0.map(DeclarationID.init) }
    }

    var modifier: String { access.modifier }

    func write(_ id: DeclarationID, into lines: inout CodeLines) {
        let declaration = names[id]
        lines.separate()
        lines.document(
            declaration.documentation,
            or: fallback(declaration),
            notes: declaration.isDeprecated ? ["Deprecated."] : []
        )
        switch declaration.kind {
        case .structure(let structure): write(structure, declaration, id, into: &lines)
        case .enumeration(let enumeration): write(enumeration, declaration, into: &lines)
        case .union(let union): write(union, declaration, id, into: &lines)
        case .statusResult(let result): write(result, declaration, id, into: &lines)
        case .pending: break
        }
    }

    /// Returns a comment for a type without a description; `nil` if it would only repeat the name of an internal type.
    private func fallback(_ declaration: TypeDeclaration) -> String? {
        let words = declaration.words.all
        let text = words.joined(separator: " ")
        if case .statusResult = declaration.kind { return "The result of a request by its status." }
        if !declaration.uses.isEmpty, words.count > 1, let noun = words.last {
            let operation = words.dropLast().joined(separator: " ")
            switch noun {
            case "body", "form": return "The \(noun) of the request \"\(operation)\"."
            case "response": return "The response to \"\(operation)\"."
            case "event": return "A part of the response to \"\(operation)\"."
            default: break
            }
        }
        guard access != .internal else { return nil }
        switch declaration.kind {
        case .enumeration: return "The values of `\(text)`."
        case .union: return "One of the types of `\(text)`."
        case .structure, .statusResult, .pending:
            return words.first == "option" ? "An alternative." : "\(Self.article(of: text)) \(text)."
        }
    }

    /// Returns the article by the sound at the begin: `a user`, and `an hour`.
    private static func article(of text: String) -> String {
        let consonants = ["uni", "use", "usa", "uti", "uri", "url", "uuid", "eu", "one", "ur"]
        if consonants.contains(where: text.hasPrefix) { return "A" }
        return text.first.map { "aeiou".contains($0) } == true || text.hasPrefix("hour") ? "An" : "A"
    }

    private func conformances(_ declaration: TypeDeclaration) -> String {
        "Codable, Hashable, Sendable" + (declaration.isError ? ", Error" : "")
    }

    private func writeChildren(of id: DeclarationID, into lines: inout CodeLines) {
        for child in children[id] ?? [] { write(child, into: &lines) }
    }

    // MARK: Structures

    private func write(
        _ structure: Structure,
        _ declaration: TypeDeclaration,
        _ id: DeclarationID,
        into lines: inout CodeLines
    ) {
        lines.block("\(modifier)struct \(declaration.name): \(conformances(declaration))") { lines in
            for property in structure.properties { write(property, in: id, into: &lines) }
            if let additional = structure.additional {
                lines.add("/// The other members.")
                lines.add("\(modifier)var additionalProperties: [String: \(names.text(additional, in: id))] = [:]")
            }
            if access != .internal { writeInitializer(structure, in: id, into: &lines) }
            writeKeys(structure, into: &lines)
            writeChildren(of: id, into: &lines)
        }
    }

    /// Writes the extensions of a type and of the types in it, which are outside so that the types keep their initializers.
    func writeExtensions(of id: DeclarationID, into lines: inout CodeLines) {
        if case .structure(let structure) = names[id].kind, structure.additional != nil {
            lines.separate()
            lines.block("extension \(names.path(of: id).joined(separator: "."))") {
                writeCoding(structure, id, into: &$0)
            }
        }
        for child in children[id] ?? [] { writeExtensions(of: child, into: &lines) }
    }

    private func write(_ property: Structure.Property, in id: DeclarationID, into lines: inout CodeLines) {
        writeComment(of: property, into: &lines)
        let wrapper =
            (property.isIndirect ? "@Indirect " : "")
            + (property.encodesNull && !property.isIndirect ? "@NullEncoded " : "")
        let value = property.initialValue.map { " = \($0)" } ?? ""
        let type = names.text(property.type, in: id)
        lines.add("\(wrapper)\(modifier)var \(ReservedNames.escaped(property.name)): \(type)\(value)")
    }

    /// Writes the first sentence of the description, the default, and the deprecation.
    private func writeComment(of property: Structure.Property, into lines: inout CodeLines) {
        var notes = CommentText.notes(
            property.documentation.summary,
            default: property.serverDefault,
            isDeprecated: property.isDeprecated
        )
        if notes.isEmpty, access != .internal { notes = ["The value of `\(property.wireName)`."] }
        for (index, note) in notes.enumerated() {
            if index > 0 { lines.comment("") }
            lines.comment(note)
        }
    }

    private func writeInitializer(_ structure: Structure, in id: DeclarationID, into lines: inout CodeLines) {
        lines.separate()
        lines.comment("Creates a value.")
        var parameters = structure.properties.map { property in
            let value = property.initialValue ?? (property.type.isOptional ? "nil" : nil)
            return "\(ReservedNames.escaped(property.name)): \(names.text(property.type, in: id))"
                + (value.map { " = \($0)" } ?? "")
        }
        var assignments = structure.properties.map { "self.\($0.name) = \(ReservedNames.escaped($0.name))" }
        if let additional = structure.additional {
            parameters.append("additionalProperties: [String: \(names.text(additional, in: id))] = [:]")
            assignments.append("self.additionalProperties = additionalProperties")
        }
        if parameters.isEmpty { return lines.add("\(modifier)init() {}") }
        lines.list("\(modifier)init(", parameters, ") {")
        lines.indented { $0.add(assignments) }
        lines.add("}")
    }

    private func writeKeys(_ structure: Structure, into lines: inout CodeLines) {
        let isNeeded = structure.properties.contains { $0.name != $0.wireName } || structure.additional != nil
        guard isNeeded, !structure.properties.isEmpty else { return }
        lines.separate()
        // Additional members need all names.
        let conformances = structure.additional == nil ? "String, CodingKey" : "String, CodingKey, CaseIterable"
        lines.block("\(structure.additional == nil ? "private " : "fileprivate ")enum CodingKeys: \(conformances)") {
            lines in
            var line = "case "
            for (index, property) in structure.properties.enumerated() {
                let name = ReservedNames.escaped(property.name)
                let isEqual = property.name == property.wireName
                let key = isEqual ? name : "\(name) = \(SwiftText.literal(property.wireName))"
                let isLast = index == structure.properties.count - 1
                if line != "case ", line.count + key.count + 2 > lines.room {
                    lines.add(String(line.dropLast(2)))
                    line = "case "
                }
                line += key + (isLast ? "" : ", ")
            }
            lines.add(line)
        }
    }

    /// Writes the coding of a structure with members without declared names.
    private func writeCoding(_ structure: Structure, _ id: DeclarationID, into lines: inout CodeLines) {
        let keys = structure.properties.isEmpty ? "[]" : "CodingKeys.allCases.map(\\.rawValue)"
        if access != .internal { lines.comment("Decodes a value.") }
        lines.block("\(modifier)init(from decoder: any Decoder) throws") { lines in
            if !structure.properties.isEmpty {
                lines.add("let container = try decoder.container(keyedBy: CodingKeys.self)")
            }
            for property in structure.properties {
                let type = names.text(property.type.wrapped, in: id)
                let function = property.type.isOptional ? "decodeIfPresent" : "decode"
                lines.add("\(property.name) = try container.\(function)(\(type).self, forKey: .\(property.name))")
            }
            if !structure.properties.isEmpty { lines.add("let names = \(keys)") }
            let names = structure.properties.isEmpty ? keys : "names"
            lines.add("additionalProperties = try AdditionalProperties.decode(from: decoder, besides: \(names))")
        }
        lines.separate()
        if access != .internal { lines.comment("Encodes the value.") }
        lines.block("\(modifier)func encode(to encoder: any Encoder) throws") { lines in
            if !structure.properties.isEmpty {
                lines.add("var container = encoder.container(keyedBy: CodingKeys.self)")
            }
            for property in structure.properties {
                let function = property.type.isOptional && !property.encodesNull ? "encodeIfPresent" : "encode"
                lines.add("try container.\(function)(\(property.name), forKey: .\(property.name))")
            }
            lines.add("try AdditionalProperties.encode(additionalProperties, to: encoder)")
        }
    }

    // MARK: Enumerations

    private func write(_ enumeration: Enumeration, _ declaration: TypeDeclaration, into lines: inout CodeLines) {
        let raw = names.text(enumeration.rawType)
        lines.block("\(modifier)struct \(declaration.name): RawRepresentable, \(conformances(declaration))") { lines in
            for value in enumeration.cases {
                if let description = value.description.map(CommentText.plain), !description.isEmpty {
                    lines.comment(CommentText.split(description).first)
                } else if access != .internal {
                    lines.comment(value.wireText.isEmpty ? "The empty text." : "The value `\(value.wireText)`.")
                }
                lines.add(
                    "\(modifier)static let \(ReservedNames.escaped(value.name)) = Self(rawValue: \(value.literal))"
                )
            }
            lines.separate()
            if access != .internal { lines.comment("The value as it is sent.") }
            lines.add("\(modifier)var rawValue: \(raw)")
            if access != .internal {
                lines.separate()
                lines.comment("Creates a value, which the document need not list.")
                lines.add("\(modifier)init(rawValue: \(raw)) { self.rawValue = rawValue }")
            }
        }
    }

    // MARK: Results

    private func write(
        _ result: StatusResult,
        _ declaration: TypeDeclaration,
        _ id: DeclarationID,
        into lines: inout CodeLines
    ) {
        let isMacro = style == .api
        if isMacro { lines.add("@StatusResult") }
        lines.block("\(modifier)enum \(declaration.name): Sendable") { lines in
            for value in result.cases {
                if access != .internal { lines.comment("A response with \(statusText(value.statuses)).") }
                let payload = value.type.map { "(\(names.text($0, in: id)))" } ?? ""
                lines.add((isMacro ? "@Status(\(statusText(value.statuses))) " : "") + "case \(value.name)\(payload)")
            }
            if isMacro { return }
            lines.separate()
            lines.comment("Creates the result of a response.")
            lines.add("\(modifier)init(_ response: Response, using decoder: JSONDecoder = \(decoder)) throws {")
            lines.indented { lines in
                lines.add("switch response.statusCode {")
                for value in result.cases {
                    let payload =
                        value.type.map { "(try response.output(\(names.text($0, in: id)).self, using: decoder))" } ?? ""
                    lines.add("case \(statusText(value.statuses)): self = .\(value.name)\(payload)")
                }
                lines.add("default: throw MoyaError.statusCode(response)")
                lines.add("}")
            }
            lines.add("}")
        }
    }

    private func statusText(_ statuses: ClosedRange<Int>) -> String {
        statuses.count == 1 ? "\(statuses.lowerBound)" : "\(statuses.lowerBound)...\(statuses.upperBound)"
    }

    // MARK: Unions

    private func write(_ union: Union, _ declaration: TypeDeclaration, _ id: DeclarationID, into lines: inout CodeLines)
    {
        let indirect = union.isIndirect ? "indirect " : ""
        lines.block("\(modifier)\(indirect)enum \(declaration.name): \(conformances(declaration))") { lines in
            for value in union.cases {
                if access != .internal { lines.comment("A value of the type `\(names.text(value.type, in: id))`.") }
                lines.add("case \(ReservedNames.escaped(value.name))(\(names.text(value.type, in: id)))")
            }
            if union.isOpen {
                lines.comment("A value that the document does not describe.")
                lines.add("case unknown(JSONValue)")
            }
            lines.separate()
            if access != .internal { lines.comment("Decodes a value.") }
            lines.block("\(modifier)init(from decoder: any Decoder) throws") { lines in
                writeDecoding(union, id, into: &lines)
            }
            lines.separate()
            if access != .internal { lines.comment("Encodes the value.") }
            lines.block("\(modifier)func encode(to encoder: any Encoder) throws") { lines in
                lines.add("var container = encoder.singleValueContainer()")
                lines.add("switch self {")
                for value in union.cases {
                    lines.add("case .\(ReservedNames.escaped(value.name))(let value): try container.encode(value)")
                }
                if union.isOpen { lines.add("case .unknown(let value): try container.encode(value)") }
                lines.add("}")
            }
            writeChildren(of: id, into: &lines)
        }
    }

    private func writeDecoding(_ union: Union, _ id: DeclarationID, into lines: inout CodeLines) {
        lines.add("let container = try decoder.singleValueContainer()")
        func decoded(_ value: Union.Case, _ call: String) -> String {
            "self = .\(ReservedNames.escaped(value.name))(\(call) container.decode(\(names.text(value.type, in: id)).self))"
        }
        if let discriminator = union.discriminator {
            lines.add("switch try decoder.text(of: \(SwiftText.literal(discriminator))) {")
            for value in union.cases where !value.tags.isEmpty {
                lines.list("case ", value.tags.map(SwiftText.literal), ": \(decoded(value, "try"))")
            }
            for value in union.cases where value.hasOptionalTag && !value.keys.isEmpty {
                let list = value.keys.map(SwiftText.literal).joined(separator: ", ")
                lines.add("case nil where decoder.has(\(list)): \(decoded(value, "try"))")
            }
            lines.add("default: self = .unknown(try container.decode(JSONValue.self))")
            lines.add("}")
            return
        }
        let tried = union.isOpen ? union.cases[...] : union.cases.dropLast()
        for (index, value) in tried.enumerated() {
            let list = value.keys.map(SwiftText.literal).joined(separator: ", ")
            let key = value.keys.isEmpty ? "" : "decoder.has(\(list)), "
            let start = index == 0 ? "if " : "} else if "
            lines.add("\(start)\(key)let value = try? container.decode(\(names.text(value.type, in: id)).self) {")
            lines.indented { $0.add("self = .\(ReservedNames.escaped(value.name))(value)") }
        }
        let last = union.isOpen ? nil : union.cases.last
        let rest = last.map { decoded($0, "try") } ?? "self = .unknown(try container.decode(JSONValue.self))"
        if tried.isEmpty { return lines.add(rest) }
        lines.add("} else {")
        lines.indented { $0.add(rest) }
        lines.add("}")
    }
}
