/// A function that receives the result of a request.
@preconcurrency
public typealias Completion = @Sendable (_ result: Result<Moya.Response, MoyaError>) -> Void

/// A function that receives the progress of a request, which never decreases: see `ProgressHandler`.
@preconcurrency
public typealias ProgressBlock = @Sendable (_ progress: ProgressResponse) -> Void

/// A function that receives the output of a typed target, or the error of its request.
@preconcurrency
public typealias OutputCompletion<Output> = @Sendable (_ result: Result<Output, MoyaError>) -> Void
