#if Macros
import SwiftSyntax

/// Finds names in an expression that have another meaning in the generated code.
///
/// The expressions of attributes become part of a target, whose properties and cases shadow outer names.
/// `@API(baseURL)` would recurse infinitely.
final class HiddenNames: SyntaxVisitor {
    private let members: Set<String>
    private var locals: Set<String> = []
    private var references: [TokenSyntax] = []

    private init(members: Set<String>) {
        self.members = members
        super.init(viewMode: .sourceAccurate)
    }

    /// Returns the first use of each such name.
    static func find(in expression: some ExprSyntaxProtocol, members: Set<String>) -> [TokenSyntax] {
        let visitor = HiddenNames(members: members)
        visitor.walk(expression)
        var found: Set<String> = []
        return visitor.references.filter { token in
            !visitor.locals.contains(token.plainName) && found.insert(token.plainName).inserted
        }
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        let isMember = node.parent?.as(MemberAccessExprSyntax.self)?.declName.id == node.id
        if !isMember, members.contains(node.baseName.plainName) { references.append(node.baseName) }
        return .visitChildren
    }

    override func visit(_ node: ClosureParameterSyntax) -> SyntaxVisitorContinueKind {
        locals.insert((node.secondName ?? node.firstName).plainName)
        return .visitChildren
    }

    override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind {
        locals.insert(node.name.plainName)
        return .visitChildren
    }

    override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
        locals.insert(node.identifier.plainName)
        return .visitChildren
    }
}
#endif
