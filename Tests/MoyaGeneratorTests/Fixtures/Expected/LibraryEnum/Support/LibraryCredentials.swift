import Moya

/// The credentials that Library accepts, as plugins of a client or a provider.
public enum LibraryCredentials {
    /// A token of a reader.
    public static func token(_ token: @escaping @Sendable () -> String) -> AccessTokenPlugin {
        AccessTokenPlugin { _ in token() }
    }
}
