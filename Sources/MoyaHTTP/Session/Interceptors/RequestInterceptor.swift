/// A type that modifies requests before they are sent, and decides whether they are retried.
///
///     let session = Session(interceptor: RetryPolicy())
@preconcurrency
public protocol RequestInterceptor: RequestAdapter, RequestRetrier {}
