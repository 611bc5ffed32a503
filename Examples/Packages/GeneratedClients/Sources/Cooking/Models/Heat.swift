/// A step on the stove or in the oven.
struct Heat: Codable, Hashable, Sendable {
    var kind: String = "heat"
    var celsius: Int
    var minutes: Int
}
