#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    /// What can be wrong with a declared API.
    struct Mistake: DiagnosticMessage {
        let id: String
        let message: String
        var severity = DiagnosticSeverity.error

        var diagnosticID: MessageID { MessageID(domain: "MoyaMacros", id: id) }

        /// The mistake at a node, or so many bytes into it.
        func at(
            _ node: some SyntaxProtocol,
            offset: Int? = nil,
            notes: [Note] = [],
            fixIts: [FixIt] = []
        ) -> Diagnostic {
            Diagnostic(
                node: Syntax(node),
                position: offset.map { node.positionAfterSkippingLeadingTrivia.advanced(by: $0) },
                message: self,
                notes: notes,
                fixIts: fixIts
            )
        }
    }

    /// A remark on another place.
    struct Remark: NoteMessage {
        let message: String

        var noteID: MessageID { MessageID(domain: "MoyaMacros", id: "remark") }
    }

    /// How a mistake can be mended.
    struct Remedy: FixItMessage {
        let message: String

        var fixItID: MessageID { MessageID(domain: "MoyaMacros", id: "remedy") }

        init(_ message: String) { self.message = message }

        /// A mending that writes text in the place of a node.
        func replacing(_ node: some SyntaxProtocol, with text: String) -> FixIt {
            replacing(
                node.positionAfterSkippingLeadingTrivia..<node.endPositionBeforeTrailingTrivia,
                in: node,
                with: text
            )
        }

        /// A mending that writes text in front of a node.
        func inserting(_ text: String, before node: some SyntaxProtocol) -> FixIt {
            let start = node.positionAfterSkippingLeadingTrivia
            return replacing(start..<start, in: node, with: text)
        }

        /// A mending that writes text in the place of so many bytes of a node.
        func replacing(_ bytes: Range<Int>, of node: some SyntaxProtocol, with text: String) -> FixIt {
            let start = node.positionAfterSkippingLeadingTrivia
            let range = start.advanced(by: bytes.lowerBound)..<start.advanced(by: bytes.upperBound)
            return replacing(range, in: node, with: text)
        }

        /// A mending that writes text in the place of other text.
        func replacing(_ range: Range<AbsolutePosition>, in node: some SyntaxProtocol, with text: String) -> FixIt {
            FixIt(message: self, changes: [.replaceText(range: range, with: text, in: Syntax(node))])
        }
    }
#endif
