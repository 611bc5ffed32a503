import MoyaHTTP

/// The identity of one request of a provider in its plugins' hooks.
///
/// Hooks receive a target, and several equal targets may be in progress. So the provider sets ``current`` for `willSend`, in each
/// attempt, and for `didReceive`, and plugins read it to match the calls.
final class RequestIdentity: Sendable {
    private static let count = Locked(0)

    /// The number of the request in the process, from 1, by which people distinguish requests.
    let number = count.withLock { count in
        count += 1
        return count
    }

    /// The request whose `willSend` or `didReceive` hooks are being called.
    @TaskLocal static var current: RequestIdentity?

    /// Creates an identity; `nil` if there is no plugin.
    static func make(for plugins: [any PluginType]) -> RequestIdentity? { plugins.isEmpty ? nil : RequestIdentity() }

    /// Runs a function that calls the hooks of a request with this identity.
    static func run<Value>(as identity: RequestIdentity?, for plugins: [any PluginType], _ body: () -> Value) -> Value {
        // Without plugins nobody reads the identity, so setting it is skipped.
        plugins.isEmpty ? body() : $current.withValue(identity, operation: body)
    }
}

extension RequestIdentity: Hashable {
    /// Returns whether both are the same object.
    static func == (lhs: RequestIdentity, rhs: RequestIdentity) -> Bool { lhs === rhs }

    /// Hashes the object's identity.
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
