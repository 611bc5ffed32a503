#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// Reads an enumeration of results by status, and collects diagnostics.
struct StatusResultReader {
    private(set) var diagnostics: [Diagnostic] = []
    private var cases: [StatusCase] = []

    mutating func read(_ declaration: EnumDeclSyntax) -> [StatusCase] {
        for member in declaration.memberBlock.members {
            guard let declaration = member.decl.as(EnumCaseDeclSyntax.self) else { continue }
            let attribute = declaration.attributes.attributes(named: "Status").first
            if attribute != nil, let second = declaration.elements.dropFirst().first {
                diagnostics.append(MacroDiagnostic.severalCases.at(second))
                continue
            }
            for element in declaration.elements { read(element, attribute) }
        }
        if cases.isEmpty, diagnostics.isEmpty { diagnostics.append(MacroDiagnostic.noCases.at(declaration.name)) }
        return cases
    }

    private mutating func read(_ element: EnumCaseElementSyntax, _ attribute: AttributeSyntax?) {
        let values = element.parameterClause?.parameters ?? []
        if values.count > 1 { diagnostics.append(MacroDiagnostic.severalValues(element.name.text).at(element)) }
        let payload: StatusCase.Payload =
            switch values.first?.type.trimmed {
            case nil: .nothing
            case let type? where ValueType.withoutModule(type.trimmedDescription) == "Response": .response
            case let type?: .body(type)
            }
        let statuses = attribute.map { readStatuses($0) }
        if statuses == nil {
            if case .response = payload {
                if cases.contains(where: { $0.statuses == nil }) {
                    diagnostics.append(MacroDiagnostic.secondOther.at(element))
                }
            } else {
                diagnostics.append(MacroDiagnostic.noStatus(element.name.text).at(element.name))
            }
        }
        cases.append(
            StatusCase(
                name: element.name.plainName,
                label: values.first?.firstName.flatMap { $0.tokenKind == .wildcard ? nil : $0.text },
                payload: payload,
                statuses: statuses
            )
        )
    }

    private mutating func readStatuses(_ attribute: AttributeSyntax) -> [StatusCase.Statuses] {
        if attribute.argumentList.isEmpty { diagnostics.append(MacroDiagnostic.invalidStatus.at(attribute)) }
        var found: [StatusCase.Statuses] = []
        for argument in attribute.argumentList.map(\.expression) {
            let statuses = StatusCase.Statuses(argument)
            if let range = statuses.range {
                if range.lowerBound < 100 || range.upperBound > 599 {
                    diagnostics.append(MacroDiagnostic.invalidStatus.at(argument))
                }
                let known = (cases.compactMap(\.statuses).flatMap(\.self) + found).compactMap(\.range)
                if let status = known.lazy.compactMap({ $0.firstCommon(with: range) }).first {
                    diagnostics.append(MacroDiagnostic.secondStatus(status).at(argument))
                }
            }
            found.append(statuses)
        }
        return found
    }
}

extension StatusCase.Statuses {
    init(_ expression: ExprSyntax) { self.init(expression.trimmedDescription) }

    init(_ text: String) {
        self.text = text
        let bounds = text.split(separator: "...", omittingEmptySubsequences: false)
            .map { Int($0.filter { $0 != " " && $0 != "_" }) }
        isRange = bounds.count == 2
        switch (bounds.first.flatMap(\.self), bounds.last.flatMap(\.self)) {
        case (let lower?, let upper?) where bounds.count <= 2 && lower <= upper: range = lower...upper
        default: range = nil
        }
    }
}

extension ClosedRange<Int> {
    /// Returns the first number that is in both ranges.
    fileprivate func firstCommon(with other: ClosedRange<Int>) -> Int? {
        overlaps(other) ? Swift.max(lowerBound, other.lowerBound) : nil
    }
}
#endif
