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
        var reader = APIReader()
        let api = reader.read(declaration, attribute: node)
        reader.diagnostics.forEach(context.diagnose)
        guard let api, !reader.diagnostics.hasErrors else { return [] }
        return [TargetWriter(api: api).text, ClientWriter(api: api).text, MockWriter(api: api).text].map {
            DeclSyntax(stringLiteral: $0)
        }
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
        guard let declaration = declaration.as(ProtocolDeclSyntax.self), context.lexicalContext.isEmpty else {
            return []
        }
        // The peer expansion reports the mistakes.
        var reader = APIReader()
        guard let api = reader.read(declaration, attribute: node), !reader.diagnostics.hasErrors,
            let text = ExtensionWriter(api: api).text,
            let result = DeclSyntax(stringLiteral: text).as(ExtensionDeclSyntax.self)
        else { return [] }
        return [result]
    }
}

extension [Diagnostic] {
    /// Whether one of the diagnostics is an error; then the macro generates nothing.
    var hasErrors: Bool { contains { $0.diagMessage.severity == .error } }
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
