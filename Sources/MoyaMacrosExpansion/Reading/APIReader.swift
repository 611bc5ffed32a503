#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    /// Reads a protocol with its attributes, and notes what is wrong.
    struct APIReader {
        private(set) var diagnostics: [Diagnostic] = []

        mutating func read(_ declaration: ProtocolDeclSyntax, attribute: AttributeSyntax) -> API? {
            let baseURL = readBaseURL(attribute.firstArgument)
            let common = CommonAttributes(reading: declaration.attributes, isForAll: true, report: &diagnostics)
            let keys = attribute.argument("keys")?.trimmedDescription ?? ""
            if let types = declaration.primaryAssociatedTypeClause {
                diagnostics.append(Mistake.genericProtocol.at(types))
            }
            var endpoints: [(endpoint: Endpoint, function: FunctionDeclSyntax, attribute: AttributeSyntax)] = []
            for member in declaration.memberBlock.members {
                guard let function = member.decl.as(FunctionDeclSyntax.self) else {
                    diagnostics.append(Mistake.unsupportedMember(member.decl.kindName).at(member.decl.keyword))
                    continue
                }
                var reader = EndpointReader(
                    function: function,
                    common: common,
                    isSnakeCase: keys.hasSuffix("snakeCase")
                )
                if let (endpoint, attribute) = reader.read() { endpoints.append((endpoint, function, attribute)) }
                diagnostics += reader.diagnostics
            }
            if declaration.memberBlock.members.isEmpty { diagnostics.append(Mistake.noEndpoints.at(declaration.name)) }
            findDuplicateRoutes(endpoints.map { ($0.endpoint, $0.attribute) })
            nameCases(&endpoints)
            guard let baseURL else { return nil }
            return API(
                name: declaration.name.text,
                access: declaration.modifiers.map(\.trimmedDescription).first { Self.accessLevels.contains($0) } ?? "",
                attributes: declaration.attributes.compactMap { $0.as(AttributeSyntax.self) }
                    .filter { $0.shortName == "available" }.map(\.trimmedDescription),
                baseURL: baseURL,
                endpoints: endpoints.map(\.endpoint)
            )
        }

        private static let accessLevels: Set = ["public", "package", "fileprivate", "private"]

        private mutating func readBaseURL(_ expression: ExprSyntax?) -> API.BaseURL? {
            guard let expression else { return nil }
            guard expression.is(StringLiteralExprSyntax.self) else { return .expression(expression.trimmedDescription) }
            guard let segment = expression.plainSegment else {
                diagnostics.append(Mistake.noLiteral.at(expression))
                return nil
            }
            let text = segment.content.text
            guard let problem = BaseURLCheck.problem(in: text) else { return .checked(text) }
            var fixIts: [FixIt] = []
            if !text.contains("://"), BaseURLCheck.problem(in: "https://" + text) == nil {
                fixIts.append(Remedy("insert 'https://'").inserting("https://", before: segment))
            }
            diagnostics.append(Mistake.invalidURL(problem).at(expression, fixIts: fixIts))
            return nil
        }

        private mutating func findDuplicateRoutes(_ endpoints: [(endpoint: Endpoint, attribute: AttributeSyntax)]) {
            var seen: [String: AttributeSyntax] = [:]
            for (endpoint, attribute) in endpoints {
                let route = "\(endpoint.method) \(endpoint.template.route)"
                // One route may take several kinds of bodies, and have its answer go to several places.
                let request = "\(route) \(endpoint.kind) \(endpoint.format)"
                if let first = seen[request] {
                    let note = Note(node: Syntax(first), message: Remark(message: "here is the first one"))
                    let node = attribute.argumentList.last.map { Syntax($0.expression) } ?? Syntax(attribute)
                    diagnostics.append(Mistake.duplicateRoute(route).at(node, notes: [note]))
                } else {
                    seen[request] = attribute
                }
            }
        }

        /// Gives methods with the same name cases with other names, made of the labels.
        private mutating func nameCases(
            _ endpoints: inout [(endpoint: Endpoint, function: FunctionDeclSyntax, attribute: AttributeSyntax)]
        ) {
            var counts: [String: Int] = [:]
            for (endpoint, _, _) in endpoints { counts[endpoint.name, default: 0] += 1 }
            var taken: Set<String> = []
            for index in endpoints.indices {
                let endpoint = endpoints[index].endpoint
                if counts[endpoint.name] != 1 {
                    let labels = endpoint.parameters.map { $0.label ?? $0.name }
                    endpoints[index].endpoint.caseName = labels.reduce(endpoint.name) { $0 + $1.capitalizedFirst }
                }
                let name = endpoints[index].endpoint.caseName
                if !taken.insert(name).inserted {
                    diagnostics.append(Mistake.sameCase(name).at(endpoints[index].function.name))
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
            default: "such members"
            }
        }

        /// What says what it is.
        fileprivate var keyword: Syntax {
            if let variable = self.as(VariableDeclSyntax.self) { return Syntax(variable.bindingSpecifier) }
            return firstToken(viewMode: .sourceAccurate).map { Syntax($0) } ?? Syntax(self)
        }
    }

    extension String {
        var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
    }
#endif
