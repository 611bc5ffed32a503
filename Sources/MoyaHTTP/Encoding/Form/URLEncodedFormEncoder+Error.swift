import Foundation

extension URLEncodedFormEncoder {
    /// An error for a value that cannot be encoded as a form.
    ///
    /// A path identifies the property, as in `user.scores[2]`; values are never included.
    public struct Error: RequestDefinitionError, Equatable, Sendable {
        /// The reason for the error.
        public enum Reason: Hashable, Sendable {
            /// The value of this type has no properties or keys at its top level, and thus no names.
            case topLevelHasNoNames(String)
            /// A number is infinite or NaN.
            case nonFiniteNumber(path: String)
            /// A date is infinite, NaN, or outside the range of the selected style.
            case unrepresentableDate(path: String)
            /// An `encode(to:)` requested different kinds of containers for one value, or encoded a single value
            /// twice.
            case conflictingContainers(path: String)
            /// Values are nested more than 512 levels deep.
            case nestedTooDeeply
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

extension URLEncodedFormEncoder.Error {
    /// Creates an error with ``Reason/topLevelHasNoNames(_:)``.
    public static func topLevelHasNoNames(_ type: String) -> Self { Self(.topLevelHasNoNames(type)) }
    /// Creates an error with ``Reason/nonFiniteNumber(path:)``.
    public static func nonFiniteNumber(path: String) -> Self { Self(.nonFiniteNumber(path: path)) }
    /// Creates an error with ``Reason/unrepresentableDate(path:)``.
    public static func unrepresentableDate(path: String) -> Self { Self(.unrepresentableDate(path: path)) }
    /// Creates an error with ``Reason/conflictingContainers(path:)``.
    public static func conflictingContainers(path: String) -> Self { Self(.conflictingContainers(path: path)) }
    /// An error with ``Reason/nestedTooDeeply``.
    public static let nestedTooDeeply = Self(.nestedTooDeeply)
}

extension URLEncodedFormEncoder.Error: LocalizedError {
    /// A sentence that describes the problem and a remedy.
    public var errorDescription: String? { text(sentence) }

    private var sentence: String {
        switch reason {
        case .topLevelHasNoNames(let type):
            "A form needs names, but \(type) has none at its top level: put it into a struct or a dictionary."
        case .nonFiniteNumber(let path):
            "The number at \(path) is infinite or not a number: a form cannot represent it."
        case .unrepresentableDate(let path):
            "The date at \(path) cannot be represented in the chosen style: choose another date encoding."
        case .conflictingContainers(let path):
            "The value at \(path) requests several kinds of containers, or encodes a single value twice."
        case .nestedTooDeeply:
            "The value is nested more than \(AnyParameter.deepestLevel) levels deep: reduce the depth."
        }
    }
}
