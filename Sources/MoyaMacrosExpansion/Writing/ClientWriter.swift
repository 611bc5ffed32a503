#if Macros
/// Generates the client.
struct ClientWriter {
    let api: API
    private let decoders: StoredExpressions<Coder>
    private let errorBodies: StoredExpressions<[StatusErrorBody]>

    init(api: API) {
        self.api = api
        decoders = StoredExpressions(api.endpoints.compactMap(\.decoder), named: "declaredDecoder", in: api)
        errorBodies = StoredExpressions(
            api.endpoints.map(\.statusErrorBodies).filter { !$0.isEmpty },
            named: "declaredErrorBodies",
            in: api
        )
    }

    var text: String {
        let access = api.access.isEmpty ? "" : api.access + " "
        var lines = api.attributes
        lines.append("/// A client for ``\(api.name)``.")
        lines.append(
            "\(access)nonisolated struct \(api.clientName): \(api.protocolName), MoyaGenerated.APIClient {"
        )
        lines += CodeText.indented([
            "\(api.memberAccess)let caller: MoyaGenerated.APICaller<\(api.targetName)>", "",
            "\(api.memberAccess)init(caller: MoyaGenerated.APICaller<\(api.targetName)>) { self.caller = caller }",
        ])
        lines += stored.isEmpty ? [] : [""] + CodeText.indented(stored)
        for endpoint in api.endpoints {
            lines.append("")
            lines += CodeText.indented(
                endpoint.documentation + endpoint.declaration(access: api.memberAccess)
                    + CodeText.indented(call(endpoint)) + ["}"]
            )
        }
        lines.append("}")
        return lines.joined(separator: "\n")
    }

    /// The declarations of the properties with values of attributes.
    private var stored: [String] {
        decoders.declarations { ($0.type, $0.expression) }
            + errorBodies.declarations { bodies in
                let elements = bodies.map { "MoyaGenerated.StatusErrorBody(\($0.type), for: \($0.statuses))" }
                return (nil, "[\(elements.joined(separator: ", "))]")
            }
    }

    /// Returns the arguments with the location of the result, the types of error bodies, and the decoder.
    private func readingArguments(_ endpoint: Endpoint) -> [String] {
        [
            endpoint.keyPath.map { "at: \($0)" },
            endpoint.errorBody.map { "orThrow: \($0)" },
            errorBodies.property(endpoint.statusErrorBodies).map { "errorBodies: \($0)" },
            endpoint.decoder.flatMap(decoders.property).map { "using: \($0)" },
        ].compactMap(\.self)
    }

    private func call(_ endpoint: Endpoint) -> [String] {
        let target = endpoint.target
        switch endpoint.output {
        case .value where endpoint.kind == .byStatus:
            return callerCall("resultByStatus", "of: \(target)", for: endpoint)
        case .typedResponse: return callerCall("response", "of: \(target)", for: endpoint)
        case .decodedEvents:
            let end = endpoint.streamEnd.map { ["until: \($0)"] } ?? []
            return CodeText.list(
                opening: "self.caller.events(",
                ["of: \(target)"] + end + readingArguments(endpoint),
                closing: ")",
                room: 112
            )
        case .decodedLines: return callerCall("lines", "of: \(target)", for: endpoint)
        case .nothing: return callerCall("send", "to: \(target)", for: endpoint)
        case .response, .data(isOptional: false), .text(isOptional: false), .value(_, isOptional: false):
            return callerCall("value", "of: \(target)", for: endpoint)
        case .data(isOptional: true), .text(isOptional: true), .value(_, isOptional: true):
            return callerCall("valueIfPresent", "of: \(target)", for: endpoint)
        case .stream(.sequence), .stream(.serverSentEvents): return ["self.provider.events(\(target))"]
        case .webSocket: return webSocketCall("try await self.provider.webSocket(", for: endpoint)
        case .reconnectingWebSocket: return webSocketCall("self.provider.reconnectingWebSocket(", for: endpoint)
        case .pages:
            return CodeText.list(
                opening: "self.caller.pages(",
                ["of: \(target)", "by: \(endpoint.pagination ?? "")"] + readingArguments(endpoint),
                closing: ")",
                room: 112
            )
        case .stream(.response): return callerCall("stream", "of: \(target)", for: endpoint)
        case .stream(.events): return callerCall("stream", "of: \(target)", for: endpoint, then: ".events")
        case .stream(.lines): return callerCall("stream", "of: \(target)", for: endpoint, then: ".lines")
        case .stream(.body): return callerCall("stream", "of: \(target)", for: endpoint, then: ".body")
        }
    }

    private func webSocketCall(_ opening: String, for endpoint: Endpoint) -> [String] {
        CodeText.list(opening: opening, [endpoint.target] + endpoint.webSocketArguments, closing: ")", room: 112)
    }

    // `self` is explicit, because a parameter may have any name.
    private func callerCall(
        _ method: String,
        _ target: String,
        for endpoint: Endpoint,
        then end: String = ""
    ) -> [String] {
        CodeText.list(
            opening: "try await self.caller.\(method)(",
            [target] + readingArguments(endpoint),
            closing: ")\(end)",
            room: 112
        )
    }
}

extension Endpoint {
    /// Returns the lines of the method's declaration, including the opening brace.
    func declaration(access: String, adding last: [String] = []) -> [String] {
        let end = ") async throws\(throwsMoyaError ? "(MoyaGenerated.MoyaError)" : "")\(arrow) {"
        let all = parameters.map(\.declaration) + last
        return CodeText.list(opening: "\(access)func \(name.asIdentifier)(", all, closing: end, room: 116)
    }

    /// The case with its values.
    var target: String {
        let values = parameters.map(\.argument).joined(separator: ", ")
        return values.isEmpty ? ".\(caseName.asIdentifier)" : ".\(caseName.asIdentifier)(\(values))"
    }
}
#endif
