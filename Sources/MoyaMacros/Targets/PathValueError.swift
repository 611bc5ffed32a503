#if Macros
    import Foundation
    import MoyaHTTP

    /// A value that can stand in no path without leading elsewhere. It is found before anything is sent, and stands in
    /// ``MoyaError/parameterEncoding(_:)``.
    public struct PathValueError: RequestMistake, Equatable, Sendable {
        /// What is wrong with the value.
        public enum Reason: Hashable, Sendable {
            /// It is empty: `/users/` is not the path of any user.
            case empty
            /// It is `.` or `..`, which mean other paths, escaped or not (RFC 3986, sections 5.2.4 and 6.2.2.2).
            case dots
        }

        /// The parameter's name.
        public let parameter: String
        /// What is wrong with its value.
        public let reason: Reason
        package var origin: ErrorOrigin?

        /// Makes an error.
        public init(parameter: String, reason: Reason) {
            self.parameter = parameter
            self.reason = reason
        }

        package var place: String? { "`path`" }

        /// Whether parameters and reasons are the same.
        public static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.parameter == rhs.parameter && lhs.reason == rhs.reason
        }
    }

    extension PathValueError: LocalizedError {
        /// What is wrong, and what to do.
        public var errorDescription: String? {
            switch reason {
            case .empty:
                text("The value of \"\(parameter)\" is empty, so that the path would be another: give it a value.")
            case .dots:
                text(
                    "The value of \"\(parameter)\" is \".\" or \"..\", which leads to another path: give it another value."
                )
            }
        }
    }
#endif
