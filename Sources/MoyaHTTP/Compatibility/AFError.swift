/// Alamofire's error type.
///
/// This library uses the errors of the system and error types of its own.
@available(
    *,
    unavailable,
    message: "MoyaError.underlying holds a URLError, or an error of the library, with no AFError around it."
)
public enum AFError: Error {}

extension Error {
    /// The error as an `AFError`, which does not exist.
    @available(*, unavailable, message: "There is no AFError: write `error as? URLError`.")
    public var asAFError: AFError? { nil }
}
