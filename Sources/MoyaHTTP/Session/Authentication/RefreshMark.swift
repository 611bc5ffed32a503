import Foundation

/// Marks the task that refreshes a credential, so that the requests made in it are known: they must not wait for what
/// they are part of.
struct RefreshMark: Sendable {
    /// The refreshes that this task is part of: several, where one interceptor's refresh uses another's session.
    @TaskLocal private static var all: [RefreshMark] = []

    private let interceptor: UUID
    private let end = OneShot<Void>()

    private init(interceptor: UUID) { self.interceptor = interceptor }

    /// Whether this task is part of a refresh of this interceptor that is still running.
    ///
    /// A task that was started within a refresh and outlives it is no part of it any more.
    static func isInside(_ interceptor: UUID) -> Bool {
        all.contains { $0.interceptor == interceptor && $0.end.value == nil }
    }

    /// Runs a refresh of this interceptor.
    static func mark<R: Sendable>(_ interceptor: UUID, _ refresh: @Sendable () async -> R) async -> R {
        let mark = RefreshMark(interceptor: interceptor)
        defer { mark.end.fulfil(()) }
        return await $all.withValue(all + [mark]) { await refresh() }
    }
}
