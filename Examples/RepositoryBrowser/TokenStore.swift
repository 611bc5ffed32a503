import Foundation

/// The user's token and its expiration.
final class TokenStore {
    private let lock = NSLock()
    private var token = ""
    private var expiry = Date.distantPast

    var current: String {
        lock.lock()
        defer { lock.unlock() }
        return token
    }

    var isExpired: Bool {
        lock.lock()
        defer { lock.unlock() }
        return expiry <= Date()
    }

    func save(_ token: String, lifetime: TimeInterval) {
        lock.lock()
        defer { lock.unlock() }
        self.token = token
        expiry = Date().addingTimeInterval(lifetime)
    }
}
