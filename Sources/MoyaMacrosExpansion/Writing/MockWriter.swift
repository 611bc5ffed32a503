#if Macros
import MoyaCodeText

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
                opening: "try await self.state.handler(",
                [
                    "to: \(endpoint.target)", "{ $0.\(endpoint.caseName.asIdentifier) }",
                    "named: \(SwiftText.literal(name))",
                ],
                closing: ")(\(arguments))",
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
    /// Returns the declaration of the property with the endpoint's handler.
    fileprivate func handlerProperty(access: String) -> [String] {
        let end =
            ") async throws\(throwsMoyaError ? "(MoyaGenerated.MoyaError)" : "")\(arrow.isEmpty ? " -> ()" : arrow))?"
        let parameters = parameters.map { "_ \($0.code): \($0.typeAttributes)\($0.type.text)" }
        return CodeText.list(
            opening: "\(access)var \(caseName.asIdentifier): (@Sendable (",
            parameters,
            closing: end,
            room: 112
        )
    }
}
#endif
