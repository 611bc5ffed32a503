/// Alamofire's error. Here errors are those of the system, and small ones of our own.
@available(
    *,
    unavailable,
    message: "MoyaError.underlying holds a URLError, or an error of the library, with no AFError around it."
)
public enum AFError: Error {}

extension Error {
    /// There is no such error.
    @available(*, unavailable, message: "There is no AFError: write `error as? URLError`.")
    public var asAFError: AFError? { nil }
}
