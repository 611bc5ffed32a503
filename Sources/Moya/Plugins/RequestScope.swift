/// One request of a provider, for as long as its plugins hear of it.
///
/// Hooks get a target, and several equal targets may be under way. So the provider calls the hooks of one request, of all
/// its tries, in the scope of that request: a plugin that must know what belongs together looks at the current one.
final class RequestScope: Sendable {
    /// The request whose `willSend` or `didReceive` hooks are being called.
    @TaskLocal static var current: RequestScope?

    /// A new one; none where there is nobody to look at it.
    static func make(for plugins: [any PluginType]) -> RequestScope? { plugins.isEmpty ? nil : RequestScope() }

    /// Calls a hook of all plugins, in a scope; in none, where it is not known to which request the call belongs.
    static func run(in scope: RequestScope?, with plugins: [any PluginType], _ hook: (any PluginType) -> Void) {
        run(in: scope, for: plugins) { plugins.forEach(hook) }
    }

    /// Does what leads to calls of hooks in a scope.
    static func run<Value>(in scope: RequestScope?, for plugins: [any PluginType], _ body: () -> Value) -> Value {
        // Where nobody looks at it, it need not cost anything.
        plugins.isEmpty ? body() : $current.withValue(scope, operation: body)
    }
}

extension RequestScope: Hashable {
    /// Whether the two are one.
    static func == (lhs: RequestScope, rhs: RequestScope) -> Bool { lhs === rhs }

    /// Hashes which one it is.
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
