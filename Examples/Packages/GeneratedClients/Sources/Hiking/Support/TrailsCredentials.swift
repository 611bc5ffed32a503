import Moya

/// The credentials that Trails accepts, as plugins of a client or a provider.
enum TrailsCredentials {
    /// Sends the token of a hiker.
    static func token(_ token: @escaping @Sendable () -> String) -> AccessTokenPlugin {
        AccessTokenPlugin { _ in token() }
    }
}
