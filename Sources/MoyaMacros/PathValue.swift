#if Macros
import Foundation
import MoyaHTTP

/// Functions that insert values into paths.
public enum PathValue {
    /// Returns a text with all characters percent-encoded except letters, digits and `!$&'()*+,-.:=@_~`.
    ///
    /// So the text cannot end the segment that contains it (RFC 3986, section 3.3). The texts `.` and `..` are
    /// escaped as well, but remain dot segments (section 6.2.2.2): `HTTPTask.checkingPath(_:_:)` rejects them.
    public static func escape(_ text: String, style: URLEncoding = .default) -> String {
        if text == "." || text == ".." { return text.map { _ in "%2E" }.joined() }
        return text.percentEncoded(keeping: .pathValue)
    }

    /// Returns the escaped text of a value; empty for a value that `HTTPTask.checkingPath(_:_:style:)` rejects.
    public static func escape<Value: Sendable>(_ value: Value, style: URLEncoding = .default) -> String {
        escape((try? text(value, parameter: "", style: style)) ?? "")
    }

    /// Returns the text of a value, which may be empty.
    static func text<Value: Sendable>(_ value: Value, parameter: String, style: URLEncoding) throws -> String {
        if let number = AnyParameter.exact(value, as: Int.self) { return "\(number)" }
        switch try ParameterValue(value).texts(name: parameter, style: style) {
        case .none: return ""
        case .one(let text): return text
        case .list, .nested:
            throw ParameterValueError(parameter: parameter, reason: .severalValues(place: .path))
        }
    }
}

/// The error for a value that would change the path that contains it.
///
/// It is detected before the request is sent, and is in ``MoyaError/parameterEncoding(_:)``.
public struct PathValueError: RequestDefinitionError, MatchableError, Sendable {
    /// The reason why the value is invalid.
    public enum Reason: Hashable, Sendable {
        /// The value is empty: `/users/` is not the path of a user.
        case empty
        /// The value is `.` or `..`, which are dot segments, escaped or not (RFC 3986, sections 5.2.4 and
        /// 6.2.2.2).
        case dots
    }

    /// The parameter's name.
    public let parameter: String
    /// The reason why its value is invalid.
    public let reason: Reason
    package var origin = ErrorOrigin()

    /// Creates an error.
    public init(parameter: String, reason: Reason) {
        self.parameter = parameter
        self.reason = reason
    }

    package var place: String? { "`path`" }
}

extension PathValueError: MaskedError {
    /// The reason, and how to resolve the error.
    public var errorDescription: String? {
        switch reason {
        case .empty:
            text("The value of \"\(parameter)\" is empty, which changes the path: give it a value.")
        case .dots:
            text(
                "The value of \"\(parameter)\" is \".\" or \"..\", which leads to another path: give it another value."
            )
        }
    }
}

extension HTTPTask {
    /// Returns this task, or one that fails with ``PathValueError`` if a value is invalid in a path.
    ///
    /// The task reports the error because a target's path cannot throw.
    ///
    /// - Parameters:
    ///   - parameter: The name of the parameter, for the error.
    ///   - value: The value.
    ///   - style: How Booleans are written.
    /// - Returns: The task.
    public func checkingPath(_ parameter: String, _ value: String, style: URLEncoding = .default) -> HTTPTask {
        // Invalid values have at most two characters.
        guard value.utf8.count <= 2, let reason = PathValueError.Reason(value) else { return self }
        return .refused(PathValueError(parameter: parameter, reason: reason))
    }

    /// Returns this task, or one that fails if a value is invalid in a path, or cannot be written as one text.
    public func checkingPath<Value: Sendable>(
        _ parameter: String,
        _ value: Value,
        style: URLEncoding = .default
    ) -> HTTPTask {
        if value is Int { return self }
        do {
            return checkingPath(parameter, try PathValue.text(value, parameter: parameter, style: style))
        } catch {
            return .refused(error)
        }
    }
}

extension PathValueError.Reason {
    fileprivate init?(_ value: String) {
        switch value {
        case "": self = .empty
        case ".", "..": self = .dots
        default: return nil
        }
    }
}
#endif
