/// Gets the result of a request.
@preconcurrency
public typealias Completion = @Sendable (_ result: Result<Moya.Response, MoyaError>) -> Void

/// Gets the progress of a request.
@preconcurrency
public typealias ProgressBlock = @Sendable (_ progress: ProgressResponse) -> Void

/// Gets the answer of a request for a typed target.
@preconcurrency
public typealias OutputCompletion<Output> = @Sendable (_ result: Result<Output, MoyaError>) -> Void
