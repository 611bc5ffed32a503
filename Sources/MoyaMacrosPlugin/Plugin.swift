// The compiler runs this executable. The implementation is in a library, because tests that depend on an executable
// macro, and everything that they test, would be built a second time for the host.
#if Macros
import MoyaMacrosExpansion
import SwiftCompilerPlugin
import SwiftSyntax
import SwiftSyntaxMacros

/// The plugin with the package's macros.
@main
struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        APIMacro.self, MarkerMacro.self, StatusResultMacro.self, StatusMacro.self,
    ]
}

// The compiler finds macros by the name of this module.

struct APIMacro: PeerMacro, ExtensionMacro {
    static var formatMode: FormatMode { MoyaMacrosExpansion.APIMacro.formatMode }

    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        try MoyaMacrosExpansion.APIMacro.expansion(of: node, providingPeersOf: declaration, in: context)
    }

    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        try MoyaMacrosExpansion.APIMacro.expansion(
            of: node,
            attachedTo: declaration,
            providingExtensionsOf: type,
            conformingTo: protocols,
            in: context
        )
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

struct StatusResultMacro: ExtensionMacro {
    static var formatMode: FormatMode { MoyaMacrosExpansion.StatusResultMacro.formatMode }

    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        try MoyaMacrosExpansion.StatusResultMacro.expansion(
            of: node,
            attachedTo: declaration,
            providingExtensionsOf: type,
            conformingTo: protocols,
            in: context
        )
    }
}

struct StatusMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        try MoyaMacrosExpansion.StatusMacro.expansion(of: node, providingPeersOf: declaration, in: context)
    }
}
#else
// Every plugin must be an executable.
@main
enum Plugin {
    static func main() {}
}
#endif
