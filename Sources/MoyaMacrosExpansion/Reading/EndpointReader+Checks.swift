#if Macros
import SwiftDiagnostics
import SwiftSyntax

extension EndpointReader {
    /// Checks a method, except its parameters.
    mutating func checkSignature() {
        if let clause = function.genericParameterClause { report(MacroDiagnostic.generic.at(clause)) }
        if let clause = function.genericWhereClause { report(MacroDiagnostic.generic.at(clause)) }
        if let type = function.signature.returnClause?.type {
            diagnostics += TypeCheck.diagnostics(inResult: type)
        }
        for modifier in function.modifiers {
            switch modifier.name.tokenKind {
            case .keyword(.static), .keyword(.class): report(MacroDiagnostic.isStatic.at(modifier))
            case .keyword(.mutating): report(MacroDiagnostic.mutating.at(modifier))
            default: break
            }
        }
        if function.signature.parameterClause.parameters.isEmpty,
            Self.reservedNames.contains(function.name.plainName)
        {
            report(MacroDiagnostic.reserved(function.name.plainName).at(function.name))
        }
        if Self.specialNames.contains(function.name.plainName) {
            report(MacroDiagnostic.specialName(function.name.plainName).at(function.name))
        }
        let effects = function.signature.effectSpecifiers
        if effects?.asyncSpecifier == nil || effects?.throwsClause?.throwsSpecifier.tokenKind != .keyword(.throws) {
            report(
                MacroDiagnostic.notAsync(function.name.text).at(
                    function.name,
                    fixIts: [.makingAsyncThrows(function)]
                )
            )
        }
        if let type = effects?.throwsClause?.type,
            !["MoyaError", "Moya.MoyaError"].contains(type.trimmedDescription)
        {
            report(MacroDiagnostic.foreignThrows.at(type))
        }
    }

    /// The names of the properties that the client and the mock declare.
    private static let reservedNames: Set = ["caller", "provider", "handlers", "calls", "state"]

    /// The names that the language reserves in every type.
    private static let specialNames: Set = ["self", "Type", "Protocol"]

    /// Checks that the names in attributes' expressions are not shadowed in the generated target.
    mutating func checkNames(in attributes: [AttributeSyntax], _ parameters: [Parameter]) {
        for attribute in attributes {
            let isSample = attribute.shortName == "Sample"
            let values = isSample ? Set(parameters.map(\.name)) : []
            for argument in attribute.argumentList {
                for token in HiddenNames.find(in: argument.expression, members: targetMembers.union(values)) {
                    report(MacroDiagnostic.hiddenName(token.plainName).at(token))
                }
            }
        }
    }

    /// Checks that the result type is allowed for this kind of endpoint.
    mutating func check(_ output: Output, kind: Endpoint.Kind, hasKeyPath: Bool) {
        let node = function.signature.returnClause.map { Syntax($0.type) } ?? Syntax(function.name)
        switch (kind, output) {
        case (.stream, .stream), (.download, .nothing), (.download, .response): break
        case (.webSocket, .webSocket), (.webSocket, .reconnectingWebSocket): break
        case (.webSocket, _): report(MacroDiagnostic.noWebSocket.at(node))
        case (.pages, .pages), (.stream, .decodedEvents), (.stream, .decodedLines), (.value, .typedResponse):
            checkDecodedType()
        case (.byStatus, .value(_, isOptional: false)): break
        case (.byStatus, _): report(MacroDiagnostic.noStatusResult.at(node))
        case (.pages, _): report(MacroDiagnostic.noPages.at(node))
        case (.stream, _):
            let types = ["DecodedEvents", "DecodedLines"] + Output.Stream.allCases.map(\.rawValue)
            report(MacroDiagnostic.noStream(types.map { "'\($0)'" }.joined(separator: ", ")).at(node))
        case (.download, _): report(MacroDiagnostic.downloadOutput.at(node))
        case (.value, .stream), (.value, .decodedEvents), (.value, .decodedLines):
            report(MacroDiagnostic.missingStream.at(node, fixIts: [.adding("@Stream", to: function)]))
        case (.value, .webSocket), (.value, .reconnectingWebSocket): report(MacroDiagnostic.missingWebSocket.at(node))
        case (.value, .pages): report(MacroDiagnostic.missingPaged.at(node))
        case (.value, .value):
            if let result = function.signature.returnClause?.type,
                let type = ErasedType.find(in: result, sending: false)
            {
                report(MacroDiagnostic.notDecodable(type.trimmedDescription).at(type))
            }
        case (.value, _): break
        }
        guard hasKeyPath, let attribute = function.attributes.attributes(named: "KeyPath").first else { return }
        switch output {
        case .value where kind == .byStatus: report(MacroDiagnostic.noKeyPath.at(attribute))
        case .value, .text, .pages, .typedResponse: break
        case .nothing, .response, .data, .stream, .decodedEvents, .decodedLines, .webSocket, .reconnectingWebSocket:
            report(MacroDiagnostic.noKeyPath.at(attribute))
        }
    }

    /// Checks that the type inside a generic result can be decoded.
    private mutating func checkDecodedType() {
        guard let result = function.signature.returnClause?.type, let inner = Output.decodedType(in: result),
            let type = ErasedType.find(in: inner, sending: false)
        else { return }
        report(MacroDiagnostic.notDecodable(type.trimmedDescription).at(type))
    }

    /// Checks that no header is set by both an attribute and a parameter.
    mutating func checkHeaders(_ headers: [Header], _ parameters: [Parameter]) {
        for parameter in parameters where parameter.role == .header {
            let isSet = headers.contains { $0.name.lowercased() == parameter.wireName.lowercased() }
            guard isSet,
                let node = function.signature.parameterClause.parameters.first(where: {
                    ($0.secondName ?? $0.firstName).plainName == parameter.name
                })
            else { continue }
            report(MacroDiagnostic.duplicateHeader(parameter.wireName).at(node.secondName ?? node.firstName))
        }
    }
}
#endif
