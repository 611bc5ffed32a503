/// Gets the result of a request.
@preconcurrency
public typealias Completion = @Sendable (_ result: Result<Moya.Response, MoyaError>) -> Void

/// Gets the progress of a request.
@preconcurrency
public typealias ProgressBlock = @Sendable (_ progress: ProgressResponse) -> Void
