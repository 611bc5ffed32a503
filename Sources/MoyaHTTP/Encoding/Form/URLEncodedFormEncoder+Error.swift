import Foundation

extension URLEncodedFormEncoder {
    /// Why a value could not become a form. A path names the property, as in `user.scores[2]`; values are never
    /// repeated.
    public struct Error: RequestMistake, Equatable, Sendable {
        /// What is wrong.
        public enum Reason: Hashable, Sendable {
            /// The value of the named type has no properties or keys at its top level, so that there are no names.
            case topLevelHasNoNames(String)
            /// A number is infinite or not a number.
            case nonFiniteNumber(path: String)
            /// A date is infinite, not a number, or outside of what the chosen style can write.
            case unrepresentableDate(path: String)
            /// An `encode(to:)` asked for containers of different kinds for one value, or wrote a single value twice.
            case conflictingContainers(path: String)
            /// Values lie more than 512 levels deep in each other.
            case nestedTooDeeply
        }

        /// What is wrong.
        public let reason: Reason
        package var origin: ErrorOrigin?

        /// Makes an error.
        public init(_ reason: Reason) { self.reason = reason }

        /// Whether the reasons are the same.
        public static func == (lhs: Self, rhs: Self) -> Bool { lhs.reason == rhs.reason }

        /// Whether another error is this one, so that it can stand in a `case` or a `catch`.
        public static func ~= (pattern: Self, error: any Swift.Error) -> Bool { error as? Self == pattern }
    }
}

extension URLEncodedFormEncoder.Error {
    /// ``Reason/topLevelHasNoNames(_:)``
    public static func topLevelHasNoNames(_ type: String) -> Self { Self(.topLevelHasNoNames(type)) }
    /// ``Reason/nonFiniteNumber(path:)``
    public static func nonFiniteNumber(path: String) -> Self { Self(.nonFiniteNumber(path: path)) }
    /// ``Reason/unrepresentableDate(path:)``
    public static func unrepresentableDate(path: String) -> Self { Self(.unrepresentableDate(path: path)) }
    /// ``Reason/conflictingContainers(path:)``
    public static func conflictingContainers(path: String) -> Self { Self(.conflictingContainers(path: path)) }
    /// ``Reason/nestedTooDeeply``
    public static let nestedTooDeeply = Self(.nestedTooDeeply)
}

extension URLEncodedFormEncoder.Error: LocalizedError {
    /// What is wrong, and what to do.
    public var errorDescription: String? { text(sentence) }

    private var sentence: String {
        switch reason {
        case .topLevelHasNoNames(let type):
            "A form needs names: \(type) has none at its top level, put it into a struct or a dictionary."
        case .nonFiniteNumber(let path):
            "The number at \(path) is infinite or not a number: a form has no text for it."
        case .unrepresentableDate(let path):
            "The date at \(path) cannot be written in the chosen style: choose another date encoding."
        case .conflictingContainers(let path):
            "What encodes the value at \(path) asks for several kinds of containers, or writes a single value twice."
        case .nestedTooDeeply:
            "The value is nested more than \(AnyParameter.deepestLevel) levels deep: send a flatter one."
        }
    }
}
