/// The priority of a request that waits for a ``ConcurrencyLimiter``.
///
/// Requests of a task have the task's value:
///
///     let thumbnails = try await RequestPriority.$current.withValue(.low) {
///         try await provider.request(.thumbnails)
///     }
///
/// A request waits behind all requests of a higher priority and of the same one, in order of arrival. So requests with a low priority may
/// wait until the maximum time while others arrive.
public enum RequestPriority: Int, CaseIterable, Comparable, Sendable {
    /// The priority of work for which nobody waits.
    case low
    /// The default priority.
    case normal
    /// The priority of work for which a user waits.
    case high

    /// The priority of the requests of the current task: ``normal`` by default.
    @TaskLocal public static var current = RequestPriority.normal

    /// Returns whether the first priority is lower.
    public static func < (lhs: RequestPriority, rhs: RequestPriority) -> Bool { lhs.rawValue < rhs.rawValue }
}
