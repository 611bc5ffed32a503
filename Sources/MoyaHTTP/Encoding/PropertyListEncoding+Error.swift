import Foundation

extension PropertyListEncoding {
    /// Why parameters could not become a property list. A path names the parameter, as in `user.scores[2]`; values are
    /// never repeated.
    public enum Error: Swift.Error, LocalizedError, Equatable, Sendable {
        /// A property list has no form for a value of this type; `nil` and `NSNull` among them.
        case invalidValue(path: String, type: String)
        /// A text or a key has a control character, which XML has no form for.
        case invalidText(path: String)
        /// A date is infinite or not a number, or XML has no form for its year.
        case unrepresentableDate(path: String)
        /// Arrays and dictionaries lie more than 512 levels deep in each other.
        case nestedTooDeeply
        /// The format is neither `.xml` nor `.binary`.
        case unsupportedFormat

        /// What is wrong, in one sentence.
        public var errorDescription: String? {
            switch self {
            case .invalidValue(let path, let type):
                "The value at \(path) is of type \(type), which a property list has no form for."
            case .invalidText(let path):
                "The text at \(path) has a control character, which XML has no form for: use .binary, or send Data."
            case .unrepresentableDate(let path):
                "The date at \(path) is infinite, or its year has not four digits: a property list cannot hold it."
            case .nestedTooDeeply:
                "The parameters are nested more than \(AnyParameter.deepestLevel) levels deep: send flatter ones."
            case .unsupportedFormat:
                "Property lists are written in .xml and .binary, and in no other format."
            }
        }
    }
}
