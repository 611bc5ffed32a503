import Moya

extension Session {
    static let retries = RetryPolicy(
        retryLimit: 3,
        exponentialBackoffScale: 0.1
    )

    static func octo() -> Session {
        let folder = FileManager.default
            .urls(for: .cachesDirectory, in: .userDomainMask)[0]
            .appendingPathComponent("octo", isDirectory: true)
        return Session(
            interceptor: retries,
            cache: try? HTTPCache.disk(at: folder, maximumSize: 10 << 20)
        )
    }
}
