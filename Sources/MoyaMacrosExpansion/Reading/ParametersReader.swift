#if Macros
import MoyaCodeText
import SwiftDiagnostics
import SwiftSyntax

/// Determines the roles of a method's parameters.
struct ParametersReader {
    let function: FunctionDeclSyntax
    let method: String
    let template: PathTemplate
    /// The literal of the template; `nil` for an empty template.
    let segment: StringSegmentSyntax?
    let attributes: CommonAttributes
    let kind: Endpoint.Kind
    let format: Endpoint.Format
    /// Whether the API or the method declares an encoder.
    let hasEncoder: Bool
    private(set) var diagnostics: [Diagnostic] = []

    init(
        function: FunctionDeclSyntax,
        method: String,
        template: PathTemplate,
        segment: StringSegmentSyntax?,
        attributes: CommonAttributes,
        kind: Endpoint.Kind,
        format: Endpoint.Format,
        hasEncoder: Bool
    ) {
        self.function = function
        self.method = method
        self.template = template
        self.segment = segment
        self.attributes = attributes
        self.kind = kind
        self.format = format
        self.hasEncoder = hasEncoder
    }

    mutating func read(
        names: [(name: String, wireName: String, node: ExprSyntax)],
        defaults: [(name: String, value: String, node: ExprSyntax)],
        isSnakeCase: Bool
    ) -> [Parameter] {
        let readers = function.signature.parameterClause.parameters.map { ParameterReader($0) }
        readers.forEach { checkKind($0) }
        let known = readers.map(\.name)
        for name in names where !known.contains(name.name) {
            report(MacroDiagnostic.noParameter(name.name).at(name.node))
        }
        for value in defaults where !known.contains(value.name) {
            report(MacroDiagnostic.noParameter(value.name).at(value.node))
        }
        checkVariables(known)
        var parameters: [Parameter] = []
        for reader in readers {
            guard let role = readRole(of: reader, before: parameters, among: readers) else { continue }
            checkForm(of: reader, role: role)
            let given = names.first { $0.name == reader.name }?.wireName
            parameters.append(
                Parameter(
                    label: reader.label,
                    name: reader.name,
                    type: reader.type,
                    typeAttributes: reader.typeAttributes,
                    role: role,
                    wireName: given ?? defaultWireName(reader.name, role: role, isSnakeCase: isSnakeCase),
                    defaultValue: defaults.first { $0.name == reader.name }?.value
                        ?? (reader.type.isOptional ? "nil" : nil)
                )
            )
        }
        checkNames(parameters, readers)
        if kind == .download, !parameters.contains(where: { $0.role == .destination }),
            let attribute = function.attributes.attributes(named: "Download").first
        {
            report(MacroDiagnostic.noDestination.at(attribute))
        }
        return parameters
    }

    mutating func report(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

    private func defaultWireName(_ name: String, role: Parameter.Role, isSnakeCase: Bool) -> String {
        switch role {
        case .header: WireNames.header(name)
        case .query, .field, .part, .member: isSnakeCase ? WireNames.snakeCase(name) : name
        case .template, .headerTemplate, .body, .destination, .queryMap, .headerMap, .fieldMap, .requestURL: name
        }
    }

    /// Returns the role of a parameter, or reports why it has none.
    private mutating func readRole(
        of reader: ParameterReader,
        before: [Parameter],
        among readers: [ParameterReader]
    ) -> Parameter.Role? {
        if let role = readTemplateRole(of: reader) { return role }
        if let marker = reader.marker { return readRole(of: reader, marked: marker, before: before) }
        let hasDestination = readers.contains(where: \.isDestination)
        let isFile =
            kind == .download && !hasDestination && reader.type.text == reader.type.wrapped
            && reader.type.wrapped == "URL" && !before.contains { $0.role == .destination }
        if reader.isDestination || isFile { return readDestination(reader) }
        if ["GET", "HEAD", "DELETE"].contains(method), format == .json { return .query }
        guard kind != .download, !readers.contains(where: { $0.marker == .body }) else {
            report(
                MacroDiagnostic.unused(reader.name).at(
                    reader.nameToken,
                    fixIts: reader.fixIts(markingAs: "Query", "Header")
                )
            )
            return nil
        }
        return switch format {
        case .json: .member
        case .form: .field
        case .multipart: .part
        }
    }

    /// Returns the role of a parameter that is named in the path or a header.
    private mutating func readTemplateRole(of reader: ParameterReader) -> Parameter.Role? {
        let isInTemplate = template.variables.contains { $0.name == reader.name }
        let isInHeader = attributes.headerNodes.contains { $0.variable == reader.name }
        guard isInTemplate || isInHeader else { return nil }
        if reader.marker != nil { report(MacroDiagnostic.markedTwice.at(reader.writtenType)) }
        if template.pathVariables.contains(reader.name), reader.type.isOptional {
            report(MacroDiagnostic.optionalInPath.at(reader.writtenType))
        }
        let isPartOfText = attributes.headers.contains { header in
            header.value.count > 1
                && header.value.contains { if case .variable(reader.name, _) = $0 { true } else { false } }
        }
        if isPartOfText, reader.type.isOptional { report(MacroDiagnostic.optionalInText.at(reader.writtenType)) }
        return isInTemplate ? .template : .headerTemplate
    }

    private mutating func readRole(
        of reader: ParameterReader,
        marked marker: ParameterReader.Marker,
        before: [Parameter]
    ) -> Parameter.Role? {
        if !marker.isInHead, ["GET", "HEAD"].contains(method) {
            report(
                MacroDiagnostic.bodyNotAllowed(kind == .webSocket ? "the request for a WebSocket" : method).at(
                    reader.writtenType,
                    fixIts: reader.fixIts(markingAs: "Query")
                )
            )
            return nil
        }
        switch marker {
        case .query: return .query
        case .header: return .header
        case .queryMap: return .queryMap
        case .headerMap: return .headerMap
        case .requestURL: return readRequestURL(reader, before: before)
        case .field, .fieldMap:
            guard format != .form else { return marker == .field ? .field : .fieldMap }
            let fixIt = FixIt.adding("@FormURLEncoded", to: function)
            report(MacroDiagnostic.needsForm("field", "FormURLEncoded").at(reader.writtenType, fixIts: [fixIt]))
        case .part:
            guard format != .multipart else { return .part }
            let fixIt = FixIt.adding("@Multipart", to: function)
            report(MacroDiagnostic.needsForm("part", "Multipart").at(reader.writtenType, fixIts: [fixIt]))
        case .body:
            if format != .json {
                let attribute = format == .form ? "FormURLEncoded" : "Multipart"
                report(MacroDiagnostic.bodyInForm(attribute).at(reader.writtenType))
            } else if before.contains(where: { $0.role == .body }) {
                report(MacroDiagnostic.secondBody.at(reader.writtenType, fixIts: reader.fixIts(markingAs: "Query")))
            } else {
                return .body
            }
        }
        return nil
    }

    private mutating func readRequestURL(_ reader: ParameterReader, before: [Parameter]) -> Parameter.Role? {
        if template != PathTemplate(), let segment {
            report(MacroDiagnostic.pathWithRequestURL.at(segment))
        } else if before.contains(where: { $0.role == .requestURL }) {
            report(MacroDiagnostic.secondRequestURL.at(reader.writtenType))
        } else if reader.type.isOptional || !["URL", "String"].contains(reader.type.wrapped) {
            report(MacroDiagnostic.requestURLType.at(reader.writtenType))
        }
        return .requestURL
    }

    private mutating func readDestination(_ reader: ParameterReader) -> Parameter.Role? {
        guard kind == .download else {
            let fixIt = FixIt.adding("@Download", to: function)
            report(MacroDiagnostic.destinationWithoutDownload.at(reader.writtenType, fixIts: [fixIt]))
            return nil
        }
        if reader.isDestination, !reader.typeAttributes.contains("@escaping") {
            let fixIt = MacroFixIt("insert '@escaping'").inserting("@escaping ", before: reader.writtenType)
            report(MacroDiagnostic.notEscaping.at(reader.writtenType, fixIts: [fixIt]))
        }
        return .destination
    }

    private mutating func checkKind(_ reader: ParameterReader) {
        if let ellipsis = reader.syntax.ellipsis {
            report(MacroDiagnostic.unsupportedParameter("variadic: take an array").at(ellipsis))
        }
        diagnostics += TypeCheck.diagnostics(inParameter: reader.syntax.type)
        if reader.name == "self" { report(MacroDiagnostic.namedSelf.at(reader.nameToken)) }
        if reader.hasNoName {
            report(MacroDiagnostic.noName.at(reader.syntax.secondName ?? reader.syntax.firstName))
        }
    }

    /// Checks that each name in the template and in headers is the name of a parameter.
    private mutating func checkVariables(_ known: [String]) {
        if let segment {
            for (name, offset) in template.variables where !known.contains(name) {
                let fixIt = FixIt.naming(name, offset: offset, in: segment, known: known, function: function)
                report(MacroDiagnostic.noParameter(name).at(segment, offset: offset, fixIts: [fixIt]))
            }
        }
        for (name, node, offset) in attributes.headerNodes where !known.contains(name) {
            let fixIt = FixIt.naming(name, offset: offset, in: node, known: known, function: function)
            report(MacroDiagnostic.noParameter(name).at(node, offset: offset, fixIts: [fixIt]))
        }
    }

    /// Checks that names in the request are unique.
    private mutating func checkNames(_ parameters: [Parameter], _ readers: [ParameterReader]) {
        // Names without a parameter have already been reported.
        var query = Set(
            template.query.filter { item in
                if case .variable(let name, _) = item.value {
                    parameters.contains { $0.name == name }
                } else {
                    true
                }
            }.map(\.name)
        )
        var header: Set<String> = []
        var body: Set<String> = []
        for parameter in parameters {
            let isNew =
                switch parameter.role {
                case .query: query.insert(parameter.wireName).inserted
                case .header: header.insert(parameter.wireName.lowercased()).inserted
                case .field, .member: body.insert(parameter.wireName).inserted
                // The names in maps are not known.
                case .template, .headerTemplate, .body, .part, .destination, .queryMap, .headerMap, .fieldMap,
                    .requestURL:
                    true
                }
            if !isNew, let reader = readers.first(where: { $0.name == parameter.name }) {
                report(MacroDiagnostic.duplicateName(parameter.wireName).at(reader.nameToken))
            }
            if parameter.role == .header, !parameter.wireName.isToken,
                let reader = readers.first(where: { $0.name == parameter.name })
            {
                report(MacroDiagnostic.invalidHeaderName(parameter.wireName).at(reader.nameToken))
            }
        }
    }
}

extension ParameterReader {
    /// The token of the name.
    var nameToken: TokenSyntax { syntax.secondName ?? syntax.firstName }

    /// Returns corrections that mark the parameter.
    func fixIts(markingAs marks: String...) -> [FixIt] {
        marks.map { mark in
            return MacroFixIt("send it as \(mark)<\(type.text)>").replacing(
                writtenType,
                with: "\(mark)<\(type.text)>"
            )
        }
    }
}
#endif
