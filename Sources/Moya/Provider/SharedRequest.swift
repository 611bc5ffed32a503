import Foundation

// Not nested in the generic class: metadata that depends on a type of the application is slow.

/// One request to the session that several equal requests of callers share.
final class SharedRequest: Sendable {
    /// The key by which equal requests are found.
    ///
    /// A key is created before the table is locked, because its creation runs code of the application.
    struct Key: Hashable, Sendable {
        private let identity: Endpoint.Identity
        /// A unique value for each download, because its destination is a closure, which can't be compared.
        private let download: UUID?

        init(_ endpoint: Endpoint) {
            identity = endpoint.identity
            download = endpoint.task.isDownload ? UUID() : nil
        }
    }

    let key: Key
    let id: UInt64
    /// The identity of the request in its plugins' hooks; `nil` if there is no plugin.
    let identity: RequestIdentity?
    /// Cancels the request to the session.
    let token = CancellableToken()

    init(_ key: Key, id: UInt64, identity: RequestIdentity?) {
        self.key = key
        self.id = id
        self.identity = identity
    }
}
