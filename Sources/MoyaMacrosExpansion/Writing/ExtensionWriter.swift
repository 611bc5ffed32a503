#if Macros
/// Generates the extension of the protocol with the methods whose parameters have defaults.
///
/// A requirement has no default arguments. A method with the same signature could have them, but would implement the
/// requirement, too: a type without the method would compile, and calls would recurse infinitely. An additional
/// parameter makes it another method.
struct ExtensionWriter {
    let api: API

    /// The extension; `nil` if no parameter has a default.
    var text: String? {
        let endpoints = api.endpoints.filter { $0.parameters.contains { $0.defaultValue != nil } }
        guard !endpoints.isEmpty else { return nil }
        let methods = endpoints.map { CodeText.indented(method($0)) }.joined(separator: [""])
        let declaration = "\(api.isNonisolated ? "nonisolated " : "")extension \(api.protocolName) {"
        return (api.attributes + [declaration] + methods + ["}"]).joined(separator: "\n")
    }

    private func method(_ endpoint: Endpoint) -> [String] {
        let specifiers = endpoint.specifiers.map { $0 + " " }.joined()
        let declaration = endpoint.declaration(
            access: api.memberAccess,
            adding: ["_: MoyaGenerated.Defaults = MoyaGenerated.Defaults()"]
        )
        let arguments = endpoint.parameters.map(\.argument)
        let call = CodeText.list(
            opening: "try await self.\(endpoint.name.asIdentifier)(",
            arguments,
            closing: ")",
            room: 112
        )
        return endpoint.documentation + [specifiers + declaration[0]] + declaration.dropFirst()
            + CodeText.indented(call) + ["}"]
    }
}
#endif
