#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// Finds unsupported types in an endpoint's parameters and results.
final class TypeCheck: SyntaxVisitor {
    private let isResult: Bool
    private var diagnostics: [Diagnostic] = []

    private init(isResult: Bool) {
        self.isResult = isResult
        super.init(viewMode: .sourceAccurate)
    }

    /// Returns the diagnostics for the type of a parameter.
    static func diagnostics(inParameter type: TypeSyntax) -> [Diagnostic] {
        let check = TypeCheck(isResult: false)
        check.walk(type)
        return check.diagnostics
    }

    /// Returns the diagnostics for the type of a result.
    static func diagnostics(inResult type: TypeSyntax) -> [Diagnostic] {
        // The type `()` is an empty tuple, and means that the method returns nothing.
        if type.as(TupleTypeSyntax.self)?.elements.isEmpty == true { return [] }
        let check = TypeCheck(isResult: true)
        check.walk(type)
        return check.diagnostics
    }

    override func visit(_ node: TupleTypeSyntax) -> SyntaxVisitorContinueKind {
        // Parentheses around a single type are not a tuple.
        guard node.elements.count != 1 else { return .visitChildren }
        diagnostics.append((isResult ? MacroDiagnostic.tupleResult : MacroDiagnostic.tupleParameter).at(node))
        return .skipChildren
    }

    override func visit(_ node: FunctionTypeSyntax) -> SyntaxVisitorContinueKind {
        diagnostics.append((isResult ? MacroDiagnostic.functionResult : MacroDiagnostic.functionParameter).at(node))
        return .skipChildren
    }

    override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
        if node.name.tokenKind == .keyword(.Self) { diagnostics.append(MacroDiagnostic.selfType.at(node.name)) }
        return .visitChildren
    }

    override func visit(_ node: ImplicitlyUnwrappedOptionalTypeSyntax) -> SyntaxVisitorContinueKind {
        let fixIt = MacroFixIt("replace '!' with '?'").replacing(node.exclamationMark, with: "?")
        diagnostics.append(MacroDiagnostic.implicitlyUnwrapped.at(node.exclamationMark, fixIts: [fixIt]))
        return .visitChildren
    }

    override func visit(_ node: SomeOrAnyTypeSyntax) -> SyntaxVisitorContinueKind {
        guard node.someOrAnySpecifier.tokenKind == .keyword(.some) else { return .visitChildren }
        diagnostics.append(MacroDiagnostic.generic.at(node))
        return .skipChildren
    }

    override func visit(_ node: AttributedTypeSyntax) -> SyntaxVisitorContinueKind {
        for specifier in node.specifiers {
            let text = specifier.trimmedDescription
            let range = specifier.positionAfterSkippingLeadingTrivia..<specifier.endPosition
            let fixIt = MacroFixIt("remove '\(text)'").replacing(range, in: specifier, with: "")
            let mistake =
                isResult
                ? MacroDiagnostic.unsupportedResult(text) : MacroDiagnostic.unsupportedParameter("'\(text)'")
            diagnostics.append(mistake.at(specifier, fixIts: [fixIt]))
        }
        return .visitChildren
    }
}
#endif
