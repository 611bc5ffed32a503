import Moya

/// The credentials that Assistant accepts, as plugins of a client or a provider.
enum AssistantCredentials {
    /// Sends an API key.
    static func key(_ key: @escaping @Sendable () -> String) -> APIKeyPlugin {
        APIKeyPlugin(name: "X-API-Key", key: key)
    }

    /// Sends a token of OAuth 2.
    static func account(_ token: @escaping @Sendable () -> String) -> AccessTokenPlugin {
        AccessTokenPlugin { _ in token() }
    }

    /// Sends a token of OAuth 2, and refreshes it when it has expired.
    static func accountRefreshing(
        client: OAuth2Client,
        credential: OAuth2Credential? = nil,
        onRefresh: @escaping @Sendable (OAuth2Credential) async -> Void = { _ in }
    ) -> AuthenticationInterceptor<OAuth2Authenticator> {
        let authenticator = OAuth2Authenticator(
            tokenURL: URL(string: "https://assistant.example/token")!,
            client: client,
            grant: .clientCredentials,
            origins: [URL(string: "https://eu.assistant.example/v2")!],
            onRefresh: onRefresh
        )
        return AuthenticationInterceptor(authenticator: authenticator, credential: credential)
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
