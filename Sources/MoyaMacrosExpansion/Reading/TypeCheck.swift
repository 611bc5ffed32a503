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
            // The type `()`.
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

    /// Finds types that are never `Encodable` or `Decodable`, as they do not say what the value is.
    enum ErasedType {
        /// Returns the first such type in a type, its elements, keys and values.
        ///
        /// - Parameters:
        ///   - type: The type of a parameter or of a result.
        ///   - sending: Whether the value is sent. Then it may be `any P`, which the compiler opens, but not have it in
        ///     a list.
        /// - Returns: The type; `nil` if there is none.
        static func find(in type: TypeSyntax, sending: Bool) -> TypeSyntax? {
            if let simple = type.as(IdentifierTypeSyntax.self) {
                if ["Any", "AnyObject"].contains(simple.name.text) { return type }
                let marker = ParameterReader.Marker(rawValue: simple.name.text)
                guard marker != nil || ["Optional", "Array", "Set", "Dictionary"].contains(simple.name.text) else {
                    return nil
                }
                return simple.genericArgumentClause?.arguments.lazy.compactMap { argument in
                    guard case .type(let type) = argument.argument else { return nil }
                    return find(in: type, sending: sending && (marker != nil || simple.name.text == "Optional"))
                }.first
            }
            if let tuple = type.as(TupleTypeSyntax.self), let only = tuple.elements.first, tuple.elements.count == 1 {
                return find(in: only.type, sending: sending)
            }
            if let optional = type.as(OptionalTypeSyntax.self) {
                return find(in: optional.wrappedType, sending: sending)
            }
            if let array = type.as(ArrayTypeSyntax.self) { return find(in: array.element, sending: false) }
            if let dictionary = type.as(DictionaryTypeSyntax.self) {
                return find(in: dictionary.key, sending: false) ?? find(in: dictionary.value, sending: false)
            }
            let isExistential = type.as(SomeOrAnyTypeSyntax.self)?.someOrAnySpecifier.tokenKind == .keyword(.any)
            return type.is(MetatypeTypeSyntax.self) || isExistential && !sending ? type : nil
        }
    }

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

    /// Checks the URL of an API before it is created.
    enum BaseURLCheck {
        /// Returns the problem of a base URL, if any (RFC 3986).
        static func problem(in text: String) -> String? {
            guard let colon = text.range(of: "://") else { return "it has no scheme, such as 'https://'" }
            let scheme = text[..<colon.lowerBound].lowercased()
            guard ["http", "https"].contains(scheme) else { return "its scheme must be 'http' or 'https'" }
            let rest = text[colon.upperBound...]
            let authority = rest.prefix { !"/?#".contains($0) }
            if authority.contains("@") { return "a user name or password is not allowed" }
            if let bad = text.first(where: { !isAllowed($0) }) { return "it can't have '\(bad)' as it is" }
            if text.contains("#") { return "a fragment is not sent to a server" }
            let escapes = text.split(separator: "%", omittingEmptySubsequences: false).dropFirst()
            guard escapes.allSatisfy({ $0.prefix(2).count(where: \.isHexDigit) == 2 }) else {
                return "after '%' two hexadecimal digits must follow"
            }
            let path = rest.dropFirst(authority.count).prefix { !"?#".contains($0) }
            if let name = path.split(separator: "/").lazy.compactMap(\.nameAfterColon).first {
                return "':\(name)' is sent as it is, as a base URL has no parameters; a colon is '%3A'"
            }
            return problem(inAuthority: authority)
        }

        private static func problem(inAuthority authority: Substring) -> String? {
            let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
            let host = end.map { authority[..<$0] } ?? authority.prefix { $0 != ":" }
            guard !host.isEmpty, host.contains(where: { !"[]:".contains($0) }) else { return "it has no host" }
            let isAddress = host.hasPrefix("[")
            if isAddress, !isIPv6Address(host.dropFirst().dropLast()) { return "'\(host)' is not an IPv6 address" }
            guard isAddress || host.allSatisfy({ $0.isLetter || $0.isNumber || "-._~%".contains($0) }) else {
                return "'\(host)' is not a valid host"
            }
            let port = authority[host.endIndex...]
            guard !port.isEmpty, port != ":" else { return nil }
            guard port.hasPrefix(":"), port.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }) else {
                return "'\(port.drop { $0 == ":" })' is not a port"
            }
            guard let number = UInt16(port.dropFirst()), number > 0 else {
                return "the port \(port.dropFirst()) is not in 1...65535"
            }
            return nil
        }

        /// Returns whether a text is an IPv6 address (RFC 4291, section 2.2).
        private static func isIPv6Address(_ text: Substring) -> Bool {
            let halves = text.split(separator: "::", omittingEmptySubsequences: false)
            guard halves.count <= 2 else { return false }
            var count = 0
            for (index, half) in halves.enumerated() where !half.isEmpty {
                let groups = half.split(separator: ":", omittingEmptySubsequences: false)
                for (position, group) in groups.enumerated() {
                    let isLast = index == halves.count - 1 && position == groups.count - 1
                    if isLast, group.contains(".") {
                        let bytes = group.split(separator: ".", omittingEmptySubsequences: false)
                        guard bytes.count == 4, bytes.allSatisfy({ UInt8($0) != nil && $0.first != "+" }) else {
                            return false
                        }
                        count += 2
                    } else {
                        guard (1...4).contains(group.count), group.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
                            return false
                        }
                        count += 1
                    }
                }
            }
            return halves.count == 2 ? count < 8 : count == 8
        }

        /// Returns whether a URL may contain a character.
        private static func isAllowed(_ character: Character) -> Bool {
            character.isASCII
                && (character.isLetter || character.isNumber || "-._~:/?#[]@!$&'()*+,;=%".contains(character))
        }
    }

    extension String {
        fileprivate func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }
    }
#endif
