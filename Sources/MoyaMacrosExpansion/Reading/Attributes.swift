#if Macros
    import SwiftSyntax

    extension AttributeSyntax {
        /// The attribute's name, without the module's.
        var shortName: String {
            attributeName.as(MemberTypeSyntax.self)?.name.text ?? attributeName.as(IdentifierTypeSyntax.self)?.name.text
                ?? ""
        }

        /// Whether it can be one of ours: its name stands alone, or after our module's.
        var mayBeOurs: Bool {
            guard let member = attributeName.as(MemberTypeSyntax.self) else { return true }
            return member.baseType.trimmedDescription == "MoyaMacros"
        }

        var argumentList: [LabeledExprSyntax] {
            guard case .argumentList(let list)? = arguments else { return [] }
            return Array(list)
        }

        /// The expression of the argument without a label.
        var firstArgument: ExprSyntax? { argumentList.first { $0.label == nil }?.expression }

        /// The expression of the argument with this label.
        func argument(_ label: String) -> ExprSyntax? { argumentList.first { $0.label?.text == label }?.expression }
    }

    extension AttributeListSyntax {
        /// All attributes with this name.
        func all(_ name: String) -> [AttributeSyntax] {
            compactMap { $0.as(AttributeSyntax.self) }.filter { $0.mayBeOurs && $0.shortName == name }
        }
    }

    extension ExprSyntax {
        /// The one piece of a literal, where it is as it is written.
        var plainSegment: StringSegmentSyntax? {
            guard let literal = self.as(StringLiteralExprSyntax.self), literal.segments.count == 1,
                case .stringSegment(let segment)? = literal.segments.first, !segment.content.text.contains("\\")
            else { return nil }
            return segment
        }
    }

    extension SyntaxProtocol {
        /// The lines of the documentation in front of it.
        var documentation: [String] {
            leadingTrivia.compactMap { piece in
                if case .docLineComment(let line) = piece { line } else { nil }
            }
        }
    }
#endif
