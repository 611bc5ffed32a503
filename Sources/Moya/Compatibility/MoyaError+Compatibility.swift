// Names of Moya 7 and older.

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of every ``MoyaError`` as an `NSError`.
@available(*, deprecated, renamed: "MoyaError.errorDomain")
public let MoyaErrorDomain = MoyaError.errorDomain

/// Unavailable: the codes are those of ``MoyaError``'s cases.
@available(
    *,
    unavailable,
    message: "Switch over MoyaError; as an NSError it has the codes 0 to 8, in the order of its cases."
)
public enum MoyaErrorCode: Int, Sendable {
    /// See ``MoyaError/imageMapping(_:)``.
    case imageMapping
    /// See ``MoyaError/jsonMapping(_:)``.
    case jsonMapping
    /// See ``MoyaError/stringMapping(_:)``.
    case stringMapping
    /// See ``MoyaError/statusCode(_:)``.
    case statusCode
    /// See ``MoyaError/underlying(_:_:)``.
    case data
}

extension MoyaError {
    /// Unavailable: a failed exchange is ``underlying(_:_:)``.
    @available(*, unavailable, message: "Write .underlying(error, response).")
    public static func data(_ response: Response) -> MoyaError { .statusCode(response) }
}
