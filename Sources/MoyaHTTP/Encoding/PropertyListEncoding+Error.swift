import Foundation

extension PropertyListEncoding {
    /// Why parameters could not become a property list. A path names the parameter, as in `user.scores[2]`; values are
    /// never repeated.
    public struct Error: RequestMistake, Equatable, Sendable {
        /// What is wrong.
        public enum Reason: Hashable, Sendable {
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

extension PropertyListEncoding.Error {
    /// ``Reason/invalidValue(path:type:)``
    public static func invalidValue(path: String, type: String) -> Self { Self(.invalidValue(path: path, type: type)) }
    /// ``Reason/invalidText(path:)``
    public static func invalidText(path: String) -> Self { Self(.invalidText(path: path)) }
    /// ``Reason/unrepresentableDate(path:)``
    public static func unrepresentableDate(path: String) -> Self { Self(.unrepresentableDate(path: path)) }
    /// ``Reason/nestedTooDeeply``
    public static let nestedTooDeeply = Self(.nestedTooDeeply)
    /// ``Reason/unsupportedFormat``
    public static let unsupportedFormat = Self(.unsupportedFormat)
}

extension PropertyListEncoding.Error: LocalizedError {
    /// What is wrong, and what to do.
    public var errorDescription: String? { text(sentence) }

    private var sentence: String {
        switch reason {
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
