#if Macros
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// What says something to ``APIMacro``, and expands to nothing itself.
    struct MarkerMacro: PeerMacro {
        static func expansion(
            of node: AttributeSyntax,
            providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            let isInside = context.lexicalContext.first?.is(ProtocolDeclSyntax.self) ?? false
            if !isInside, !declaration.is(ProtocolDeclSyntax.self) {
                context.diagnose(Mistake.markerOutsideOfAPI(node.shortName).at(node.attributeName))
            }
            return []
        }
    }
#endif
