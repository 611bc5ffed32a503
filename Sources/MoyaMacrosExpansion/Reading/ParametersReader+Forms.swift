#if Macros
import SwiftDiagnostics
import SwiftSyntax

// These checks find types whose values cannot be written at their place in the request. ``TypeChecksWriter`` checks properties
// that only the compiler knows, and the client checks values before it sends them.
extension ParametersReader {
    /// Checks that values of a parameter's type can be written at their place.
    mutating func checkForm(of reader: ParameterReader, role: Parameter.Role) {
        if role != .destination, role != .requestURL,
            reader.type.shape.elements.contains(where: { $0.isNamed("Duration") })
        {
            return report(MacroDiagnostic.duration.at(reader.writtenType))
        }
        switch role {
        case .destination, .requestURL: return
        case .queryMap, .headerMap, .fieldMap: checkMap(of: reader, role: role)
        case .member, .body:
            if let type = ErasedType.find(in: reader.writtenType, sending: true) {
                report(MacroDiagnostic.notEncodable(type.trimmedDescription).at(type))
            } else if role == .member, reader.type.shape.elements.contains(where: { $0.isNamed("URL") }) {
                report(MacroDiagnostic.urlAsText(reader.name).at(reader.writtenType, fixIts: fileFixIts(reader)))
            }
            if !hasEncoder, reader.type.shape.elements.contains(where: { $0.isNamed("Date") }) {
                report(MacroDiagnostic.dateAsNumber(reader.name).at(reader.writtenType))
            }
        case .template, .headerTemplate, .query, .header, .field, .part:
            checkTexts(of: reader, role: role)
        }
    }

    private mutating func checkTexts(of reader: ParameterReader, role: Parameter.Role) {
        let (type, shape) = (reader.type.text, reader.type.shape)
        if template.pathVariables.contains(reader.name), !shape.isSingle {
            report(MacroDiagnostic.severalInPath(type).at(reader.writtenType))
        } else if role == .header || attributes.headerNodes.contains(where: { $0.variable == reader.name }),
            !shape.isFlat
        {
            report(MacroDiagnostic.namesInHeader(type).at(reader.writtenType))
        } else if role != .part, let content = shape.elements.first(where: \.isContent) {
            report(MacroDiagnostic.contentOutsideOfParts(content.trimmedDescription).at(reader.writtenType))
        }
    }

    /// Checks that a map has names, and that its values can be written at their place.
    private mutating func checkMap(of reader: ParameterReader, role: Parameter.Role) {
        let type = reader.type.text
        if let erased = ErasedType.find(in: reader.writtenType, sending: true) {
            return report(MacroDiagnostic.notEncodable(erased.trimmedDescription).at(erased))
        }
        switch reader.type.shape {
        case .list: report(MacroDiagnostic.mapHasNoNames(type).at(reader.writtenType))
        case .single(let single) where ValueType.hasOneText(single):
            report(MacroDiagnostic.mapHasNoNames(type).at(reader.writtenType))
        case .dictionary(let key, _) where !key.isSingle:
            report(MacroDiagnostic.mapHasNoNames(type).at(reader.writtenType))
        case .dictionary(_, let value) where role == .headerMap && !value.isFlat:
            report(MacroDiagnostic.namesInHeader(type).at(reader.writtenType))
        case .dictionary(_, let value):
            guard let content = value.elements.first(where: \.isContent) else { return }
            report(MacroDiagnostic.contentOutsideOfParts(content.trimmedDescription).at(reader.writtenType))
        case .single: return
        }
    }

    /// Returns the corrections that send a URL's file.
    private func fileFixIts(_ reader: ParameterReader) -> [FixIt] {
        let multipart = ["POST", "PUT", "PATCH"].contains(method) ? [FixIt.adding("@Multipart", to: function)] : []
        return multipart + (reader.type.wrapped == "URL" ? reader.fixIts(markingAs: "Body") : [])
    }
}

extension TypeSyntax {
    /// Returns whether the type has this name, with or without a known module.
    fileprivate func isNamed(_ name: String) -> Bool { ValueType.withoutModule(trimmedDescription) == name }

    /// Whether values of the type can only be the content of parts and bodies.
    fileprivate var isContent: Bool { isNamed("HTTPBody") || isNamed("MultipartFormData") }
}
#endif
