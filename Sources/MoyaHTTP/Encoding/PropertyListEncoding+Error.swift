import Foundation

extension PropertyListEncoding {
    /// An error for parameters that cannot be encoded as a property list.
    ///
    /// A path identifies the parameter, as in `user.scores[2]`; values are never included.
    public struct Error: RequestDefinitionError, Equatable, Sendable {
        /// The reason for the error.
        public enum Reason: Hashable, Sendable {
            /// A property list cannot represent a value of this type, such as `nil` and `NSNull`.
            case invalidValue(path: String, type: String)
            /// A text or a key contains a control character, which XML cannot represent.
            case invalidText(path: String)
            /// A date is infinite or NaN, or XML cannot represent its year.
            case unrepresentableDate(path: String)
            /// Arrays and dictionaries are nested more than 512 levels deep.
            case nestedTooDeeply
            /// The format is neither `.xml` nor `.binary`.
            case unsupportedFormat
        }

        /// The reason for the error.
        public let reason: Reason
        package var origin: ErrorOrigin?

        /// Creates an error.
        public init(_ reason: Reason) { self.reason = reason }

        /// Returns whether the reasons are equal.
        public static func == (lhs: Self, rhs: Self) -> Bool { lhs.reason == rhs.reason }

        /// Returns whether an error is equal to this one, for use in `case` and `catch`.
        public static func ~= (pattern: Self, error: any Swift.Error) -> Bool { error as? Self == pattern }
    }
}

extension PropertyListEncoding.Error {
    /// Creates an error with ``Reason/invalidValue(path:type:)``.
    public static func invalidValue(path: String, type: String) -> Self { Self(.invalidValue(path: path, type: type)) }
    /// Creates an error with ``Reason/invalidText(path:)``.
    public static func invalidText(path: String) -> Self { Self(.invalidText(path: path)) }
    /// Creates an error with ``Reason/unrepresentableDate(path:)``.
    public static func unrepresentableDate(path: String) -> Self { Self(.unrepresentableDate(path: path)) }
    /// An error with ``Reason/nestedTooDeeply``.
    public static let nestedTooDeeply = Self(.nestedTooDeeply)
    /// An error with ``Reason/unsupportedFormat``.
    public static let unsupportedFormat = Self(.unsupportedFormat)
}

extension PropertyListEncoding.Error: LocalizedError {
    /// A sentence that describes the problem and a remedy.
    public var errorDescription: String? { text(sentence) }

    private var sentence: String {
        switch reason {
        case .invalidValue(let path, let type):
            "The value at \(path) is of type \(type), which a property list cannot represent."
        case .invalidText(let path):
            "The text at \(path) has a control character, which XML cannot represent: use .binary, or send Data."
        case .unrepresentableDate(let path):
            "The date at \(path) is infinite, or its year does not have four digits: a property list cannot hold it."
        case .nestedTooDeeply:
            "The parameters are nested more than \(AnyParameter.deepestLevel) levels deep: reduce the depth."
        case .unsupportedFormat:
            "The format of a property list must be .xml or .binary."
        }
    }
}
