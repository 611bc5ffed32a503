import Foundation

extension URLEncodedFormEncoder {
    /// Why a value could not become a form. A path names the property, as in `user.scores[2]`; values are never
    /// repeated.
    public enum Error: Swift.Error, LocalizedError, Equatable, Sendable {
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

        /// What is wrong, in one sentence.
        public var errorDescription: String? {
            switch self {
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
}
