/// The error of a text that is neither JSON nor YAML.
package struct TextError: Error, Equatable {
    package var message: String
    package var position: Node.Position

    package init(_ message: String, at position: Node.Position) {
        (self.message, self.position) = (message, position)
    }
}

/// The limits of the texts that are read, which no document of an API reaches.
enum TextLimits {
    /// The number of arrays and objects inside each other.
    static let depth = 200
    /// The number of values, with those that aliases of YAML repeat.
    static let values = 5_000_000
}
