import Foundation

/// Holds the tokens of the signed-in user.
final class TokenStore {
    static let shared = TokenStore()

    private let queue = DispatchQueue(label: "TokenStore")
    private var stored: Tokens?

    var tokens: Tokens? {
        get { return queue.sync { stored } }
        set { queue.sync { stored = newValue } }
    }
}
