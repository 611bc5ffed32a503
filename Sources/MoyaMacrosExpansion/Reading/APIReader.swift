#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    /// Reads a protocol with its attributes, and collects diagnostics.
    struct APIReader {
        private(set) var diagnostics: [Diagnostic] = []

        mutating func read(_ declaration: ProtocolDeclSyntax, attribute: AttributeSyntax) -> API? {
            let baseURL = readBaseURL(attribute.firstArgument)
            let common = CommonAttributes(reading: declaration.attributes, isForAll: true, report: &diagnostics)
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
            var endpoints: [(endpoint: Endpoint, function: FunctionDeclSyntax, attribute: AttributeSyntax)] = []
            for member in declaration.memberBlock.members {
                guard let function = member.decl.as(FunctionDeclSyntax.self) else {
                    diagnostics.append(MacroDiagnostic.unsupportedMember(member.decl.kindName).at(member.decl.keyword))
                    continue
                }
                var reader = EndpointReader(
                    function: function,
                    common: common,
                    isSnakeCase: keys.hasSuffix("snakeCase"),
                    targetMembers: targetMembers
                )
                if let (endpoint, attribute) = reader.read() { endpoints.append((endpoint, function, attribute)) }
                diagnostics += reader.diagnostics
            }
            if declaration.memberBlock.members.isEmpty {
                diagnostics.append(MacroDiagnostic.noEndpoints.at(declaration.name))
            }
            findDuplicateRoutes(endpoints.map { ($0.endpoint, $0.attribute) })
            nameCases(&endpoints)
            guard let baseURL else { return nil }
            return API(
                name: declaration.name.plainName,
                access: declaration.modifiers.map(\.trimmedDescription).first { Self.accessLevels.contains($0) } ?? "",
                attributes: declaration.attributes.compactMap { $0.as(AttributeSyntax.self) }
                    .filter { $0.shortName == "available" }.map(\.trimmedDescription),
                baseURL: baseURL,
                endpoints: endpoints.map(\.endpoint),
                writtenNames: Set(
                    declaration.tokens(viewMode: .sourceAccurate).compactMap { $0.identifier?.name }
                )
            )
        }

        private static let accessLevels: Set = ["public", "package", "fileprivate", "private"]

        /// The properties of a target, which shadow outer names.
        private static let targetProperties: Set = [
            "authorizationType", "baseURL", "headers", "isPathEscaped", "method", "path", "sampleData", "task",
            "validationType",
        ]

        /// Checks that the names in attributes' expressions are not shadowed in the generated target.
        private mutating func checkNames(
            in api: AttributeSyntax,
            _ attributes: AttributeListSyntax,
            targetMembers: Set<String>
        ) {
            let others = ["Validation", "Authorization", "URLStyle"].flatMap(attributes.all)
            let expressions = [api.firstArgument].compactMap(\.self) + others.flatMap(\.argumentList).map(\.expression)
            for expression in expressions {
                for token in HiddenNames.find(in: expression, members: targetMembers) {
                    diagnostics.append(MacroDiagnostic.hiddenName(token.plainName).at(token))
                }
            }
        }

        /// Checks for requirements that the client, a struct, and the mock cannot fulfill.
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

        private mutating func findDuplicateRoutes(_ endpoints: [(endpoint: Endpoint, attribute: AttributeSyntax)]) {
            var seen: [String: AttributeSyntax] = [:]
            for (endpoint, attribute) in endpoints {
                let route = "\(endpoint.method) \(endpoint.template.route)"
                // A route may be used with several kinds of bodies and results.
                let request = "\(route) \(endpoint.kind) \(endpoint.format)"
                if let first = seen[request] {
                    let note = Note(node: Syntax(first), message: MacroNote(message: "here is the first one"))
                    let node = attribute.argumentList.last.map { Syntax($0.expression) } ?? Syntax(attribute)
                    diagnostics.append(MacroDiagnostic.duplicateRoute(route).at(node, notes: [note]))
                } else {
                    seen[request] = attribute
                }
            }
        }

        /// Gives overloaded methods distinct case names that include the labels.
        private mutating func nameCases(
            _ endpoints: inout [(endpoint: Endpoint, function: FunctionDeclSyntax, attribute: AttributeSyntax)]
        ) {
            var counts: [String: Int] = [:]
            for (endpoint, _, _) in endpoints { counts[endpoint.name, default: 0] += 1 }
            var taken: Set<String> = []
            for index in endpoints.indices {
                let endpoint = endpoints[index].endpoint
                if counts[endpoint.name] != 1 {
                    let labels = endpoint.parameters.map { $0.label?.withoutBackticks ?? $0.name }
                    endpoints[index].endpoint.caseName = labels.reduce(endpoint.name) { $0 + $1.capitalizedFirst }
                }
                let name = endpoints[index].endpoint.caseName
                if !taken.insert(name).inserted {
                    diagnostics.append(MacroDiagnostic.sameCase(name).at(endpoints[index].function.name))
                }
            }
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

    extension String {
        var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
    }
#endif
