#if Macros
    import SwiftSyntax
    import SwiftSyntaxMacros

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
