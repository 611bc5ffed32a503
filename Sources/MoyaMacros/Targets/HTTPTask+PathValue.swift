#if Macros
    import Foundation

    extension HTTPTask {
        /// This task; or, if a value can't stand in a path, one whose request fails with ``PathValueError``.
        ///
        /// A target's path can't throw, so that its task does it.
        ///
        /// - Parameters:
        ///   - parameter: The name of the value, for the error.
        ///   - value: The value.
        public func checkingPath(_ parameter: String, _ value: String) -> HTTPTask {
            // Most values are longer, which is quickly seen.
            guard value.utf8.count <= 2, let reason = PathValueError.Reason(value) else { return self }
            let error = PathValueError(parameter: parameter, reason: reason)
            return .requestParameters(parameters: [:], encoding: Refusal(error: error))
        }

        /// This task; or, if a value can't stand in a path, one whose request fails with ``PathValueError``.
        public func checkingPath(_ parameter: String, _ value: some CustomStringConvertible) -> HTTPTask {
            checkingPath(parameter, PathValue.text(value))
        }

        /// This task; or, if a raw value can't stand in a path, one whose request fails with ``PathValueError``.
        public func checkingPath<Value: RawRepresentable>(_ parameter: String, _ value: Value) -> HTTPTask
        where Value.RawValue: CustomStringConvertible { checkingPath(parameter, PathValue.text(value)) }

        /// This task; or, if a raw value can't stand in a path, one whose request fails with ``PathValueError``.
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

    /// Parameters that can't be encoded.
    private struct Refusal: ParameterEncoding {
        let error: PathValueError

        func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
            throw error
        }
    }
#endif
