#if Macros
    import Foundation

    extension HTTPTask {
        /// Returns this task, or one that fails with ``PathValueError`` if a value is invalid in a path.
        ///
        /// The task reports the error because a target's path cannot throw.
        ///
        /// - Parameters:
        ///   - parameter: The name of the parameter, for the error.
        ///   - value: The value.
        /// - Returns: The task.
        public func checkingPath(_ parameter: String, _ value: String) -> HTTPTask {
            // All invalid values are short.
            guard value.utf8.count <= 2, let reason = PathValueError.Reason(value) else { return self }
            let error = PathValueError(parameter: parameter, reason: reason)
            return .requestParameters(parameters: [:], encoding: Refusal(error: error))
        }

        /// Returns this task, or one that fails with ``PathValueError`` if a value is invalid in a path.
        public func checkingPath(_ parameter: String, _ value: some CustomStringConvertible) -> HTTPTask {
            checkingPath(parameter, PathValue.text(value))
        }

        /// Returns this task, or one that fails with ``PathValueError`` if a raw value is invalid in a path.
        public func checkingPath<Value: RawRepresentable>(_ parameter: String, _ value: Value) -> HTTPTask
        where Value.RawValue: CustomStringConvertible { checkingPath(parameter, PathValue.text(value)) }

        /// Returns this task, or one that fails with ``PathValueError`` if a raw value is invalid in a path.
        public func checkingPath<Value: RawRepresentable & CustomStringConvertible>(
            _ parameter: String,
            _ value: Value
        ) -> HTTPTask where Value.RawValue: CustomStringConvertible { checkingPath(parameter, value.rawValue) }
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

    /// An encoding that always fails.
    private struct Refusal: ParameterEncoding {
        let error: PathValueError

        func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
            throw error
        }
    }
#endif
