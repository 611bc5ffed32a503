import Moya

/// The credentials that Kitchen accepts, as plugins of a client or a provider.
enum KitchenCredentials {
    /// Sends an API key.
    static func key(_ key: @escaping @Sendable () -> String) -> APIKeyPlugin {
        APIKeyPlugin(name: "X-Kitchen-Key", key: key)
    }
}

/// A plugin that sends an API key with each request.
struct APIKeyPlugin: PluginType {
    private let name: String
    private let key: @Sendable () -> String

    /// Creates a plugin.
    init(name: String, key: @escaping @Sendable () -> String) {
        self.name = name
        self.key = key
    }

    /// Adds the key to a request.
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        var request = request
        request.setValue(key(), forHTTPHeaderField: name)
        return request
    }
}
