#if Macros
import MoyaCodeText
import SwiftSyntax

/// Writes JSON schemas for types (JSON Schema 2020-12, which OpenAPI 3.1 uses).
struct SchemaWriter {
    let types: DeclaredTypes
    /// Whether the names of properties are in snake case, because the coders of the API convert them.
    let isSnakeCase: Bool
    /// The schemas of declared types, by name; `nil` while one is written.
    private var schemas: [String: JSONText?] = [:]
    /// The problems, with the node that they are about, and its file.
    private(set) var problems: [(text: String, node: Syntax, file: Int)] = []

    init(types: DeclaredTypes, isSnakeCase: Bool) {
        self.types = types
        self.isSnakeCase = isSnakeCase
    }

    /// The schemas of declared types, sorted by name.
    var components: [JSONText.Member] {
        schemas.compactMap { name, schema in schema.map { JSONText.Member(name: name, value: $0) } }
            .sorted { $0.name < $1.name }
    }

    /// Returns whether a schema refers to that of an object.
    func isObject(_ schema: JSONText) -> Bool {
        guard case .string(let reference)? = schema["$ref"], let name = reference.split(separator: "/").last else {
            return false
        }
        return schemas[String(name)]??["type"] == "object"
    }

    /// The meaning of names where a type is written.
    struct Scope {
        /// The names of the types around it.
        var path: [String]
        var file: Int
        /// The method whose types are described, which are read as text.
        var method: Syntax?
        /// The arguments of generic parameters.
        var arguments: [String: (type: TypeSyntax, scope: [Scope])] = [:]
    }

    /// Returns the schema of a type; that of an optional is the schema of its value.
    mutating func schema(of type: TypeSyntax, in scope: Scope) -> JSONText {
        switch type.as(TypeSyntaxEnum.self) {
        case .optionalType(let type): return schema(of: type.wrappedType, in: scope)
        case .implicitlyUnwrappedOptionalType(let type): return schema(of: type.wrappedType, in: scope)
        case .arrayType(let type): return list(of: type.element, in: scope)
        case .dictionaryType(let type): return dictionary(of: type.value, in: scope)
        case .tupleType(let tuple) where tuple.elements.count == 1:
            return tuple.elements.first.map { schema(of: $0.type, in: scope) } ?? .object([])
        case .attributedType(let type): return schema(of: type.baseType, in: scope)
        case .identifierType(let type):
            return schema(
                named: type.name.plainName,
                clause: type.genericArgumentClause,
                of: TypeSyntax(type),
                in: scope
            )
        case .memberType(let member):
            let name = ValueType.withoutModule("\(member.baseType.trimmedDescription).\(member.name.plainName)")
            return schema(named: name, clause: member.genericArgumentClause, of: TypeSyntax(member), in: scope)
        default: return unknown(type, in: scope)
        }
    }

    /// Returns the schema of a type that is written as text.
    mutating func schema(of type: String, in scope: Scope) -> JSONText {
        schema(of: TypeSyntax(stringLiteral: type), in: scope)
    }

    private mutating func list(of element: TypeSyntax, isUnique: Bool = false, in scope: Scope) -> JSONText {
        .members([
            "type": "array", "uniqueItems": isUnique ? .boolean(true) : nil, "items": schema(of: element, in: scope),
        ])
    }

    private mutating func dictionary(of value: TypeSyntax, in scope: Scope) -> JSONText {
        .members(["type": "object", "additionalProperties": schema(of: value, in: scope)])
    }

    private mutating func schema(
        named name: String,
        clause: GenericArgumentClauseSyntax?,
        of type: TypeSyntax,
        in scope: Scope
    ) -> JSONText {
        let arguments = (clause?.arguments ?? []).compactMap { argument in
            if case .type(let type) = argument.argument { type } else { nil }
        }
        if let (argument, outer) = scope.arguments[name] { return schema(of: argument, in: outer[0]) }
        // A declared type replaces one of Foundation with the same name.
        if let declaration = types.find(name, in: scope.path) {
            return reference(to: declaration, arguments: arguments, in: scope)
        }
        switch (name, arguments.count) {
        case ("Optional", 1): return schema(of: arguments[0], in: scope)
        case ("Array", 1), ("ArraySlice", 1), ("ContiguousArray", 1): return list(of: arguments[0], in: scope)
        case ("Set", 1): return list(of: arguments[0], isUnique: true, in: scope)
        case ("Dictionary", 2): return dictionary(of: arguments[1], in: scope)
        default: return Self.known[name] ?? unknown(type, in: scope)
        }
    }

    private mutating func unknown(_ type: TypeSyntax, in scope: Scope) -> JSONText {
        let text = type.trimmedDescription
        if !["Any", "AnyObject"].contains(text), !type.is(SomeOrAnyTypeSyntax.self) {
            problems.append(
                (
                    "the type '\(text)' is not declared in the files, so its schema allows any value",
                    Self.place(of: type, in: scope), scope.file
                )
            )
        }
        return .object([])
    }

    /// Returns the node of a type in its file: for a type that was read as text, the first equal one of the method.
    private static func place(of type: TypeSyntax, in scope: Scope) -> Syntax {
        guard let method = scope.method else { return Syntax(type) }
        let text = type.trimmedDescription
        var pending = [method]
        while let node = pending.popLast() {
            if node.is(TypeSyntax.self), node.trimmedDescription == text { return node }
            pending += node.children(viewMode: .sourceAccurate).reversed()
        }
        return method
    }

    /// The schemas of the types of Swift and Foundation, as `JSONEncoder` writes their values with a `dateEncodingStrategy` of ISO 8601.
    private static let known: [String: JSONText] = {
        func number(_ type: String, _ format: String? = nil, minimum: Int? = nil) -> JSONText {
            .members([
                "type": .string(type), "format": format.map { .string($0) }, "minimum": minimum.map { .integer($0) },
            ])
        }
        func text(_ format: String) -> JSONText { .members(["type": "string", "format": .string(format)]) }
        return [
            "String": .members(["type": "string"]), "Substring": .members(["type": "string"]),
            "Character": .members(["type": "string"]), "Bool": .members(["type": "boolean"]),
            "Int": number("integer"), "Int8": number("integer", "int8"), "Int16": number("integer", "int16"),
            "Int32": number("integer", "int32"), "Int64": number("integer", "int64"),
            "UInt": number("integer", minimum: 0), "UInt8": number("integer", "uint8", minimum: 0),
            "UInt16": number("integer", "uint16", minimum: 0), "UInt32": number("integer", "uint32", minimum: 0),
            "UInt64": number("integer", "uint64", minimum: 0), "Double": number("number", "double"),
            "Float": number("number", "float"), "CGFloat": number("number", "double"), "Decimal": number("number"),
            "TimeInterval": number("number", "double"), "Date": text("date-time"), "UUID": text("uuid"),
            "URL": text("uri"),
            "Data": .members(["type": "string", "contentEncoding": "base64"]),
        ]
    }()

    // MARK: Declared types

    private mutating func reference(
        to declaration: DeclaredTypes.Declaration,
        arguments: [TypeSyntax],
        in scope: Scope
    ) -> JSONText {
        let texts = arguments.map { Self.substituted($0, in: scope) }
        guard texts.allSatisfy({ $0.count { "[<".contains($0) } <= 8 }) else {
            // A generic type may contain itself with ever longer arguments.
            problems.append(
                (
                    "the type contains itself without end, so its schema allows any value",
                    Syntax(declaration.node), declaration.file
                )
            )
            return .object([])
        }
        let words = texts.map { TypeWords.text(of: $0) }
        let name = declaration.schemaName + (words.isEmpty ? "" : "Of" + words.joined(separator: "And"))
        var inner = Scope(path: declaration.path, file: declaration.file)
        let parameters = declaration.genericParameters
        for (parameter, argument) in zip(parameters, arguments) { inner.arguments[parameter] = (argument, [scope]) }
        if let alias = declaration.node.as(TypeAliasDeclSyntax.self) {
            return schema(of: alias.initializer.value, in: inner)
        }
        if schemas[name] == nil {
            // A recursive type refers to its own schema.
            schemas[name] = .some(nil)
            schemas[name] = .some(schema(of: declaration, in: inner))
        }
        return .members(["$ref": .string("#/components/schemas/\(name)")])
    }

    /// Returns the text of a type with the arguments in place of generic parameters.
    private static func substituted(_ type: TypeSyntax, in scope: Scope) -> String {
        guard !scope.arguments.isEmpty else { return type.trimmedDescription }
        var text = ""
        for token in type.tokens(viewMode: .sourceAccurate) {
            if case .identifier(let name) = token.tokenKind, let (argument, outer) = scope.arguments[name] {
                text += substituted(argument, in: outer[0])
            } else {
                text += token.text
            }
        }
        return text
    }

    private mutating func schema(of declaration: DeclaredTypes.Declaration, in scope: Scope) -> JSONText {
        if let enumeration = declaration.node.as(EnumDeclSyntax.self) { return schema(of: enumeration, in: scope) }
        guard let group = declaration.node.asProtocol((any DeclGroupSyntax).self) else { return .object([]) }
        let members = group.memberBlock.members.map(\.decl)
        if let rawValue = members.lazy.compactMap({ $0.as(VariableDeclSyntax.self) }).first(where: { $0.isRawValue }),
            group.inherits("RawRepresentable") || group.inherits("OptionSet"),
            let type = rawValue.bindings.first?.typeAnnotation
        {
            return schema(of: type.type, in: scope)
        }
        for coder in members.compactMap({ $0.as(InitializerDeclSyntax.self) }) where coder.isDecoder {
            problems.append(
                (
                    "the type decodes itself, so its schema may differ from its properties", Syntax(coder.initKeyword),
                    scope.file
                )
            )
        }
        let keys = codingKeys(in: members)
        var properties: [JSONText.Member] = []
        var required: [JSONText] = []
        for property in members.compactMap({ $0.as(VariableDeclSyntax.self) }).filter(\.isStored) {
            for binding in property.bindings {
                guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainName,
                    keys.map({ $0[name] != nil }) ?? true
                else { continue }
                let wireName = keys?[name] ?? name
                let type = binding.typeAnnotation?.type ?? binding.initializer?.value.literalType
                if type == nil {
                    problems.append(
                        (
                            "the type of '\(name)' is not written, so its schema allows any value", Syntax(binding),
                            scope.file
                        )
                    )
                }
                var value = type.map { schema(of: $0, in: scope) } ?? .object([])
                value = value.describing(property.documentation)
                let sent = isSnakeCase ? WireNames.snakeCase(wireName) : wireName
                properties.append(JSONText.Member(name: sent, value: value))
                if let type, !ValueType(type).isOptional { required.append(.string(sent)) }
            }
        }
        return JSONText.members([
            "type": "object", "properties": properties.isEmpty ? nil : .object(properties),
            "required": required.isEmpty ? nil : .array(required),
        ]).describing(declaration.node.documentation)
    }

    /// Returns the names of properties by `CodingKeys`; `nil` if the type has none.
    private func codingKeys(in members: [DeclSyntax]) -> [String: String]? {
        guard
            let keys = members.lazy.compactMap({ $0.as(EnumDeclSyntax.self) }).first(where: {
                $0.name.text == "CodingKeys"
            })
        else { return nil }
        let elements = keys.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }.flatMap(\.elements)
        return Dictionary(
            elements.map { ($0.name.plainName, $0.rawValue?.value.plainSegment?.content.text ?? $0.name.plainName) }
        ) { first, _ in first }
    }

    private mutating func schema(of enumeration: EnumDeclSyntax, in scope: Scope) -> JSONText {
        let elements = enumeration.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }.flatMap(
            \.elements
        )
        let raw = enumeration.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription ?? ""
        let schema: JSONText
        if raw == "String" {
            let values = elements.map { $0.rawValue?.value.plainSegment?.content.text ?? $0.name.plainName }
            schema = .members(["type": "string", "enum": .array(values.map { .string($0) })])
        } else if raw.hasPrefix("Int") || raw.hasPrefix("UInt") {
            var next = 0
            let values = elements.map { element in
                if let text = element.rawValue?.value.trimmedDescription, let value = Int(text.filter { $0 != "_" }) {
                    next = value
                }
                defer { next += 1 }
                return JSONText.integer(next)
            }
            schema = .members(["type": "integer", "enum": .array(values)])
        } else {
            problems.append(
                (
                    "the enum has no raw values of String or Int, so its schema allows any value",
                    Syntax(enumeration.name), scope.file
                )
            )
            schema = .object([])
        }
        return schema.describing(enumeration.documentation)
    }
}

extension JSONText {
    /// Returns a schema with a description; a reference is unchanged, because a description beside it would apply to the referenced schema.
    func describing(_ documentation: [String]) -> JSONText {
        guard case .object(let members) = self, let text = documentation.sentences, self["$ref"] == nil else {
            return self
        }
        return .object(members + [Member(name: "description", value: .string(text))])
    }
}

extension [String] {
    /// The text of documentation comments; `nil` if there is none.
    var sentences: String? {
        let lines = map { line in
            let text = line.drop { $0 == "/" }
            return text.hasPrefix(" ") ? String(text.dropFirst()) : String(text)
        }
        let text = lines.joined(separator: "\n")
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }
}

extension DeclaredTypes.Declaration {
    fileprivate var genericParameters: [String] {
        let clause =
            node.as(StructDeclSyntax.self)?.genericParameterClause ?? node.as(ClassDeclSyntax.self)?
            .genericParameterClause
            ?? node.as(EnumDeclSyntax.self)?.genericParameterClause
            ?? node.as(TypeAliasDeclSyntax.self)?.genericParameterClause
        return (clause?.parameters ?? []).map(\.name.plainName)
    }
}

extension DeclGroupSyntax {
    fileprivate func inherits(_ name: String) -> Bool {
        inheritanceClause?.inheritedTypes.contains { $0.type.trimmedDescription == name } ?? false
    }
}

extension InitializerDeclSyntax {
    /// Whether this is `init(from: any Decoder)`.
    fileprivate var isDecoder: Bool {
        let parameters = signature.parameterClause.parameters
        return parameters.count == 1 && parameters.first?.firstName.text == "from"
            && parameters.first?.type.trimmedDescription.hasSuffix("Decoder") == true
    }
}

extension VariableDeclSyntax {
    /// Whether the property is coded: it is neither static nor computed.
    fileprivate var isStored: Bool {
        let isOfType = modifiers.contains { ["static", "class", "lazy"].contains($0.name.text) }
        return !isOfType
            && bindings.allSatisfy { binding in
                switch binding.accessorBlock?.accessors {
                case nil: true
                case .getter: false
                case .accessors(let accessors):
                    accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
                }
            }
    }

    fileprivate var isRawValue: Bool {
        bindings.first?.pattern.trimmedDescription == "rawValue" && !modifiers.contains { $0.name.text == "static" }
    }
}

extension ExprSyntax {
    /// The type of a literal; `nil` for other expressions.
    fileprivate var literalType: TypeSyntax? {
        switch kind {
        case .stringLiteralExpr: "String"
        case .integerLiteralExpr: "Int"
        case .floatLiteralExpr: "Double"
        case .booleanLiteralExpr: "Bool"
        default: nil
        }
    }
}
#endif
