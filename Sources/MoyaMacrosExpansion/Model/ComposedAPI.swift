#if Macros
/// A protocol that inherits the methods of several declared APIs.
struct ComposedAPI {
    /// The protocol's name, without backticks.
    var name: String
    /// `public`, `package`, `fileprivate` or `private`; empty for internal access.
    var access: String
    /// Attributes that the generated types get as well, such as `@available`.
    var attributes: [String]
    var parts: [PartNames]

    /// The access of generated members, which must not be lower than the protocol requires.
    var memberAccess: String { ["public", "package"].contains(access) ? access + " " : "" }
}

/// The generated names for an API that is a part of composed APIs.
struct PartNames: Equatable {
    /// The name of the protocol as written, possibly with a module.
    var protocolName: String

    /// The protocol that forwards the API's methods.
    var forwarder: String { protocolName + "Part" }
    var client: String { protocolName + "Client" }
    var mock: String { protocolName + "Mock" }
    /// The property that implements the methods.
    var property: String { baseName.uncapitalizedFirstWord + "Part" }
    /// The associated type of the property.
    var implementation: String { baseName + "Implementation" }

    /// The name without a module.
    private var baseName: String { protocolName.split(separator: ".").last.map(String.init) ?? protocolName }
}
#endif
