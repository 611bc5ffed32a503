#if Macros
    import SwiftSyntax

    extension AttributeSyntax {
        /// The attribute's name without a module.
        var shortName: String {
            attributeName.as(MemberTypeSyntax.self)?.name.text ?? attributeName.as(IdentifierTypeSyntax.self)?.name.text
                ?? ""
        }

        /// Whether the attribute can be one of MoyaMacros: its name is unqualified or qualified with this module.
        var mayBeOurs: Bool {
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
        func all(_ name: String) -> [AttributeSyntax] {
            compactMap { $0.as(AttributeSyntax.self) }.filter { $0.mayBeOurs && $0.shortName == name }
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

    extension SyntaxProtocol {
        /// The lines of the documentation comment.
        var documentation: [String] {
            leadingTrivia.compactMap { piece in
                if case .docLineComment(let line) = piece { line } else { nil }
            }
        }
    }
#endif
