import Foundation

/// A step that needs patience.
struct Rest: Codable, Hashable, Sendable {
    var kind: String = "rest"
    var until: Date
}
