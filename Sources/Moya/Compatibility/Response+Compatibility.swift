// Libraries that extended earlier versions of Moya declared these mappings.
extension Response {
    /// Replaced by ``map(_:atKeyPath:using:failsOnEmptyData:)``.
    @available(*, unavailable, message: "Let the type be Decodable and write map(_:).")
    public func mapObject<Value>(_ type: Value.Type) throws -> Value { throw MoyaError.jsonMapping(self) }

    /// Replaced by ``map(_:atKeyPath:using:failsOnEmptyData:)``.
    @available(*, unavailable, message: "Let the type be Decodable and write map([Element].self).")
    public func mapArray<Element>(_ type: Element.Type) throws -> [Element] { throw MoyaError.jsonMapping(self) }
}

// Until Moya 13 the type came from the library Result. Swift's type has the same cases and other members.
extension Result where Success == Moya.Response, Failure == MoyaError {
    /// Unavailable: a member of the library Result.
    @available(*, unavailable, message: "Write `try? result.get()`, or switch over the result.")
    public var value: Moya.Response? { try? get() }

    /// Unavailable: a member of the library Result.
    @available(*, unavailable, message: "Write `if case .failure(let error) = result`.")
    public var error: MoyaError? {
        if case .failure(let error) = self { error } else { nil }
    }

    /// Replaced by `get()`.
    @available(*, unavailable, renamed: "get()")
    public func dematerialize() throws -> Moya.Response { try get() }

    /// Unavailable: a member of the library Result.
    @available(*, unavailable, message: "Switch over the result.")
    public func analysis<Value>(
        ifSuccess: (Moya.Response) -> Value,
        ifFailure: (MoyaError) -> Value
    ) -> Value {
        switch self {
        case .success(let response): ifSuccess(response)
        case .failure(let error): ifFailure(error)
        }
    }
}

// Names of Moya 7 and earlier.

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of every ``MoyaError`` as an `NSError`.
@available(*, deprecated, renamed: "MoyaError.errorDomain")
public let MoyaErrorDomain = MoyaError.errorDomain

/// Unavailable: the codes belong to the cases of ``MoyaError``.
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
