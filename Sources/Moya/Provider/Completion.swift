/// A function that receives the result of a request.
@preconcurrency
public typealias Completion = @Sendable (_ result: Result<Moya.Response, MoyaError>) -> Void

/// A function that receives the progress of a request.
///
/// The progress of an upload counts the bytes of its body that the transport has read to send them; `URLSessionTransport` counts
/// sent bytes. Progress never decreases: a retry, or a download that starts over, reports nothing until it has transferred more
/// bytes than before.
@preconcurrency
public typealias ProgressBlock = @Sendable (_ progress: ProgressResponse) -> Void

/// A function that receives the output of a typed target, or the error of its request.
@preconcurrency
public typealias OutputCompletion<Output> = @Sendable (_ result: Result<Output, MoyaError>) -> Void
