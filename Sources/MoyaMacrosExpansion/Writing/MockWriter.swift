#if Macros
    /// Generates the mock.
    struct MockWriter {
        let api: API

        var text: String {
            let access = api.access.isEmpty ? "" : api.access + " "
            let member = api.memberAccess
            let answers = api.answersName
            var lines = api.attributes
            lines.append("/// A mock of ``\(api.name)`` for tests, with an answer for each method.")
            lines.append(
                "\(access)nonisolated final class \(api.mockName): \(api.protocolName), MoyaGenerated.Sendable {"
            )
            lines += CodeText.indented([
                "/// The answers of each method; a call without an answer throws ``UnansweredCall``."
            ])
            lines += CodeText.indented(["\(member)nonisolated struct \(answers): MoyaGenerated.Sendable {"])
            lines += CodeText.indented(api.endpoints.flatMap { $0.answerProperty(access: member) }, by: 2)
            lines += CodeText.indented(
                [
                    "}", "", "private let state: MoyaGenerated.MockState<\(api.targetName), \(answers)>", "",
                    "/// Creates a mock with its initial answers.",
                    "\(member)init(_ answer: (inout \(answers)) -> () = { _ in }) {",
                    "    var answers = \(answers)()", "    answer(&answers)",
                    "    state = MoyaGenerated.MockState(answers)", "}", "",
                    "/// The answers for future calls.",
                    "\(member)var answers: \(answers) {",
                    "    get { state.answers }", "    set { state.answers = newValue }", "}", "",
                    "/// The calls in order.",
                    "\(member)var calls: [\(api.targetName)] { state.calls }",
                ]
            )
            for endpoint in api.endpoints {
                let name = endpoint.caseName
                let arguments = endpoint.parameters.map(\.code).joined(separator: ", ")
                let answer = CodeText.list(
                    "try await self.state.answer(",
                    [
                        "to: \(endpoint.target)", "{ $0.\(endpoint.caseName.asIdentifier) }",
                        "named: \(CodeText.literal(name))",
                    ],
                    ")(\(arguments))",
                    room: 112
                )
                lines += CodeText.indented([""] + endpoint.declaration(access: member))
                lines += CodeText.indented(answer, by: 2)
                lines += CodeText.indented(["}"])
            }
            lines.append("}")
            return lines.joined(separator: "\n")
        }
    }

    extension Endpoint {
        /// Returns the declaration of the property with the endpoint's answer.
        fileprivate func answerProperty(access: String) -> [String] {
            let end =
                ") async throws\(throwsMoyaError ? "(MoyaGenerated.MoyaError)" : "")\(arrow.isEmpty ? " -> ()" : arrow))?"
            let parameters = parameters.map { "_ \($0.code): \($0.typeAttributes)\($0.type.text)" }
            return CodeText.list("\(access)var \(caseName.asIdentifier): (@Sendable (", parameters, end, room: 112)
        }
    }
#endif
