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
        func declaration(access: String, adding last: [String] = []) -> [String] {
            let end = ") async throws\(throwsMoyaError ? "(MoyaGenerated.MoyaError)" : "")\(arrow) {"
            let all = parameters.map(\.declaration) + last
            return CodeText.list("\(access)func \(name.asIdentifier)(", all, end, room: 116)
        }

        /// The case with its values.
        var target: String {
            let values = parameters.map(\.argument).joined(separator: ", ")
            return values.isEmpty ? ".\(caseName.asIdentifier)" : ".\(caseName.asIdentifier)(\(values))"
        }
    }

    /// Generates the mock.
    struct MockWriter {
        let api: API

        var text: String {
            let access = api.access.isEmpty ? "" : api.access + " "
            let member = api.memberAccess
            let handlers = api.handlersName
            var lines = api.attributes
            lines.append("/// A mock of ``\(api.name)`` for tests, with a handler for each method.")
            lines.append(
                "\(access)nonisolated final class \(api.mockName): \(api.protocolName), MoyaGenerated.Sendable {"
            )
            lines += CodeText.indented([
                "/// The handlers of each method; a call without a handler throws ``UnhandledCall``."
            ])
            lines += CodeText.indented(["\(member)nonisolated struct \(handlers): MoyaGenerated.Sendable {"])
            lines += CodeText.indented(api.endpoints.flatMap { $0.handlerProperty(access: member) }, by: 2)
            lines += CodeText.indented(
                [
                    "}", "", "private let state: MoyaGenerated.MockState<\(api.targetName), \(handlers)>", "",
                    "/// Creates a mock with its initial handlers.",
                    "\(member)init(_ configure: (inout \(handlers)) -> () = { _ in }) {",
                    "    var handlers = \(handlers)()", "    configure(&handlers)",
                    "    state = MoyaGenerated.MockState(handlers)", "}", "",
                    "/// The handlers for future calls.",
                    "\(member)var handlers: \(handlers) {",
                    "    get { state.handlers }", "    set { state.handlers = newValue }", "}", "",
                    "/// The calls in order.",
                    "\(member)var calls: [\(api.targetName)] { state.calls }",
                ]
            )
            for endpoint in api.endpoints {
                let name = endpoint.caseName
                let arguments = endpoint.parameters.map(\.code).joined(separator: ", ")
                let handler = CodeText.list(
                    "try await self.state.handler(",
                    [
                        "to: \(endpoint.target)", "{ $0.\(endpoint.caseName.asIdentifier) }",
                        "named: \(CodeText.literal(name))",
                    ],
                    ")(\(arguments))",
                    room: 112
                )
                lines += CodeText.indented([""] + endpoint.declaration(access: member))
                lines += CodeText.indented(handler, by: 2)
                lines += CodeText.indented(["}"])
            }
            lines.append("}")
            return lines.joined(separator: "\n")
        }
    }

    extension Endpoint {
        /// Returns the declaration of the property with the endpoint's answer.
        fileprivate func handlerProperty(access: String) -> [String] {
            let end =
                ") async throws\(throwsMoyaError ? "(MoyaGenerated.MoyaError)" : "")\(arrow.isEmpty ? " -> ()" : arrow))?"
            let parameters = parameters.map { "_ \($0.code): \($0.typeAttributes)\($0.type.text)" }
            return CodeText.list("\(access)var \(caseName.asIdentifier): (@Sendable (", parameters, end, room: 112)
        }
    }
#endif
