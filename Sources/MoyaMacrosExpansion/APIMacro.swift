#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Generates a target, a client and a mock for a protocol.
package struct APIMacro: PeerMacro {
    /// Disabled, because the generated code is already formatted.
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
        let texts =
            node.composesAPIs
            ? composedDeclarations(declaration, node, context) : declarations(declaration, node, context)
        return texts.map { DeclSyntax(stringLiteral: $0) }
    }

    /// Returns the types of a protocol with methods.
    private static func declarations(
        _ declaration: ProtocolDeclSyntax,
        _ node: AttributeSyntax,
        _ context: some MacroExpansionContext
    ) -> [String] {
        var reader = APIReader()
        let api = reader.read(declaration, attribute: node)
        var diagnostics = reader.diagnostics
        if let api, api.isPart, !context.lexicalContext.isEmpty, let argument = node.argument("isPart") {
            diagnostics.append(MacroDiagnostic.nestedPart.at(argument))
        }
        diagnostics.forEach(context.diagnose)
        guard let api, !diagnostics.hasErrors else { return [] }
        return [TargetWriter(api: api).text, ClientWriter(api: api).text, MockWriter(api: api).text]
            + (api.isPart ? [PartWriter(api: api).forwarder] : [])
    }

    /// Returns the types of a protocol that composes APIs.
    private static func composedDeclarations(
        _ declaration: ProtocolDeclSyntax,
        _ node: AttributeSyntax,
        _ context: some MacroExpansionContext
    ) -> [String] {
        var reader = ComposedAPIReader()
        let writer = ComposedAPIWriter(api: reader.read(declaration, attribute: node))
        reader.diagnostics.forEach(context.diagnose)
        return reader.diagnostics.hasErrors ? [] : [writer.client, writer.mock]
    }
}

extension APIMacro: ExtensionMacro {
    package static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        // An extension of a nested protocol does not see the types next to the protocol, which its methods may use.
        guard let declaration = declaration.as(ProtocolDeclSyntax.self), context.lexicalContext.isEmpty,
            !node.composesAPIs
        else { return [] }
        // The peer expansion reports the mistakes.
        var reader = APIReader()
        guard let api = reader.read(declaration, attribute: node), !reader.diagnostics.hasErrors else { return [] }
        let texts = [ExtensionWriter(api: api).text, api.isPart ? PartWriter(api: api).methods : nil]
        return texts.compactMap(\.self).compactMap { DeclSyntax(stringLiteral: $0).as(ExtensionDeclSyntax.self) }
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
#endif
