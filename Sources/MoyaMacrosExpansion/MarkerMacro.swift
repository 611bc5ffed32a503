#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// An attribute that ``APIMacro`` reads.
///
/// The attribute with the path expands to checks of the method's types; the others expand to nothing.
package struct MarkerMacro: PeerMacro {
    /// Disabled, because the generated code is already formatted.
    package static var formatMode: FormatMode { .disabled }

    package static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        // The compiler checks the arguments of this generated attribute. The next check would reject the attribute,
        // because the context of generated code has no attributes.
        if node.shortName == TypeChecksWriter.attributeName { return [] }
        let api =
            declaration.as(ProtocolDeclSyntax.self) ?? context.lexicalContext.first?.as(ProtocolDeclSyntax.self)
        if api?.attributes.attributes(named: "API").isEmpty ?? true {
            context.diagnose(MacroDiagnostic.markerOutsideOfAPI(node.shortName).at(node.attributeName))
            return []
        }
        guard EndpointReader.methodNames.contains(node.shortName),
            let function = declaration.as(FunctionDeclSyntax.self)
        else { return [] }
        // The expansion for the protocol reports the mistakes.
        var report: [Diagnostic] = []
        let common = CommonAttributes(reading: [], isForAll: false, report: &report)
        var reader = EndpointReader(function: function, common: common)
        guard let endpoint = reader.read(), !reader.diagnostics.hasErrors else { return [] }
        return TypeChecksWriter(endpoint: endpoint).texts { context.makeUniqueName($0).text }
            .map { DeclSyntax(stringLiteral: $0) }
    }
}
#endif
