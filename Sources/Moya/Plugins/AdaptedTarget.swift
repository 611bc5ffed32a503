/// The target of a request, for interceptors that go by it.
///
/// Interceptors belong to the session, which knows nothing of targets. So the provider says whose request it is for as long
/// as the session works on it.
struct AdaptedTarget: Sendable {
    @TaskLocal private static var current: AdaptedTarget?

    private let target: any TargetType
    private let record: RequestRecord

    /// Has the session work on a request.
    static func run<Value>(
        _ target: any TargetType,
        _ options: RequestOptions,
        in session: Session,
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        // Where nobody looks at it, it need not cost anything.
        guard options.interceptor != nil || session.interceptor != nil else { return try await body() }
        return try await $current.withValue(AdaptedTarget(target: target, record: options.record), operation: body)
    }

    /// The target of the request that an adapter is handed; `nil` if it was made without a target, also where that was done
    /// on behalf of one that has a target, as when a token is fetched.
    static func target(of state: RequestAdapterState) -> (any TargetType)? {
        guard let current, current.record.id == state.requestID else { return nil }
        return current.target
    }
}
