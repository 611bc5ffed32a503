#if Macros
/// Generates the client and the mock of an API that composes others.
struct ComposedAPIWriter {
    let api: ComposedAPI

    /// The client, which forwards its calls to the clients of the parts.
    var client: String {
        let member = api.memberAccess
        let parameters = [
            "baseURL: MoyaGenerated.URL? = nil", "session: MoyaGenerated.Session = MoyaGenerated.makeSession()",
            "plugins: [any MoyaGenerated.PluginType] = []", "encoder: MoyaGenerated.JSONEncoder? = nil",
            "decoder: (any MoyaGenerated.ResponseDecoder & MoyaGenerated.Sendable)? = nil",
        ]
        let arguments = "baseURL: baseURL, session: session, plugins: plugins, encoder: encoder, decoder: decoder"
        let memberwise = CodeText.list(
            opening: "\(member)init(",
            api.parts.map { "\($0.property): \($0.client)" },
            closing: ") {",
            room: 116
        )
        let members =
            api.parts.map { "\(member)let \($0.property): \($0.client)" }
            + ["", "/// Creates a client with the clients of its parts."] + memberwise
            + CodeText.indented(api.parts.map { "self.\($0.property) = \($0.property)" }) + ["}", ""]
            + [
                "/// Creates a client whose parts share a session and plugins, and use their declared servers or another one."
            ]
            + CodeText.list(opening: "\(member)init(", parameters, closing: ") {", room: 0)
            + CodeText.indented(api.parts.map { "\($0.property) = \($0.client)(\(arguments))" }) + ["}"]
        return declaration(
            "A client for ``\(api.name)``, which sends requests by the clients of its parts.",
            "nonisolated struct \((api.name + "Client").asIdentifier)",
            conformances: [],
            members
        )
    }

    /// The mock, which forwards its calls to the mocks of the parts.
    var mock: String {
        let members =
            api.parts.map { "\(api.memberAccess)let \($0.property) = \($0.mock)()" }
            + ["", "/// Creates a mock without handlers: set those of its parts.", "\(api.memberAccess)init() {}"]
        return declaration(
            "A mock of ``\(api.name)`` for tests, with the mocks of its parts.",
            "nonisolated final class \((api.name + "Mock").asIdentifier)",
            conformances: ["MoyaGenerated.Sendable"],
            members
        )
    }

    private func declaration(
        _ comment: String,
        _ name: String,
        conformances: [String],
        _ members: [String]
    ) -> String {
        let access = api.access.isEmpty ? "" : api.access + " "
        let all = [api.name.asIdentifier] + api.parts.map(\.forwarder) + conformances
        return
            (api.attributes + ["/// \(comment)", "\(access)\(name): \(all.joined(separator: ", ")) {"]
            + CodeText.indented(members) + ["}"]).joined(separator: "\n")
    }
}
#endif
