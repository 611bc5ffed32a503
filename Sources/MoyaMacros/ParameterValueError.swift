#if Macros
import Foundation
import MoyaHTTP

/// The error for a value that cannot be written at its place in a request.
///
/// It is detected before the request is sent, and is in ``MoyaError/parameterEncoding(_:)``.
public struct ParameterValueError: RequestDefinitionError, MatchableError, Sendable {
    /// A place in a request that holds one text, without names.
    public enum Place: Hashable, Sendable {
        /// The path.
        case path
        /// A header, whose text may be a list.
        case header
    }

    /// The reason why the value cannot be written.
    public enum Reason: Hashable, Sendable {
        /// The value is encoded as several values, such as the properties of a structure.
        case severalValues(place: Place)
        /// An element of a header's list is empty, or has a comma outside of quotes (RFC 9110, section 5.6.1).
        case ambiguousElement
    }

    /// The parameter's name.
    public let parameter: String
    /// The reason why its value cannot be written.
    public let reason: Reason
    package var origin = ErrorOrigin()

    /// Creates an error.
    public init(parameter: String, reason: Reason) {
        self.parameter = parameter
        self.reason = reason
    }

    package var place: String? { reason == .severalValues(place: .path) ? "`path`" : "`headers`" }
}

extension ParameterValueError: MaskedError {
    /// The reason, and how to resolve the error.
    public var errorDescription: String? {
        switch reason {
        case .severalValues(.path):
            text(
                "The value of \"\(parameter)\" is encoded as several values, but a path has one text for it: pass a string, or make the type LosslessStringConvertible."
            )
        case .severalValues(.header):
            text(
                "The value of \"\(parameter)\" is encoded as values with names, but a header is one text or a list: pass a string, or make the type LosslessStringConvertible."
            )
        case .ambiguousElement:
            text(
                "An element of \"\(parameter)\" is empty or has a comma, so that the header would have other elements: pass the whole header as a string."
            )
        }
    }
}
#endif
