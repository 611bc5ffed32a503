import Moya

extension Session {
    static let retries = RetryPolicy(
        retryLimit: 3,
        exponentialBackoffScale: 0.1
    )

    static func octo() -> Session {
        Session(interceptor: retries)
    }
}
