#if Macros
import SwiftSyntax

extension AttributeSyntax {
    /// The attribute's name without a module.
    var shortName: String {
        attributeName.as(MemberTypeSyntax.self)?.name.text ?? attributeName.as(IdentifierTypeSyntax.self)?.name.text
            ?? ""
    }

    /// Whether the attribute can belong to MoyaMacros: its name is unqualified, or qualified with this module.
    var canBelongToMoya: Bool {
        guard let member = attributeName.as(MemberTypeSyntax.self) else { return true }
        return member.baseType.trimmedDescription == "MoyaMacros"
    }

    var argumentList: [LabeledExprSyntax] {
        guard case .argumentList(let list)? = arguments else { return [] }
        return Array(list)
    }

    /// The expression of the argument without label.
    var firstArgument: ExprSyntax? { argumentList.first { $0.label == nil }?.expression }

    /// Returns the expression of the argument with a label.
    func argument(_ label: String) -> ExprSyntax? { argumentList.first { $0.label?.text == label }?.expression }
}

extension AttributeListSyntax {
    /// Returns all attributes with a name.
    func attributes(named name: String) -> [AttributeSyntax] {
        compactMap { $0.as(AttributeSyntax.self) }.filter { $0.canBelongToMoya && $0.shortName == name }
    }
}

extension ExprSyntax {
    /// The segment of a string literal without interpolation and escapes.
    var plainSegment: StringSegmentSyntax? {
        guard let literal = self.as(StringLiteralExprSyntax.self), literal.segments.count == 1,
            case .stringSegment(let segment)? = literal.segments.first, !segment.content.text.contains("\\")
        else { return nil }
        return segment
    }
}

extension ExprSyntax {
    /// Whether the expression can be positive: it is not a literal number that is zero or negative.
    var canBePositive: Bool {
        if let minus = self.as(PrefixOperatorExprSyntax.self), minus.operator.text == "-" {
            return !minus.expression.is(IntegerLiteralExprSyntax.self)
                && !minus.expression.is(FloatLiteralExprSyntax.self)
        }
        let isNumber = self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self)
        return !isNumber || trimmedDescription.contains { "123456789".contains($0) }
    }

    /// Whether the expression can be a positive duration: it is neither `.zero` nor a literal number of a unit, as in `.seconds(-1)`,
    /// that is zero or negative.
    var canBePositiveDuration: Bool {
        if let member = self.as(MemberAccessExprSyntax.self) {
            return member.declName.baseName.text != "zero" || !member.namesDuration
        }
        guard let call = self.as(FunctionCallExprSyntax.self), call.arguments.count == 1,
            let member = call.calledExpression.as(MemberAccessExprSyntax.self), member.namesDuration,
            let number = call.arguments.first?.expression
        else { return true }
        return number.canBePositive
    }
}

extension MemberAccessExprSyntax {
    /// Whether the member is one of `Duration`, whose name may be left out.
    fileprivate var namesDuration: Bool { base == nil || base?.trimmedDescription.hasSuffix("Duration") == true }
}

extension SyntaxProtocol {
    /// The lines of the documentation comment.
    var documentation: [String] {
        leadingTrivia.compactMap { piece in
            if case .docLineComment(let line) = piece { line } else { nil }
        }
    }
}

extension String {
    /// Whether the text is a token (RFC 9110, section 5.6.2), as names of methods and headers must be.
    var isToken: Bool {
        !isEmpty && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "!#$%&'*+-.^_`|~".contains($0)) }
    }
}
#endif
