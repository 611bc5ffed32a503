// Only the program that the compiler runs. What it does is in a library: tests that depend on the program itself, and all that
// is tested with them, would be built once more for the machine that the compiler runs on.
#if Macros
    import MoyaMacrosExpansion
    import SwiftCompilerPlugin
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// What the compiler asks for expansions.
    @main
    struct Plugin: CompilerPlugin {
        let providingMacros: [any Macro.Type] = [APIMacro.self, MarkerMacro.self]
    }

    // The compiler looks for macros by the name of this module.

    struct APIMacro: PeerMacro {
        static var formatMode: FormatMode { MoyaMacrosExpansion.APIMacro.formatMode }

        static func expansion(
            of node: AttributeSyntax,
            providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            try MoyaMacrosExpansion.APIMacro.expansion(of: node, providingPeersOf: declaration, in: context)
        }
    }

    struct MarkerMacro: PeerMacro {
        static func expansion(
            of node: AttributeSyntax,
            providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            try MoyaMacrosExpansion.MarkerMacro.expansion(of: node, providingPeersOf: declaration, in: context)
        }
    }
#else
    // A program all the same, as every plugin is one.
    @main
    enum Plugin {
        static func main() {}
    }
#endif
