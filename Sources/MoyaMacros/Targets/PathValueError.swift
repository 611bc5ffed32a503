#if Macros
    import Foundation
    import MoyaHTTP

    /// The error for a value that would change the path that contains it.
    ///
    /// It is detected before the request is sent, and is in ``MoyaError/parameterEncoding(_:)``.
    public struct PathValueError: RequestDefinitionError, Equatable, Sendable {
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
        package var origin: ErrorOrigin?

        /// Creates an error.
        public init(parameter: String, reason: Reason) {
            self.parameter = parameter
            self.reason = reason
        }

        package var place: String? { "`path`" }

        /// Returns whether parameters and reasons are equal.
        public static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.parameter == rhs.parameter && lhs.reason == rhs.reason
        }
    }

    extension PathValueError: LocalizedError {
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
#endif
