#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// The attributes that are allowed for a method and for the whole protocol.
struct CommonAttributes {
    var headers: [Header] = []
    var headerNodes: [(variable: String, node: StringSegmentSyntax, offset: Int)] = []
    var urlStyle: String?
    var authorization: String?
    var validation: String?
    var errorBody: String?
    var statusErrorBodies: [StatusErrorBody] = []
    var retry: String?
    var idempotencyKeys: String?
    var timeout: String?
    var timeouts: [TimeoutArgument] = []
    var cachePolicy: String?

    init(reading attributes: AttributeListSyntax, isForAll: Bool, report: inout [Diagnostic]) {
        func attribute(named name: String) -> AttributeSyntax? {
            let all = attributes.attributes(named: name)
            report += all.dropFirst().map { MacroDiagnostic.repeatedAttribute(name).at($0) }
            return all.first
        }
        if let headers = attribute(named: "Headers") { read(headers, report: &report) }
        if let style = attribute(named: "URLStyle") {
            urlStyle = style.argumentList.map(\.expressionWithLabel).joined(separator: ", ")
        }
        validation = attribute(named: "Validation")?.firstArgument?.trimmedDescription
        readErrorBodies(attributes.attributes(named: "ErrorBody"), report: &report)
        retry = attribute(named: "Retry")?.firstArgument?.trimmedDescription
        if let idempotent = attribute(named: "Idempotent") {
            idempotencyKeys = idempotent.firstArgument?.trimmedDescription ?? "MoyaGenerated.IdempotencyKeys()"
        }
        if let timeout = attribute(named: "Timeout") { read(timeout: timeout, report: &report) }
        cachePolicy = attribute(named: "Cache")?.firstArgument?.trimmedDescription
        let schemes = [attribute(named: "Bearer"), attribute(named: "Basic"), attribute(named: "Authorization")]
            .compactMap(\.self)
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

    /// Whether error bodies are decoded.
    var hasErrorBody: Bool { errorBody != nil || !statusErrorBodies.isEmpty }

    /// Returns whether these attributes set a header.
    func hasHeader(named name: String) -> Bool { headers.contains { $0.name.lowercased() == name.lowercased() } }

    /// Returns these attributes, with the attributes of the protocol as defaults.
    func addingDefaults(from common: CommonAttributes) -> CommonAttributes {
        var merged = self
        merged.headers =
            common.headers.filter { !hasHeader(named: $0.name) } + headers
        merged.urlStyle = urlStyle ?? common.urlStyle
        merged.authorization = authorization ?? common.authorization
        merged.validation = validation ?? common.validation
        merged.errorBody = errorBody ?? common.errorBody
        // A body of the method comes first, because the first one for a status is used.
        merged.statusErrorBodies += common.statusErrorBodies
        merged.retry = retry ?? common.retry
        merged.idempotencyKeys = idempotencyKeys ?? common.idempotencyKeys
        merged.timeout = timeout ?? common.timeout
        merged.timeouts = TimeoutArgument.names.compactMap { name in
            timeouts.first { $0.name == name } ?? common.timeouts.first { $0.name == name }
        }
        merged.cachePolicy = cachePolicy ?? common.cachePolicy
        return merged
    }

    private mutating func readErrorBodies(_ attributes: [AttributeSyntax], report: inout [Diagnostic]) {
        for attribute in attributes {
            guard let type = attribute.firstArgument?.trimmedDescription else { continue }
            let allStatuses = attribute.argumentList.dropFirst().map(\.expression.trimmedDescription)
            for statuses in allStatuses {
                if statusErrorBodies.contains(where: { $0.statuses == statuses }) {
                    report.append(MacroDiagnostic.secondErrorBody(statuses).at(attribute))
                }
                statusErrorBodies.append(StatusErrorBody(type: type, statuses: statuses))
            }
            guard allStatuses.isEmpty else { continue }
            if errorBody == nil {
                errorBody = type
            } else {
                report.append(MacroDiagnostic.repeatedAttribute("ErrorBody").at(attribute))
            }
        }
    }

    private mutating func read(timeout attribute: AttributeSyntax, report: inout [Diagnostic]) {
        if attribute.argumentList.isEmpty { report.append(MacroDiagnostic.emptyTimeout.at(attribute)) }
        if let seconds = attribute.firstArgument {
            timeout = seconds.trimmedDescription
            if !seconds.canBePositive { report.append(MacroDiagnostic.timeoutNotPositive.at(seconds)) }
        }
        for name in TimeoutArgument.names {
            guard let duration = attribute.argument(name) else { continue }
            timeouts.append(TimeoutArgument(name: name, value: duration.trimmedDescription))
            if !duration.canBePositiveDuration { report.append(MacroDiagnostic.durationNotPositive.at(duration)) }
        }
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
                let pieces = try TemplateParser.parsePieces(value.content.text)
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
#endif
