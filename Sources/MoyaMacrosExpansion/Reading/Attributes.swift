#if Macros
    import SwiftDiagnostics
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

    extension ExprSyntax {
        /// Whether the expression is not a number that is zero or negative.
        fileprivate var mayBePositive: Bool {
            if let minus = self.as(PrefixOperatorExprSyntax.self), minus.operator.text == "-" {
                return !minus.expression.is(IntegerLiteralExprSyntax.self)
                    && !minus.expression.is(FloatLiteralExprSyntax.self)
            }
            let isNumber = self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self)
            return !isNumber || trimmedDescription.contains { "123456789".contains($0) }
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

    /// The attributes that are allowed for a method and for the whole protocol.
    struct CommonAttributes {
        var headers: [Header] = []
        var headerNodes: [(variable: String, node: StringSegmentSyntax, offset: Int)] = []
        var urlStyle: String?
        var authorization: String?
        var validation: String?
        var errorBody: String?
        var timeout: String?
        var cachePolicy: String?

        init(reading attributes: AttributeListSyntax, isForAll: Bool, report: inout [Diagnostic]) {
            func one(_ name: String) -> AttributeSyntax? {
                let all = attributes.all(name)
                report += all.dropFirst().map { MacroDiagnostic.twice(name).at($0) }
                return all.first
            }
            if let headers = one("Headers") { read(headers, report: &report) }
            if let style = one("URLStyle") {
                urlStyle = style.argumentList.map(\.expressionWithLabel).joined(separator: ", ")
            }
            validation = one("Validation")?.firstArgument?.trimmedDescription
            errorBody = one("ErrorBody")?.firstArgument?.trimmedDescription
            if let seconds = one("Timeout")?.firstArgument {
                timeout = seconds.trimmedDescription
                if !seconds.mayBePositive { report.append(MacroDiagnostic.timeoutNotPositive.at(seconds)) }
            }
            cachePolicy = one("Cache")?.firstArgument?.trimmedDescription
            let schemes = [one("Bearer"), one("Basic"), one("Authorization")].compactMap(\.self)
            if schemes.count > 1 {
                report.append(
                    MacroDiagnostic.conflict("@\(schemes[0].shortName)", "@\(schemes[1].shortName)").at(schemes[1])
                )
            }
            switch schemes.first?.shortName {
            case "Bearer": authorization = ".bearer"
            case "Basic": authorization = ".basic"
            case "Authorization": authorization = schemes[0].firstArgument?.trimmedDescription
            default: break
            }
            guard isForAll else { return }
            for (variable, node, offset) in headerNodes {
                report.append(MacroDiagnostic.noParameter(variable).at(node, offset: offset))
            }
        }

        /// Returns whether these attributes set a header.
        func sets(_ name: String) -> Bool { headers.contains { $0.name.lowercased() == name.lowercased() } }

        /// Returns these attributes with defaults from those of the protocol.
        func over(_ common: CommonAttributes) -> CommonAttributes {
            var merged = self
            merged.headers =
                common.headers.filter { !sets($0.name) } + headers
            merged.urlStyle = urlStyle ?? common.urlStyle
            merged.authorization = authorization ?? common.authorization
            merged.validation = validation ?? common.validation
            merged.errorBody = errorBody ?? common.errorBody
            merged.timeout = timeout ?? common.timeout
            merged.cachePolicy = cachePolicy ?? common.cachePolicy
            return merged
        }

        private mutating func read(_ attribute: AttributeSyntax, report: inout [Diagnostic]) {
            guard let dictionary = attribute.firstArgument?.as(DictionaryExprSyntax.self) else {
                report.append(
                    MacroDiagnostic.noLiteral.at(attribute.firstArgument.map { Syntax($0) } ?? Syntax(attribute))
                )
                return
            }
            guard case .elements(let elements) = dictionary.content else { return }
            for element in elements {
                guard let name = element.key.plainSegment, let value = element.value.plainSegment else {
                    report.append(
                        MacroDiagnostic.noLiteral.at(element.key.plainSegment == nil ? element.key : element.value)
                    )
                    continue
                }
                let text = name.content.text
                if !text.isToken { report.append(MacroDiagnostic.invalidHeaderName(text).at(element.key)) }
                if headers.contains(where: { $0.name.lowercased() == text.lowercased() }) {
                    report.append(MacroDiagnostic.duplicateHeader(text).at(element.key))
                }
                if value.content.text.unicodeScalars.contains(where: {
                    $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F
                }) {
                    report.append(MacroDiagnostic.invalidHeaderValue(text).at(element.value))
                }
                do throws(TemplateParser.Problem) {
                    let pieces = try TemplateParser.pieces(value.content.text)
                    for case .variable(let name, let offset) in pieces { headerNodes.append((name, value, offset)) }
                    headers.append(Header(name: text, value: pieces))
                } catch {
                    report.append(MacroDiagnostic.template(error.kind).at(value, offset: error.offset))
                }
            }
        }
    }

    extension LabeledExprSyntax {
        fileprivate var expressionWithLabel: String {
            (label.map { "\($0.text): " } ?? "") + expression.trimmedDescription
        }
    }

    extension String {
        /// Whether the text is a token (RFC 9110, section 5.6.2), as names of methods and headers must be.
        var isToken: Bool {
            !isEmpty && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "!#$%&'*+-.^_`|~".contains($0)) }
        }
    }
#endif
