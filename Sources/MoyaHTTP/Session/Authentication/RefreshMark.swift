import Foundation

/// A marker of the task that refreshes a credential.
///
/// Requests made in this task are recognized by it, so that they do not wait for the refresh that they are part of.
struct RefreshMark: Sendable {
    /// The refreshes that this task is part of.
    ///
    /// There are several if the refresh of one interceptor uses the session of another.
    @TaskLocal private static var all: [RefreshMark] = []

    private let interceptor: UUID
    private let end = Promise<Void>()

    private init(interceptor: UUID) { self.interceptor = interceptor }

    /// Returns whether this task is part of a running refresh of this interceptor.
    ///
    /// A task that was started by a refresh and outlives it is not part of it any more.
    static func isInside(_ interceptor: UUID) -> Bool {
        all.contains { $0.interceptor == interceptor && $0.end.value == nil }
    }

    /// Runs a refresh of this interceptor.
    static func mark<R: Sendable>(_ interceptor: UUID, _ refresh: @Sendable () async -> R) async -> R {
        let mark = RefreshMark(interceptor: interceptor)
        defer { mark.end.fulfill(()) }
        return await $all.withValue(all + [mark]) { await refresh() }
    }
}
