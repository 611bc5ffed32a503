import Moya

/// The credentials that Library accepts, as plugins of a client or a provider.
enum LibraryCredentials {
    /// A token of a reader.
    static func token(_ token: @escaping @Sendable () -> String) -> AccessTokenPlugin {
        AccessTokenPlugin { _ in token() }
    }
}
