#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// Reads a protocol that composes several APIs, and collects diagnostics.
struct ComposedAPIReader {
    private(set) var diagnostics: [Diagnostic] = []

    mutating func read(_ declaration: ProtocolDeclSyntax, attribute: AttributeSyntax) -> ComposedAPI {
        let inherited = (declaration.inheritanceClause?.inheritedTypes.map(\.type) ?? []).flatMap { type in
            type.as(CompositionTypeSyntax.self)?.elements.map(\.type) ?? [type]
        }
        let parts = inherited.map(\.trimmedDescription)
            .filter { !Self.markerProtocols.contains(ValueType.withoutModule($0)) }
        if parts.isEmpty { diagnostics.append(MacroDiagnostic.nothingComposed.at(attribute)) }
        for member in declaration.memberBlock.members {
            diagnostics.append(MacroDiagnostic.composedMember.at(member.decl))
        }
        for name in EndpointReader.attributeNames.sorted() {
            for attribute in declaration.attributes.attributes(named: name) {
                diagnostics.append(MacroDiagnostic.composedAttribute(name).at(attribute))
            }
        }
        return ComposedAPI(
            name: declaration.name.plainName,
            access: APIReader.access(of: declaration),
            attributes: APIReader.availability(of: declaration),
            parts: parts.map { PartNames(protocolName: $0) }
        )
    }

    /// The protocols that have no methods, and may be inherited besides APIs.
    private static let markerProtocols: Set = ["Sendable", "SendableMetatype"]
}

extension AttributeSyntax {
    /// Whether the attribute `@API` composes other APIs, because it has no URL.
    var composesAPIs: Bool { argumentList.isEmpty }
}
#endif
