#if Macros
import SwiftDiagnostics
import SwiftSyntax

extension FixIt {
    /// Inserts an attribute before a method.
    static func adding(_ attribute: String, to function: FunctionDeclSyntax) -> FixIt {
        MacroFixIt("add \(attribute)").inserting(attribute + " ", before: function)
    }

    /// Removes an attribute and the space after it.
    static func removing(_ attribute: AttributeSyntax) -> FixIt {
        let range = attribute.positionAfterSkippingLeadingTrivia..<attribute.endPosition
        return MacroFixIt("remove \(attribute.trimmedDescription)").replacing(range, in: attribute, with: "")
    }

    /// Makes a method `async throws`, and keeps the type that it throws.
    static func makingAsyncThrows(_ function: FunctionDeclSyntax) -> FixIt {
        let signature = function.signature
        let type = signature.effectSpecifiers?.throwsClause?.type.map { "(\($0.trimmedDescription))" } ?? ""
        let start = signature.parameterClause.endPositionBeforeTrailingTrivia
        let end = signature.effectSpecifiers?.endPositionBeforeTrailingTrivia ?? start
        return MacroFixIt("make it 'async throws'").replacing(
            start..<end,
            in: signature,
            with: " async throws\(type)"
        )
    }

    /// Corrects a template if the correction is unambiguous.
    static func mending(_ problem: TemplateParser.Problem, in segment: StringSegmentSyntax) -> FixIt? {
        let place = problem.offset..<problem.offset
        switch problem.kind {
        case .noSlash:
            return MacroFixIt("insert '/'").replacing(place, of: segment, with: "/")
        case .badCharacter(let character):
            let bytes = problem.offset..<problem.offset + character.utf8.count
            return MacroFixIt("escape it as '\(character.escaped)'").replacing(
                bytes,
                of: segment,
                with: character.escaped
            )
        case .badEscape:
            let bytes = problem.offset..<problem.offset + 1
            return MacroFixIt("escape it as '%25'").replacing(bytes, of: segment, with: "%25")
        case .emptySegment:
            return MacroFixIt("remove one '/'").replacing(
                problem.offset..<problem.offset + 1,
                of: segment,
                with: ""
            )
        case .colon(let name):
            return MacroFixIt("write '{\(name)}'").replacing(
                problem.offset..<problem.offset + 1 + name.utf8.count,
                of: segment,
                with: "{\(name)}"
            )
        case .unclosedBrace, .strayBrace, .badName, .dotSegment, .fragment, .badQueryItem, .duplicateItem:
            return nil
        }
    }

    /// Corrects a name in braces without a parameter: with a similar name, or by adding a parameter.
    static func naming(
        _ name: String,
        offset: Int,
        in segment: StringSegmentSyntax,
        known: [String],
        function: FunctionDeclSyntax
    ) -> FixIt {
        if let similar = known.first(where: { $0.isSimilar(to: name) }) {
            let bytes = offset + 1..<offset + 1 + name.utf8.count
            return MacroFixIt("name '\(similar)'").replacing(bytes, of: segment, with: similar)
        }
        let clause = function.signature.parameterClause
        return MacroFixIt("add the parameter '\(name): String'")
            .inserting((clause.parameters.isEmpty ? "" : ", ") + "\(name): String", before: clause.rightParen)
    }
}

extension String {
    /// Returns whether another name is probably a misspelling of this one: it differs by at most two changes, or by
    /// one in a name of three letters.
    fileprivate func isSimilar(to other: String) -> Bool {
        let (left, right) = (Array(lowercased()), Array(other.lowercased()))
        if left == right { return true }
        guard min(left.count, right.count) >= 3, abs(left.count - right.count) <= 2 else { return false }
        var row = Array(0...right.count)
        for (index, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let change = diagonal + (character == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(change, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count] <= (Swift.min(left.count, right.count) > 3 ? 2 : 1)
    }
}
#endif
