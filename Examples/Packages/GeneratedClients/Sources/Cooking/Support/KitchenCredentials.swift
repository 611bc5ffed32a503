import Moya

/// The credentials that Kitchen accepts, as plugins of a client or a provider.
enum KitchenCredentials {
    /// Sends an API key.
    static func key(_ key: @escaping @Sendable () -> String) -> APIKeyPlugin {
        APIKeyPlugin(name: "X-Kitchen-Key", place: .header, key: key)
    }
}

/// A plugin that sends an API key with each request.
struct APIKeyPlugin: PluginType {
    /// The place of a key in a request.
    enum Place: Sendable {
        case header, query, cookie
    }

    private let name: String
    private let place: Place
    private let key: @Sendable () -> String

    /// Creates a plugin.
    init(name: String, place: Place, key: @escaping @Sendable () -> String) {
        self.name = name
        self.place = place
        self.key = key
    }

    /// Adds the key to a request.
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        var request = request
        switch place {
        case .header: request.setValue(key(), forHTTPHeaderField: name)
        case .cookie: request.addValue("\(name)=\(key())", forHTTPHeaderField: "Cookie")
        case .query: request.url?.append(queryItems: [URLQueryItem(name: name, value: key())])
        }
        return request
    }
}
