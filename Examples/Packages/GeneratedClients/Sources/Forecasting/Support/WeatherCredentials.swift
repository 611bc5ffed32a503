import Moya

/// The credentials that Weather accepts, as plugins of a client or a provider.
enum WeatherCredentials {
    /// Sends a token.
    static func bearer(_ token: @escaping @Sendable () -> String) -> AccessTokenPlugin {
        AccessTokenPlugin { _ in token() }
    }
}
