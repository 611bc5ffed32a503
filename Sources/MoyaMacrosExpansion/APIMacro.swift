#if Macros
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// Generates a target, a client and a mock for a protocol.
    package struct APIMacro: PeerMacro {
        /// Disabled, as the generated code is already formatted.
        package static var formatMode: FormatMode { .disabled }

        package static func expansion(
            of node: AttributeSyntax,
            providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            guard let declaration = declaration.as(ProtocolDeclSyntax.self) else {
                context.diagnose(MacroDiagnostic.noProtocol.at(declaration.declarationKeyword ?? Syntax(node)))
                return []
            }
            var reader = APIReader()
            let api = reader.read(declaration, attribute: node)
            reader.diagnostics.forEach(context.diagnose)
            guard let api, reader.diagnostics.isEmpty else { return [] }
            return [TargetWriter(api: api).text, ClientWriter(api: api).text, MockWriter(api: api).text].map {
                DeclSyntax(stringLiteral: $0)
            }
        }
    }

    extension DeclSyntaxProtocol {
        /// The keyword of the declaration.
        fileprivate var declarationKeyword: Syntax? {
            if let group = asProtocol((any DeclGroupSyntax).self) { return Syntax(group.introducer) }
            if let function = self.as(FunctionDeclSyntax.self) { return Syntax(function.funcKeyword) }
            if let variable = self.as(VariableDeclSyntax.self) { return Syntax(variable.bindingSpecifier) }
            return nil
        }
    }

    /// An attribute that ``APIMacro`` reads, and that expands to nothing.
    package struct MarkerMacro: PeerMacro {
        package static func expansion(
            of node: AttributeSyntax,
            providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            let api =
                declaration.as(ProtocolDeclSyntax.self) ?? context.lexicalContext.first?.as(ProtocolDeclSyntax.self)
            if api?.attributes.all("API").isEmpty ?? true {
                context.diagnose(MacroDiagnostic.markerOutsideOfAPI(node.shortName).at(node.attributeName))
            }
            return []
        }
    }
#endif
