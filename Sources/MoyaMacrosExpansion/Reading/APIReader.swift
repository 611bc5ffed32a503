#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// Reads a protocol with its attributes, and collects diagnostics.
struct APIReader {
    private(set) var diagnostics: [Diagnostic] = []

    mutating func read(_ declaration: ProtocolDeclSyntax, attribute: AttributeSyntax) -> API? {
        let baseURL = readBaseURL(attribute.firstArgument)
        let common = CommonAttributes(reading: declaration.attributes, isForAll: true, report: &diagnostics)
        for name in EndpointReader.namesOfMethods.sorted() {
            for attribute in declaration.attributes.attributes(named: name) {
                diagnostics.append(MacroDiagnostic.onlyForMethods(name).at(attribute))
            }
        }
        let keys = attribute.argument("keys")?.trimmedDescription ?? ""
        if let types = declaration.primaryAssociatedTypeClause {
            diagnostics.append(MacroDiagnostic.genericProtocol.at(types))
        }
        let names = declaration.memberBlock.members.compactMap {
            $0.decl.as(FunctionDeclSyntax.self)?.name.plainName
        }
        let targetMembers = Self.targetProperties.union(names)
        checkNames(in: attribute, declaration.attributes, targetMembers: targetMembers)
        checkInheritance(of: declaration)
        var endpoints: [(endpoint: Endpoint, function: FunctionDeclSyntax)] = []
        for member in declaration.memberBlock.members {
            guard let function = member.decl.as(FunctionDeclSyntax.self) else {
                diagnostics.append(MacroDiagnostic.unsupportedMember(member.decl.kindName).at(member.decl.keyword))
                continue
            }
            var reader = EndpointReader(
                function: function,
                common: common,
                isSnakeCase: keys.hasSuffix("snakeCase"),
                hasEncoder: attribute.coder("encoder") != nil,
                targetMembers: targetMembers
            )
            if let endpoint = reader.read() { endpoints.append((endpoint, function)) }
            diagnostics += reader.diagnostics
        }
        if declaration.memberBlock.members.isEmpty {
            diagnostics.append(MacroDiagnostic.noEndpoints.at(declaration.name))
        }
        nameCases(&endpoints)
        let isPart = readIsPart(attribute)
        guard let baseURL else { return nil }
        return API(
            name: declaration.name.plainName,
            access: Self.access(of: declaration),
            attributes: Self.availability(of: declaration),
            isNonisolated: declaration.modifiers.contains { $0.name.tokenKind == .keyword(.nonisolated) },
            baseURL: baseURL,
            isPart: isPart,
            encoder: attribute.coder("encoder")?.trimmedDescription,
            decoder: attribute.coder("decoder")?.trimmedDescription,
            endpoints: endpoints.map(\.endpoint),
            writtenNames: Set(
                declaration.tokens(viewMode: .sourceAccurate).compactMap { $0.identifier?.name }
            )
        )
    }

    /// Returns the access level of a protocol; empty for internal access.
    static func access(of declaration: ProtocolDeclSyntax) -> String {
        let levels: Set = ["public", "package", "fileprivate", "private"]
        return declaration.modifiers.map(\.trimmedDescription).first { levels.contains($0) } ?? ""
    }

    /// Returns the attributes of a protocol that the generated types get as well.
    static func availability(of declaration: ProtocolDeclSyntax) -> [String] {
        declaration.attributes.compactMap { $0.as(AttributeSyntax.self) }
            .filter { $0.shortName == "available" }.map(\.trimmedDescription)
    }

    /// The properties of a target, which shadow outer names.
    static let targetProperties: Set = [
        "authorizationType", "baseURL", "cachePolicy", "headers", "idempotencyKeys", "isPathEscaped", "method", "path",
        "retryChoice", "sampleData", "task", "timeoutInterval", "timeouts", "urlTemplate", "validationType",
    ]

    /// Checks that the names in attributes' expressions are not shadowed in the generated target.
    private mutating func checkNames(
        in api: AttributeSyntax,
        _ attributes: AttributeListSyntax,
        targetMembers: Set<String>
    ) {
        let others = EndpointReader.namesInTarget.flatMap {
            attributes.attributes(named: $0)
        }
        let own = [api.firstArgument, api.coder("encoder"), api.coder("decoder")].compactMap(\.self)
        let expressions = own + others.flatMap(\.argumentList).map(\.expression)
        for expression in expressions {
            for token in HiddenNames.find(in: expression, members: targetMembers) {
                diagnostics.append(MacroDiagnostic.hiddenName(token.plainName).at(token))
            }
        }
    }

    /// Checks that the protocol inherits no requirement that the client, which is a struct, cannot fulfill.
    private mutating func checkInheritance(of declaration: ProtocolDeclSyntax) {
        let inherited = declaration.inheritanceClause?.inheritedTypes.map(\.type) ?? []
        let required = declaration.genericWhereClause?.requirements.compactMap { requirement -> TypeSyntax? in
            guard case .conformanceRequirement(let conformance) = requirement.requirement,
                conformance.leftType.trimmedDescription == "Self"
            else { return nil }
            return conformance.rightType
        }
        for type in inherited + (required ?? []) {
            let parts = type.as(CompositionTypeSyntax.self)?.elements.map(\.type) ?? [type]
            for part in parts {
                let name = part.as(MemberTypeSyntax.self)?.name.text ?? part.trimmedDescription
                guard Self.classProtocols.contains(name) else { continue }
                let fixIt = MacroFixIt("replace '\(part.trimmedDescription)' with 'Sendable'")
                    .replacing(part, with: "Sendable")
                diagnostics.append(MacroDiagnostic.classProtocol(part.trimmedDescription).at(part, fixIts: [fixIt]))
            }
        }
    }

    private static let classProtocols: Set = ["AnyObject", "class", "Actor", "AnyActor", "NSObjectProtocol"]

    /// Returns whether the API is a part of composed APIs.
    private mutating func readIsPart(_ attribute: AttributeSyntax) -> Bool {
        guard let argument = attribute.argument("isPart") else { return false }
        guard let literal = argument.as(BooleanLiteralExprSyntax.self) else {
            diagnostics.append(MacroDiagnostic.noBooleanLiteral.at(argument))
            return false
        }
        return literal.literal.tokenKind == .keyword(.true)
    }

    private mutating func readBaseURL(_ expression: ExprSyntax?) -> API.BaseURL? {
        guard let expression else { return nil }
        guard expression.is(StringLiteralExprSyntax.self) else { return .expression(expression.trimmedDescription) }
        guard let segment = expression.plainSegment else {
            diagnostics.append(MacroDiagnostic.noLiteral.at(expression))
            return nil
        }
        let text = segment.content.text
        guard let problem = BaseURLCheck.problem(in: text) else { return .checked(text) }
        var fixIts: [FixIt] = []
        if !text.contains("://"), BaseURLCheck.problem(in: "https://" + text) == nil {
            fixIts.append(MacroFixIt("insert 'https://'").inserting("https://", before: segment))
        }
        diagnostics.append(MacroDiagnostic.invalidURL(problem).at(expression, fixIts: fixIts))
        return nil
    }

    /// Gives overloaded methods distinct case names.
    private mutating func nameCases(_ endpoints: inout [(endpoint: Endpoint, function: FunctionDeclSyntax)]) {
        let names = CaseNames.names(for: endpoints.map(\.endpoint))
        var taken: [String: Int] = [:]
        for (index, name) in names.enumerated() {
            endpoints[index].endpoint.caseName = name
            guard let first = taken.updateValue(index, forKey: name) else { continue }
            let note = Note(
                node: Syntax(endpoints[first].function.name),
                message: MacroNote(message: "here is the first one")
            )
            let problem = MacroDiagnostic.sameCase(
                name,
                of: endpoints[index].endpoint.fullName,
                and: endpoints[first].endpoint.fullName
            )
            diagnostics.append(problem.at(endpoints[index].function.name, notes: [note]))
        }
    }
}

extension AttributeSyntax {
    /// Returns the expression of the argument with a label, unless it is `nil`.
    func coder(_ label: String) -> ExprSyntax? {
        argument(label).flatMap { $0.is(NilLiteralExprSyntax.self) ? nil : $0 }
    }
}

extension DeclSyntax {
    fileprivate var kindName: String {
        switch kind {
        case .variableDecl: "properties"
        case .subscriptDecl: "subscripts"
        case .initializerDecl: "initializers"
        case .associatedTypeDecl: "associated types"
        case .typeAliasDecl: "type aliases"
        case .ifConfigDecl: "#if"
        default: "other members"
        }
    }

    /// The keyword of the declaration.
    fileprivate var keyword: Syntax {
        if let variable = self.as(VariableDeclSyntax.self) { return Syntax(variable.bindingSpecifier) }
        return firstToken(viewMode: .sourceAccurate).map { Syntax($0) } ?? Syntax(self)
    }
}
#endif
