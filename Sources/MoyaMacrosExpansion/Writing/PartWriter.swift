#if Macros
/// Generates the declarations by which composed APIs get the methods of an API.
struct PartWriter {
    let api: API

    /// The protocol that the clients and mocks of composed APIs conform to.
    var forwarder: String {
        let names = api.part
        let access = api.access.isEmpty ? "" : api.access + " "
        let lines =
            api.attributes + [
                "/// A type that gets the methods of ``\(api.name)`` from another one, such as a client of a composed API.",
                "\(access)nonisolated protocol \(names.forwarder) {",
            ]
            + CodeText.indented([
                "/// The type that implements the methods.",
                "associatedtype \(names.implementation): \(api.protocolName)", "",
                "/// Implements the methods.",
                "var \(names.property): \(names.implementation) { get }",
            ]) + ["}"]
        return lines.joined(separator: "\n")
    }

    /// The extension with the methods.
    var methods: String {
        let names = api.part
        let methods = api.endpoints.map { endpoint in
            let specifiers = endpoint.specifiers.map { $0 + " " }.joined()
            let declaration = endpoint.declaration(access: api.memberAccess)
            let call = CodeText.list(
                opening: "try await self.\(names.property).\(endpoint.name.asIdentifier)(",
                endpoint.parameters.map(\.argument),
                closing: ")",
                room: 112
            )
            return CodeText.indented(
                endpoint.documentation + [specifiers + declaration[0]] + declaration.dropFirst()
                    + CodeText.indented(call) + ["}"]
            )
        }
        let first =
            "\(api.isNonisolated ? "nonisolated " : "")extension \(api.protocolName) where Self: \(names.forwarder) {"
        return (api.attributes + [first] + methods.joined(separator: [""]) + ["}"]).joined(separator: "\n")
    }
}
#endif
