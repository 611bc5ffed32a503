// Until Moya 13 the type came from the library Result. Swift's own has the same cases and other members.
extension Result where Success == Moya.Response, Failure == MoyaError {
    /// Unavailable: a member of the library Result.
    @available(*, unavailable, message: "Write `try? result.get()`, or switch over the result.")
    public var value: Moya.Response? { try? get() }

    /// Unavailable: a member of the library Result.
    @available(*, unavailable, message: "Write `if case .failure(let error) = result`.")
    public var error: MoyaError? {
        if case .failure(let error) = self { error } else { nil }
    }

    /// Now `get()`.
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
