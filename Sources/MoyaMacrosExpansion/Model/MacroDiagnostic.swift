#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// A diagnostic of a declared API.
struct MacroDiagnostic: DiagnosticMessage {
    let id: String
    let message: String
    var severity = DiagnosticSeverity.error

    var diagnosticID: MessageID { MessageID(domain: "MoyaMacros", id: id) }

    /// Returns the diagnostic at a node, or at an offset in bytes inside of it.
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

/// A note at another location.
struct MacroNote: NoteMessage {
    let message: String

    var noteID: MessageID { MessageID(domain: "MoyaMacros", id: "remark") }
}

/// A correction of a mistake.
struct MacroFixIt: FixItMessage {
    let message: String

    var fixItID: MessageID { MessageID(domain: "MoyaMacros", id: "remedy") }

    init(_ message: String) { self.message = message }

    /// Returns a correction that replaces a node with text.
    func replacing(_ node: some SyntaxProtocol, with text: String) -> FixIt {
        replacing(
            node.positionAfterSkippingLeadingTrivia..<node.endPositionBeforeTrailingTrivia,
            in: node,
            with: text
        )
    }

    /// Returns a correction that inserts text before a node.
    func inserting(_ text: String, before node: some SyntaxProtocol) -> FixIt {
        let start = node.positionAfterSkippingLeadingTrivia
        return replacing(start..<start, in: node, with: text)
    }

    /// Returns a correction that replaces a range of bytes of a node with text.
    func replacing(_ bytes: Range<Int>, of node: some SyntaxProtocol, with text: String) -> FixIt {
        let start = node.positionAfterSkippingLeadingTrivia
        let range = start.advanced(by: bytes.lowerBound)..<start.advanced(by: bytes.upperBound)
        return replacing(range, in: node, with: text)
    }

    /// Returns a correction that replaces a range with text.
    func replacing(_ range: Range<AbsolutePosition>, in node: some SyntaxProtocol, with text: String) -> FixIt {
        FixIt(message: self, changes: [.replaceText(range: range, with: text, in: Syntax(node))])
    }
}

// These diagnostics report mistakes in a protocol, its members, or its attributes.
extension MacroDiagnostic {
    static let noProtocol = MacroDiagnostic(
        id: "noProtocol",
        message: "@API is for a protocol, with a method for each endpoint"
    )
    static let noEndpoints = MacroDiagnostic(
        id: "noEndpoints",
        message: "the API has no endpoints: declare methods in it"
    )

    static func onlyForMethods(_ name: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "onlyForMethods", message: "@\(name) is for a method, and not for the whole API")
    }

    static func markerOutsideOfAPI(_ name: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "markerOutsideOfAPI", message: "@\(name) is for a method of a protocol that has @API")
    }

    static func invalidURL(_ problem: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "invalidURL", message: "this is not a base URL: \(problem)")
    }

    static let noBooleanLiteral = MacroDiagnostic(id: "noBooleanLiteral", message: "this must be 'true' or 'false'")
    static let nestedPart = MacroDiagnostic(
        id: "nestedPart",
        message: "a part of composed APIs is declared at the top level of a file, where its protocol can be extended"
    )
    static let nothingComposed = MacroDiagnostic(
        id: "nothingComposed",
        message:
            "@API needs the base URL, or inherited protocols with '@API(…, isPart: true)' whose methods it composes"
    )
    static let composedMember = MacroDiagnostic(
        id: "composedMember",
        message: "an API without a URL has the methods of its inherited protocols: declare this one in such a protocol"
    )

    static func composedAttribute(_ name: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "composedAttribute",
            message: "@\(name) is for a protocol with methods: write it on the inherited ones"
        )
    }

    static func unsupportedMember(_ kind: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "unsupportedMember", message: "an API can only have methods, not \(kind)")
    }

    static func classProtocol(_ name: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "classProtocol",
            message: "an API can't inherit from '\(name)': its client is a struct"
        )
    }

    static let genericProtocol = MacroDiagnostic(
        id: "genericProtocol",
        message: "an API has no associated types"
    )
}

extension [Diagnostic] {
    /// Whether one of the diagnostics is an error; then the macro generates nothing.
    var hasErrors: Bool { contains { $0.diagMessage.severity == .error } }
}
#endif
