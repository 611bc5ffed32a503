#if Macros
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import MoyaMacrosExpansion

/// The expansion of a source with the library's macros.
enum Expansion {
    /// A mistake that must be reported at a mark in the source.
    struct Finding {
        let message: String
        let fixIts: [String]
        let notes: [String]
        let severity: DiagnosticSeverity

        init(
            _ message: String,
            fixIts: [String] = [],
            notes: [String] = [],
            severity: DiagnosticSeverity = .error
        ) {
            (self.message, self.fixIts, self.notes, self.severity) = (message, fixIts, notes, severity)
        }
    }

    /// Checks the expansion of a source.
    static func expect(
        _ source: String,
        _ expanded: String,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        assertMacroExpansion(
            source,
            expandedSource: expanded,
            macroSpecs: macros,
            failureHandler: { record($0) },
            fileID: fileID,
            filePath: filePath,
            line: line,
            column: column
        )
    }

    /// Checks the diagnostics of a source, their positions, and the result of applying the first fix-it of each.
    ///
    /// The source has a `•` before each diagnostic and a `◦` before each note; `findings` are in order. `fixed` is
    /// `nil` if there are no fix-its.
    static func expect(
        _ source: String,
        finds findings: [Finding],
        fixed: String? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let (plain, places, notePlaces) = unmarked(source)
        guard places.count == findings.count else {
            Issue.record("\(places.count) marks for \(findings.count) findings")
            return
        }
        var rest = notePlaces[...]
        let specs = zip(findings, places).map { finding, place in
            DiagnosticSpec(
                message: finding.message,
                line: place.line,
                column: place.column,
                severity: finding.severity,
                notes: finding.notes.map { note in
                    let place = rest.popFirst() ?? (0, 0)
                    return NoteSpec(message: note, line: place.line, column: place.column)
                },
                fixIts: finding.fixIts.map { FixItSpec(message: $0) }
            )
        }
        assertMacroExpansion(
            plain,
            // Another test checks that a mistake expands to nothing.
            expandedSource: expanded(plain),
            diagnostics: specs,
            macroSpecs: macros,
            applyFixIts: findings.compactMap(\.fixIts.first),
            fixedSource: fixed ?? plain,
            failureHandler: { record($0) },
            fileID: fileID,
            filePath: filePath,
            line: line,
            column: column
        )
    }

    /// Returns the expansion of a source.
    static func expanded(_ source: String) -> String {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "TestModule", fullFilePath: "test.swift")]
        )
        return file.expand(
            macroSpecs: macros,
            contextGenerator: {
                BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
            },
            indentationWidth: .spaces(4)
        ).description
    }

    private static let macros: [String: MacroSpec] = {
        let markers = [
            "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "QUERY", "HTTP", "WebSocket", "Headers",
            "Names",
            "FormURLEncoded",
            "Multipart", "URLStyle", "Bearer", "Basic", "Authorization", "Download", "Stream", "Paged", "ByStatus",
            "KeyPath",
            "Validation", "ErrorBody", "Sample", "Default", "Timeout", "Cache", "Retry", "Idempotent", "JSON", "Coders",
        ]
        var macros = Dictionary(uniqueKeysWithValues: markers.map { ($0, MacroSpec(type: MarkerMacro.self)) })
        macros["API"] = MacroSpec(type: APIMacro.self)
        macros["StatusResult"] = MacroSpec(type: StatusResultMacro.self, conformances: ["StatusResult"])
        macros["Status"] = MacroSpec(type: StatusMacro.self)
        return macros
    }()

    private typealias Place = (line: Int, column: Int)

    private static func unmarked(_ source: String) -> (String, [Place], [Place]) {
        var (plain, places, notes) = ("", [Place](), [Place]())
        var place = (line: 1, column: 1)
        for character in source {
            switch character {
            case "•": places.append(place)
            case "◦": notes.append(place)
            default:
                plain.append(character)
                place =
                    character.isNewline ? (place.line + 1, 1) : (place.line, place.column + character.utf8.count)
            }
        }
        return (plain, places, notes)
    }

    private static func record(_ failure: TestFailureSpec) {
        Issue.record(
            Comment(rawValue: failure.message),
            sourceLocation: SourceLocation(
                fileID: failure.location.fileID,
                filePath: failure.location.filePath,
                line: failure.location.line,
                column: failure.location.column
            )
        )
    }
}
#endif
