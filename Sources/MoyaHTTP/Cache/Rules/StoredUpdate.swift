/// The change of a stored response after a response to HEAD, or after a 304 to conditions of the application.
enum StoredUpdate: Equatable, Sendable {
    /// Keep the stored response unchanged.
    case keep
    /// Replace the head by the freshened one.
    case update(to: CachedHead)
    /// Remove the stored response: it belongs to another representation, or the freshened one must not be stored.
    case remove
}
