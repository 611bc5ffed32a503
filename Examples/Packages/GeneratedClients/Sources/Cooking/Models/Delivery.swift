import Foundation

/// The time at which an order arrives.
struct Delivery: Codable, Hashable, Sendable {
    var arrival: Date
}
