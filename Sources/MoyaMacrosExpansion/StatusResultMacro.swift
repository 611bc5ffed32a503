#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Generates the conformance of an enumeration to `StatusResult`.
package struct StatusResultMacro: ExtensionMacro {
    /// Disabled, because the generated code is already formatted.
    package static var formatMode: FormatMode { .disabled }

    package static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let declaration = declaration.as(EnumDeclSyntax.self) else {
            context.diagnose(MacroDiagnostic.noEnum.at(declaration.introducer))
            return []
        }
        var reader = StatusResultReader()
        let cases = reader.read(declaration)
        reader.diagnostics.forEach(context.diagnose)
        guard !reader.diagnostics.hasErrors else { return [] }
        let access = declaration.modifiers.map(\.trimmedDescription).first { ["public", "package"].contains($0) }
        let writer = StatusResultWriter(
            type: type.trimmedDescription,
            access: access.map { $0 + " " } ?? "",
            cases: cases
        )
        return DeclSyntax(stringLiteral: writer.text).as(ExtensionDeclSyntax.self).map { [$0] } ?? []
    }
}

/// The attribute of a case, which ``StatusResultMacro`` reads.
package struct StatusMacro: PeerMacro {
    package static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let outer = context.lexicalContext.first?.as(EnumDeclSyntax.self)
        if !declaration.is(EnumCaseDeclSyntax.self)
            || outer?.attributes.attributes(named: "StatusResult").isEmpty ?? true
        {
            context.diagnose(MacroDiagnostic.statusOutsideOfResult.at(node.attributeName))
        }
        return []
    }
}
#endif
