#if Macros
    /// Generates the client.
    struct ClientWriter {
        let api: API

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

        private func call(_ endpoint: Endpoint) -> [String] {
            let target = endpoint.target
            switch endpoint.output {
            case .nothing: return ask("send", "to: \(target)", endpoint)
            case .response, .data(isOptional: false), .text(isOptional: false), .value(_, isOptional: false):
                return ask("value", "of: \(target)", endpoint)
            case .data(isOptional: true), .text(isOptional: true), .value(_, isOptional: true):
                return ask("valueIfPresent", "of: \(target)", endpoint)
            case .stream(.sequence), .stream(.serverSentEvents): return ["self.provider.events(\(target))"]
            case .stream(.response): return ask("stream", "of: \(target)", endpoint)
            case .stream(.events): return ask("stream", "of: \(target)", endpoint, then: ".events")
            case .stream(.lines): return ask("stream", "of: \(target)", endpoint, then: ".lines")
            case .stream(.body): return ask("stream", "of: \(target)", endpoint, then: ".body")
            }
        }

        // With an explicit "self", as a parameter may have any name.
        private func ask(_ method: String, _ target: String, _ endpoint: Endpoint, then end: String = "") -> [String] {
            var arguments = [target]
            if let keyPath = endpoint.keyPath { arguments.append("at: \(keyPath)") }
            if let failure = endpoint.errorBody { arguments.append("orThrow: \(failure)") }
            return CodeText.list("try await self.caller.\(method)(", arguments, ")\(end)", room: 112)
        }
    }

    extension Endpoint {
        /// Returns the lines of the method's declaration, including the opening brace.
        func declaration(access: String) -> [String] {
            let end = ") async throws\(throwsMoyaError ? "(MoyaGenerated.MoyaError)" : "")\(arrow) {"
            return CodeText.list("\(access)func \(name.asIdentifier)(", parameters.map(\.declaration), end, room: 116)
        }

        /// The case with its values.
        var target: String {
            let values = parameters.map(\.argument).joined(separator: ", ")
            return values.isEmpty ? ".\(caseName.asIdentifier)" : ".\(caseName.asIdentifier)(\(values))"
        }
    }
#endif
