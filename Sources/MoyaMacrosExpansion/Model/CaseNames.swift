#if Macros
import SwiftSyntax

/// Names the cases of endpoints.
enum CaseNames {
    /// Returns the names of the endpoints' cases, in order.
    ///
    /// A case has the name of its method, followed by the labels if the method is overloaded. If the labels are equal, the
    /// types, the result, or both follow: the first of these that makes the names differ.
    static func names(for endpoints: [Endpoint]) -> [String] {
        let overloads = Dictionary(grouping: endpoints.indices) { endpoints[$0].name }.values.filter {
            $0.count > 1
        }
        var names = endpoints.map(\.name)
        for overload in overloads {
            for same in Dictionary(grouping: overload, by: { endpoints[$0].nameWithLabels }).values {
                let ways: [(Endpoint) -> String] = [
                    \.nameWithLabels, \.nameWithTypes, { $0.nameWithLabels + $0.resultWords },
                    { $0.nameWithTypes + $0.resultWords },
                ]
                let distinct = ways.first { way in Set(same.map { way(endpoints[$0]) }).count == same.count }
                for index in same { names[index] = (distinct ?? ways[0])(endpoints[index]) }
            }
        }
        return names
    }
}

extension Endpoint {
    /// The name with the labels of the parameters: `user(id:)`.
    var fullName: String { "\(name)(\(parameters.map { "\($0.label?.withoutBackticks ?? "_"):" }.joined()))" }

    /// The signature as a name of ASCII letters and digits.
    var signatureWords: String {
        (nameWithTypes + resultWords).unicodeScalars.map { scalar in
            let isPlain = scalar.isASCII && (Character(scalar).isLetter || Character(scalar).isNumber)
            return isPlain ? String(scalar) : "_\(String(scalar.value, radix: 16))"
        }.joined()
    }

    fileprivate var nameWithLabels: String { parameters.reduce(name) { $0 + $1.labelOrName.capitalizedFirst } }

    fileprivate var nameWithTypes: String {
        parameters.reduce(name) { $0 + $1.labelOrName.capitalizedFirst + TypeWords.text(of: $1.type.text) }
    }

    fileprivate var resultWords: String {
        let type = arrow.split(separator: ">", maxSplits: 1).last.map { TypeWords.text(of: String($0)) } ?? "Void"
        return "Returning" + type
    }
}

extension Parameter {
    fileprivate var labelOrName: String { label?.withoutBackticks ?? name }
}

/// Converts types to parts of names.
enum TypeWords {
    /// Returns a type as a part of a name: `[Int]?` becomes `OptionalArrayInt`.
    static func text(of type: String) -> String { text(of: TypeSyntax(stringLiteral: type)) }

    private static func text(of type: TypeSyntax) -> String {
        switch type.as(TypeSyntaxEnum.self) {
        case .optionalType(let type): "Optional" + text(of: type.wrappedType)
        case .arrayType(let type): "Array" + text(of: type.element)
        case .dictionaryType(let type): "Dictionary" + text(of: type.key) + text(of: type.value)
        case .identifierType(let type):
            type.name.plainName.capitalizedFirst + text(of: type.genericArgumentClause)
        case .memberType(let type):
            text(of: type.baseType) + type.name.plainName.capitalizedFirst + text(of: type.genericArgumentClause)
        default:
            type.trimmedDescription.split { !$0.isLetter && !$0.isNumber }
                .map { String($0).capitalizedFirst }.joined()
        }
    }

    private static func text(of clause: GenericArgumentClauseSyntax?) -> String {
        (clause?.arguments ?? []).map { argument in
            if case .type(let type) = argument.argument { text(of: type) } else { "" }
        }.joined()
    }
}
#endif
